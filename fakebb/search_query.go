package fakebb

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// The limits of a query (bug-log.md REST-12).
const (
	maxQueryLength      = 250 // UTF-16 units
	maxQueryExpressions = 9   // terms, phrases and modifiers
)

// searchQuery is a query that was understood. In words: terms stand beside each
// other for AND, which binds stronger than OR; NOT and - turn the next one round;
// "several words" stand in this order; and name:value keeps to some repositories
// or files.
type searchQuery struct {
	root *expression
	// substituted says that the query was no query as it was written, and that
	// its words were looked for instead.
	substituted bool
}

// expression is a part of a query. Exactly one of its kinds is set.
type expression struct {
	all, any []*expression
	not      *expression
	phrase   *phrase
	modifier *modifier
}

// phrase is words that follow each other with nothing but punctuation between
// them.
type phrase struct {
	words []string
	// dotted says for each word that a dot and nothing else stands before it. All
	// other punctuation is not in the index.
	dotted []bool
	raw    string
}

type modifier struct{ name, value string }

// modifiers are the names that keep to something; another name is a word.
var modifiers = []string{"project", "repo", "lang", "ext", "path", "archived", "fork"}

// parseSearch reads a query. What is not well-formed is no error: its words are
// looked for instead, as in Bitbucket's search box (belief).
func parseSearch(text string) (searchQuery, error) {
	if len(utf16.Encode([]rune(text))) > maxQueryLength {
		return searchQuery{}, invalidQuery("Length", "The search query is too long; it can have at most 250 characters.")
	}
	tokens, ok := readTokens(text)
	count := 0
	for _, t := range tokens {
		if t.operator == "" {
			count++
		}
	}
	if count > maxQueryExpressions {
		return searchQuery{}, invalidQuery("Expression", "The search query is too complex; it can have at most 9 expressions.")
	}
	p := &queryParser{tokens: tokens}
	q := searchQuery{root: p.alternatives()}
	if !ok || p.failed || len(p.tokens) > 0 {
		q = searchQuery{root: &expression{}, substituted: true}
		for _, word := range strings.FieldsFunc(text, func(c rune) bool { return !isWordRune(c) }) {
			q.root.all = append(q.root.all, &expression{phrase: newPhrase(word)})
		}
		if len(q.root.all) > maxQueryExpressions {
			return searchQuery{}, invalidQuery("Expression", "The search query is too complex; it can have at most 9 expressions.")
		}
	}
	if len(q.root.phrases(nil)) == 0 {
		return searchQuery{}, invalidQuery("Term", "The search query needs at least one search term.")
	}
	return q, nil
}

// invalidQuery refuses a query. The class of an offset that is too far is known
// from a client; that there are others of its kind, and all sentences, are
// belief.
func invalidQuery(what, message string) *failure {
	return &failure{status: http.StatusBadRequest, message: message,
		exception: bitbucketPackage + "search.QueryInvalidSearch" + what + "Exception"}
}

// token is a piece of a query: an operator, or a term.
type token struct {
	operator string // AND, OR, NOT, ( or )
	text     string
	modifier string // the name before the text, if it is a modifier's
}

var queryToken = regexp.MustCompile(`^\s*(?:(\(|\)|-)|(?:([A-Za-z]+):)?"([^"]*)"|([^\s()"]+))`)

// readTokens cuts a query into its tokens; ok is false when a quote does not end.
func readTokens(text string) (tokens []token, ok bool) {
	for strings.TrimSpace(text) != "" {
		m := queryToken.FindStringSubmatchIndex(text)
		if m == nil {
			return tokens, false
		}
		group := func(i int) (string, bool) {
			if m[2*i] < 0 {
				return "", false
			}
			return text[m[2*i]:m[2*i+1]], true
		}
		if quoted, ok := group(3); ok {
			name, _ := group(2)
			tokens = append(tokens, newTerm(name, quoted))
		} else if operator, ok := group(1); ok {
			if operator == "-" {
				operator = "NOT"
			}
			tokens = append(tokens, token{operator: operator})
		} else {
			word, _ := group(4)
			name, value, named := strings.Cut(word, ":")
			switch {
			case word == "AND" || word == "OR" || word == "NOT":
				tokens = append(tokens, token{operator: word})
			case named && value != "":
				tokens = append(tokens, newTerm(name, value))
			default:
				tokens = append(tokens, token{text: word})
			}
		}
		text = text[m[1]:]
	}
	return tokens, true
}

// newTerm is a modifier, or what only looks like one.
func newTerm(name, text string) token {
	if slices.Contains(modifiers, strings.ToLower(name)) {
		return token{modifier: strings.ToLower(name), text: text}
	}
	if name != "" {
		text = name + " " + text
	}
	return token{text: text}
}

