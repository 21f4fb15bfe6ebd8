package fakebb

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// written is an expression in brackets, for tests.
func written(e *expression) string {
	join := func(parts []*expression, operator string) string {
		var texts []string
		for _, part := range parts {
			texts = append(texts, written(part))
		}
		return "(" + strings.Join(texts, operator) + ")"
	}
	switch {
	case e == nil:
		return ""
	case e.phrase != nil:
		text := e.phrase.words[0]
		for i, word := range e.phrase.words[1:] {
			text += map[bool]string{true: ".", false: " "}[e.phrase.dotted[i+1]] + word
		}
		return "'" + text + "'"
	case e.modifier != nil:
		return e.modifier.name + "=" + e.modifier.value
	case e.not != nil:
		return "!" + written(e.not)
	case e.any != nil:
		return join(e.any, " or ")
	}
	return join(e.all, " and ")
}

// H1: bitbucket-rest.md 17 [D].
func TestQueriesAreRead(t *testing.T) {
	for text, want := range map[string]string{
		`prune`:                       `'prune'`,
		`prune trees`:                 `('prune' and 'trees')`,
		`prune AND trees OR frost`:    `(('prune' and 'trees') or 'frost')`,
		`prune (trees OR frost)`:      `('prune' and ('trees' or 'frost'))`,
		`prune NOT trees`:             `('prune' and !'trees')`,
		`prune -trees -"late frost"`:  `('prune' and !'trees' and !'late frost')`,
		`"late frost"`:                `'late frost'`,
		`repo:catalogue ext:go prune`: `(repo=catalogue and ext=go and 'prune')`,
		`Project:ORCH prune`:          `(project=ORCH and 'prune')`,
		`prune -ext:md`:               `('prune' and !ext=md)`,
		`path:"my docs" prune`:        `(path=my docs and 'prune')`,
		`a.b.c`:                       `'a.b.c'`,
		`com.example:prune`:           `'com.example prune'`,
		`trees-at(`:                   `('trees' and 'at')`, // no query: its words
		`"foo ="`:                     `'foo'`,
		`foo = bar`:                   `('foo' and 'bar')`,
		`late-frost`:                  `'late frost'`,
		`or and not`:                  `('or' and 'and' and 'not')`, // operators are in capitals
		`((prune))`:                   `'prune'`,
		`a OR b OR c`:                 `('a' or 'b' or 'c')`,
		`NOT a b`:                     `(!'a' and 'b')`,
		`snake_case`:                  `'snake_case'`,
		`ortho:x`:                     `'ortho x'`,
		`repo: prune`:                 `('repo' and 'prune')`,
	} {
		q, err := parseSearch(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, written(q.root)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// What is no query is searched for word by word, and the answer says so.
func TestMalformedQueriesAreSubstituted(t *testing.T) {
	for text, want := range map[string]bool{
		"prune": false, `"late frost"`: false, "(a)": false,
		`"late frost`: true, "(a": true, "a)": true, "a OR": true, "AND a": true, "a AND OR b": true, "prune()": true, "a NOT": true,
	} {
		q, err := parseSearch(text)
		if err != nil || q.substituted != want {
			t.Errorf("%s: substituted %v, error %v, want %v", text, q.substituted, err, want)
		}
	}
}

// H1: bug-log.md REST-12.
func TestQueriesThatAreTooLongOrTooComplexAreRefused(t *testing.T) {
	nine := strings.TrimSpace(strings.Repeat("a ", 9))
	for _, test := range []struct{ text, want string }{
		{strings.Repeat("x", 250), ""},
		{strings.Repeat("x", 251), "too long"},
		{strings.Repeat("🍎", 125) + "x", "too long"}, // counted as UTF-16
		{nine, ""},
		{nine + " a", "too complex"},
		{"ext:go repo:x " + strings.TrimSuffix(nine, " a"), "too complex"},
		{"ext:go repo:x (a OR b) AND NOT c", ""},
		{nine + " a (", "too complex"},
		{"ext:go", "at least one search term"},
		{"-prune", "at least one search term"},
		{"= () ", "at least one search term"},
	} {
		_, err := parseSearch(test.text)
		if (test.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.40s: error %v, want %q", test.text, err, test.want)
		}
	}
}

func TestPhrasesAreFoundOverPunctuationAndDotsAreNot(t *testing.T) {
	const text = "func Prune(trees []Tree) { catalogue.Trees.Prune(trees) }"
	words := wordsOf(text)
	for phrase, want := range map[string][]string{
		"prune":              {"Prune", "Prune"},
		"prune trees":        {"Prune", "trees", "Prune", "trees"},
		"trees.prune":        {"Trees", "Prune"},
		"prune.trees":        nil, // there is a bracket
		"catalogue trees":    {"catalogue", "Trees"},
		"tree":               {"Tree"}, // whole words
		"trees tree catalog": nil,
	} {
		var got []string
		for _, s := range newPhrase(phrase).in(text, words) {
			got = append(got, text[s.start:s.end])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", phrase, diff)
		}
	}
}

// Whatever is asked for, it is understood or refused, and evaluated.
func FuzzSearchQuery(f *testing.F) {
	for _, text := range []string{`a AND (b OR -c)`, `"`, `repo:"x y" z`, `((((`, "NOT NOT a", "a\x00b", "é.é", "-", "- a"} {
		f.Add(text, "some text. With words")
	}
	f.Fuzz(func(t *testing.T, query, text string) {
		q, err := parseSearch(query)
		if err != nil {
			return
		}
		words := wordsOf(text)
		hits := []span{}
		for _, p := range q.root.phrases(nil) {
			hits = append(hits, p.in(text, words)...)
		}
		h := codeHit{text: text, inText: inOrder(hits), path: text, inPath: inOrder(slices.Clone(hits))}
		h.contexts()
		h.pathMatches()
		q.root.holds(func(p *phrase) bool { return p.in(text, words) != nil }, func(m *modifier) bool { return m.keepsFile(text) })
	})
}
