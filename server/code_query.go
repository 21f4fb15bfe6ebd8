package server

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/bb-mcp/bb/server/quote"
)

// What Bitbucket takes as a query of its code search (bug-log.md REST-12).
const (
	maxQuery       = 250 // UTF-16 units
	maxDropNamed   = 5   // clauses that are advised to be dropped, by name
	maxExpressions = 9   // terms, phrases and modifiers
)

// clause is a word, a phrase in quotation marks, a modifier or an operator, in
// a query.
type clause struct {
	text     string
	operator bool // AND, OR, NOT, a parenthesis
	modifier bool // such as lang:go, which narrows and searches for nothing
}

var (
	clausePattern   = regexp.MustCompile(`[()]|[^\s()"]*"[^"]*"|[^\s()"]+|"`)
	modifierPattern = regexp.MustCompile(`(?i)^-?(?:project|repo|lang|ext|path|archived|fork):.`)
	operators       = []string{"AND", "OR", "NOT", "(", ")"}
)

func clausesOf(query string) []clause {
	var clauses []clause
	for _, text := range clausePattern.FindAllString(query, -1) {
		clauses = append(clauses, clause{text, slices.Contains(operators, text), modifierPattern.MatchString(text)})
	}
	return clauses
}

// searches says whether the index can have what the clause looks for: it holds
// no punctuation.
func (c clause) searches() bool {
	return !c.operator && !c.modifier && strings.ContainsFunc(c.text, func(r rune) bool {
		return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
	})
}

// codeQuery is a query kept to a place by modifiers. It says what is wrong with
// a query that Bitbucket would refuse, or would not read as it is written:
// a parenthesis that does not close would also end the one that keeps an OR
// within the place.
func codeQuery(query string, within Place) (string, error) {
	query = strings.TrimSpace(query)
	clauses := clausesOf(query)
	depth, or := 0, false
	for _, c := range clauses {
		switch c.text {
		case `"`:
			return "", errors.New("query: a quotation mark is not closed")
		case "(":
			depth++
		case ")":
			depth--
		case "OR":
			or = true
		}
		if depth < 0 {
			break
		}
	}
	if depth != 0 {
		return "", errors.New(`query: a parenthesis has no partner; to search for one, put the words around it in quotation marks, such as "main("`)
	}
	if !slices.ContainsFunc(clauses, clause.searches) {
		return "", errors.New("query: it needs a word to search for; punctuation is not in the index, and project:, repo:, lang:, ext:, path: only narrow")
	}
	var places []string
	if within.Project != "" {
		places = append(places, "project:"+within.Project)
	}
	if within.Repo != "" {
		places = append(places, "repo:"+within.Repo)
	}
	built := func(query string) string {
		if len(places) == 0 {
			return query
		}
		if or {
			query = "(" + query + ")"
		}
		return query + " " + strings.Join(places, " ")
	}
	return built(query), fits(query, clauses, places, built)
}

// fits says which clauses to drop of a query that is too long or too complex.
func fits(query string, clauses []clause, places []string, built func(string) string) error {
	length := func(query string) int { return len(utf16.Encode([]rune(built(query)))) }
	count := len(places)
	for _, c := range clauses {
		if !c.operator {
			count++
		}
	}
	n := length(query)
	if n <= maxQuery && count <= maxExpressions {
		return nil
	}
	var wrong []string
	if n > maxQuery {
		wrong = append(wrong, fmt.Sprintf("%d characters long, and Bitbucket takes %d", n, maxQuery))
	}
	if count > maxExpressions {
		wrong = append(wrong, fmt.Sprintf("of %d expressions, and Bitbucket takes %d", count, maxExpressions))
	}
	var drop []string
	shorter, left := query, count
	for i := len(clauses) - 1; i > 0 && (length(shorter) > maxQuery || left > maxExpressions); i-- {
		shorter = strings.TrimSpace(shorter[:strings.LastIndex(shorter, clauses[i].text)])
		if !clauses[i].operator {
			drop = append(drop, quote.Name(clauses[i].text))
			left--
		}
	}
	slices.Reverse(drop)
	advice := "shorten it"
	if len(drop) > 0 {
		named := drop[:min(len(drop), maxDropNamed)]
		advice = "drop " + strings.Join(named, " and ")
		if rest := len(drop) - len(named); rest > 0 {
			advice += fmt.Sprintf(" and %d after them", rest)
		}
	}
	added := ""
	if len(places) > 0 {
		added = fmt.Sprintf(" (with %s added)", strings.Join(places, " "))
	}
	return fmt.Errorf("query: it is%s %s: %s", added, strings.Join(wrong, "; and "), advice)
}