// queryParser reads expressions from tokens. One without any word is nil.
type queryParser struct {
	tokens []token
	failed bool
}

func (p *queryParser) next(operators ...string) bool {
	if len(p.tokens) > 0 && slices.Contains(operators, p.tokens[0].operator) {
		p.tokens = p.tokens[1:]
		return true
	}
	return false
}

func (p *queryParser) alternatives() *expression {
	e := &expression{any: []*expression{p.conjunction()}}
	for p.next("OR") {
		e.any = append(e.any, p.conjunction())
	}
	return e.simplified()
}

func (p *queryParser) conjunction() *expression {
	e := &expression{all: []*expression{p.operand()}}
	for len(p.tokens) > 0 && p.tokens[0].operator != "OR" && p.tokens[0].operator != ")" {
		p.next("AND")
		e.all = append(e.all, p.operand())
	}
	return e.simplified()
}

func (p *queryParser) operand() *expression {
	switch {
	case p.next("NOT"):
		if e := p.operand(); e != nil {
			return &expression{not: e}
		}
		return nil
	case p.next("("):
		e := p.alternatives()
		p.failed = p.failed || !p.next(")")
		return e
	case len(p.tokens) == 0 || p.tokens[0].operator != "":
		p.failed = true
		return nil
	}
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	if t.modifier != "" {
		return &expression{modifier: &modifier{t.modifier, t.text}}
	}
	if ph := newPhrase(t.text); len(ph.words) > 0 {
		return &expression{phrase: ph}
	}
	return nil
}

// simplified leaves out parts without words.
func (e *expression) simplified() *expression {
	isNil := func(e *expression) bool { return e == nil }
	e.all, e.any = slices.DeleteFunc(e.all, isNil), slices.DeleteFunc(e.any, isNil)
	switch parts := slices.Concat(e.all, e.any); len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return e
}

// phrases appends what is looked for and not what must not be there.
func (e *expression) phrases(to []*phrase) []*phrase {
	if e == nil {
		return to
	}
	if e.phrase != nil {
		to = append(to, e.phrase)
	}
	for _, part := range slices.Concat(e.all, e.any) {
		to = part.phrases(to)
	}
	return to
}

// names says whether a modifier of that name is anywhere in the expression.
func (e *expression) names(modifier string) bool {
	if e == nil {
		return false
	}
	return e.modifier != nil && e.modifier.name == modifier || e.not.names(modifier) ||
		slices.ContainsFunc(slices.Concat(e.all, e.any), func(part *expression) bool { return part.names(modifier) })
}

// holds evaluates the expression.
func (e *expression) holds(has func(*phrase) bool, keeps func(*modifier) bool) bool {
	holds := func(part *expression) bool { return part.holds(has, keeps) }
	switch {
	case e.phrase != nil:
		return has(e.phrase)
	case e.modifier != nil:
		return keeps(e.modifier)
	case e.not != nil:
		return !holds(e.not)
	case e.any != nil:
		return slices.ContainsFunc(e.any, holds)
	}
	return !slices.ContainsFunc(e.all, func(part *expression) bool { return !holds(part) })
}

func isWordRune(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// newPhrase reads the words of a text.
func newPhrase(text string) *phrase {
	p := &phrase{raw: text}
	end := 0
	for _, s := range wordsOf(text) {
		p.words = append(p.words, text[s.start:s.end])
		p.dotted = append(p.dotted, len(p.words) > 1 && text[end:s.start] == ".")
		end = s.end
	}
	return p
}

// span is where something is in a text.
type span struct{ start, end int }

// wordsOf are the words of a text: letters, digits and underscores in a row.
func wordsOf(text string) []span {
	var words []span
	start := -1
	for i, c := range text {
		switch {
		case isWordRune(c):
			if start < 0 {
				start = i
			}
		case start >= 0:
			words = append(words, span{start, i})
			start = -1
		}
	}
	if start >= 0 {
		words = append(words, span{start, len(text)})
	}
	return words
}

// in finds the phrase in a text whose words are given, and returns where its
// words are. Letter case does not count.
func (p *phrase) in(text string, words []span) []span {
	var found []span
	for i := 0; i+len(p.words) <= len(words); i++ {
		if p.at(text, words[i:]) {
			found = append(found, words[i:i+len(p.words)]...)
		}
	}
	return found
}

func (p *phrase) at(text string, words []span) bool {
	for k, word := range p.words {
		w := words[k]
		if !strings.EqualFold(text[w.start:w.end], word) || p.dotted[k] && text[words[k-1].end:w.start] != "." {
			return false
		}
	}
	return true
}
