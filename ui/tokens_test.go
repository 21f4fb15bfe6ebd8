package ui

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	jsComment = regexp.MustCompile(`^(?://[^\n]*|(?s:/\*.*?\*/))`)
	jsString  = regexp.MustCompile(`^(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`)
	jsRegexp  = regexp.MustCompile(`^/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*`)
	jsWord    = regexp.MustCompile(`^[\w$#]+`)
	// A slash after one of these divides; elsewhere it begins a regular expression.
	jsValueEnd = regexp.MustCompile(`^(?:[\w$]+|[)\]]|['"` + "`" + `].*)$`)
	jsOperator = regexp.MustCompile(`^(?:return|typeof|case|in|of|void|delete|do|else)$`)
)

// tokens cuts a script into its tokens, without space and comments. It knows as
// much of JavaScript as the sources use.
func tokens(code string) ([]string, error) {
	var found []string
	for len(code) > 0 {
		last := ""
		if len(found) > 0 {
			last = found[len(found)-1]
		}
		token := ""
		switch {
		case strings.ContainsRune(" \t\n", rune(code[0])):
			code = code[1:]
			continue
		case jsComment.MatchString(code):
			code = code[len(jsComment.FindString(code)):]
			continue
		case code[0] == '\'' || code[0] == '"':
			token = jsString.FindString(code)
		case code[0] == '`':
			token = template(code)
		case code[0] == '/' && (jsOperator.MatchString(last) || !jsValueEnd.MatchString(last)):
			token = jsRegexp.FindString(code)
		case jsWord.MatchString(code):
			token = jsWord.FindString(code)
		default:
			token = code[:1]
		}
		if token == "" {
			return nil, fmt.Errorf("no token at %.60q, after %q", code, last)
		}
		found = append(found, token)
		code = code[len(token):]
	}
	return found, nil
}

// template is the template literal that code begins with, or nothing when it
// has no end.
func template(code string) string {
	for i := 1; i < len(code); i++ {
		switch {
		case code[i] == '\\':
			i++
		case code[i] == '`':
			return code[:i+1]
		case strings.HasPrefix(code[i:], "${"):
			depth := 1
			for i += 2; i < len(code) && depth > 0; i++ {
				switch code[i] {
				case '{':
					depth++
				case '}':
					depth--
				case '`':
					inner := template(code[i:])
					if inner == "" {
						return ""
					}
					i += len(inner) - 1
				case '\'':
					i += len(jsString.FindString(code[i:])) - 1
				}
			}
			i--
		}
	}
	return ""
}
