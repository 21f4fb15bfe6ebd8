package ui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// sinks are the ways from a string to an element, a style, an address that is
// fetched or code. Nothing in the page may use one, and nothing needs to:
// elements come from el(), links open through the host.
var sinks = map[string]*regexp.Regexp{
	"HTML from a string":    regexp.MustCompile(`\b(?:innerHTML|outerHTML|insertAdjacentHTML|setHTML|setHTMLUnsafe|parseHTMLUnsafe|createContextualFragment|DOMParser|XSLTProcessor|parseFromString)\b|\bdocument\s*\.\s*(?:write|writeln|execCommand|open)\b`),
	"code from a string":    regexp.MustCompile(`\beval\b|\bFunction\s*\(|\bnew\s+Function\b|\bimport\s*\(|\bimportScripts\b|\bset(?:Timeout|Interval)\s*\(\s*["'\x60]|\.constructor\s*\(`),
	"a style as a string":   regexp.MustCompile(`\bcssText\b|\binsertRule\b|\breplaceSync\b|\badoptedStyleSheets\b|["'\x60]style["'\x60]|\.style\s*\+?=[^=]`),
	"an attribute handler":  regexp.MustCompile(`\.on[a-z]+\s*=[^=]|setAttribute(?:NS)?\s*\(\s*["'\x60]on`),
	"a fetched address":     regexp.MustCompile(`\bfetch\s*\(|\bXMLHttpRequest\b|\bWebSocket\b|\bEventSource\b|\bsendBeacon\b|\bnew\s+(?:Worker|SharedWorker|Image|Audio)\b|\.(?:src|srcdoc|href|action|formAction)\s*=[^=]|["'\x60](?:src|srcdoc|href|xlink:href|action|formaction)["'\x60]`),
	"another way to a page": regexp.MustCompile(`\bwindow\s*\.\s*open\b|\blocation\s*(?:=[^=]|\.\s*(?:href|assign|replace)\b)|\b(?:alert|confirm|prompt)\s*\(`),
	"a form":                regexp.MustCompile(`["'\x60](?:form|input|select|textarea|submit|iframe|embed|script|base|template)["'\x60]|\bel\(\s*["'\x60]object|\brequestSubmit\b|\.submit\s*\(`),
	"storage":               regexp.MustCompile(`\b(?:localStorage|sessionStorage|indexedDB|caches)\b|\bdocument\s*\.\s*cookie\b`),
	"an element not by el":  regexp.MustCompile(`\bcreateElement(?:NS)?\b|\bimportNode\b|\bcloneNode\b`),
}

// allowed are the places where the page has to use one, each by its whole line.
var allowed = map[string][]string{
	"el.js": {
		// This is el().
		`const element = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);`,
	},
	"theme.js": {
		// A canvas of one pixel that is never drawn; it resolves colours.
		`const canvas = document.createElement('canvas');`,
	},
}

// scan lists the sinks in a script, each with its line.
func scan(name, text string) []string {
	code := lineComment.ReplaceAllString(blockComment.ReplaceAllStringFunc(text, func(comment string) string {
		return strings.Repeat("\n", strings.Count(comment, "\n"))
	}), "")
	var found []string
	for i, line := range strings.Split(code, "\n") {
		line = strings.TrimSpace(line)
		if permitted(name, line) {
			continue
		}
		for what, pattern := range sinks {
			if hit := pattern.FindString(line); hit != "" {
				found = append(found, fmt.Sprintf("%s:%d: %s: %s", name, i+1, what, hit))
			}
		}
	}
	return found
}

func permitted(name, line string) bool {
	for _, a := range allowed[name] {
		if a == line {
			return true
		}
	}
	return false
}

// V11, V33, V35
func TestViewScriptsBuildNoHTMLFromStrings(t *testing.T) {
	scripts := files(t, "*.js")
	for name, text := range scripts {
		for _, found := range scan(name, text) {
			t.Error(found)
		}
	}
	for name, lines := range allowed {
		for _, line := range lines {
			if !strings.Contains(scripts[name], line) {
				t.Errorf("%s has no longer %q: take it off the list", name, line)
			}
		}
	}
}

// V33: a scan that finds nothing proves something only if it finds this.
func TestTheScanForSinksFindsThem(t *testing.T) {
	for _, bad := range []string{
		`element.innerHTML = text;`, `element.outerHTML += text`, `element['innerHTML'] = text`, `p.insertAdjacentHTML('beforeend', s)`,
		`document.write(s)`, `document . writeln(s)`, `new DOMParser().parseFromString(s, 'text/html')`, `range.createContextualFragment(s)`, `p.setHTMLUnsafe(s)`,
		`eval(s)`, `(0, eval)(s)`, `new Function(s)`, `Function('return this')()`, `setTimeout('x()', 1)`, "setInterval(`x()`)", `import(url)`, `x.constructor('alert(1)')()`,
		`el.style = 'color:red'`, `el.style.cssText = s`, `el.setAttribute('style', s)`, `sheet.insertRule(s)`,
		`el.onclick = f`, `el.setAttribute('onclick', s)`, `window.onmessage = f`,
		`fetch(url)`, `new XMLHttpRequest()`, `img.src = url`, `a.href = url`, `a.setAttribute("href", url)`, `new Worker(url)`, `navigator.sendBeacon(u)`,
		`window.open(url)`, `location = url`, `location.href = url`, `alert(1)`,
		`document.createElement('form')`, `el('form')`, `el('input', null)`, `button.type === 'submit'`, `f.requestSubmit()`,
		`localStorage.x = 1`, `document.cookie`, `node.cloneNode(true)`, `const e = document.createElement(tag);`,
	} {
		if len(scan("bad.js", bad)) == 0 {
			t.Errorf("the scan does not see %q", bad)
		}
	}
	for _, good := range []string{`el('p', {title: s}, text)`, `root.style.setProperty('--bg', value)`, `on.input(args)`, `// element.innerHTML would be wrong`, `const evaluated = 1`, `this.on.result(params)`} {
		if found := scan("good.js", good); len(found) > 0 {
			t.Errorf("the scan refuses %q: %v", good, found)
		}
	}
}
