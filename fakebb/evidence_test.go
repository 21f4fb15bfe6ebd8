package fakebb

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/golden"
)

func TestMain(m *testing.M) { golden.Main(m, "fakebb") }

// The kinds of evidence, by the marks of bitbucket-rest.md 0.
var evidenceKinds = []struct{ kind, marks string }{
	{"recording", "PSF"},
	{"probe", "L"},
	{"document", "OJD"},
	{"client", "AU"},
	{"belief", "I"},
}

var evidenceMark = regexp.MustCompile(`\[([A-Z])(?: [^\]]*)?\]`)

// kindsOf are the kinds of evidence that a text names.
func kindsOf(evidence string) []string {
	var kinds []string
	for _, k := range evidenceKinds {
		named := k.kind == "belief" && strings.Contains(evidence, "belief")
		for _, m := range evidenceMark.FindAllStringSubmatch(evidence, -1) {
			named = named || strings.Contains(k.marks, m[1])
		}
		if named && !slices.Contains(kinds, k.kind) {
			kinds = append(kinds, k.kind)
		}
	}
	return kinds
}

// H1: every route and every behaviour of the fake names its evidence, and one
// table lists them.
func TestEveryRouteAndBehaviourNamesItsEvidence(t *testing.T) {
	var b strings.Builder
	b.WriteString("# What the fake does, and why we believe that Bitbucket does so\n\n" +
		"A recording is an answer of a real server, a probe the test of somebody against one, a document Atlassian's,\n" +
		"a client what another program asks and reads; belief is a default to be changed cheaply.\n\n" +
		"The evidence names sections of a description of the REST API (bitbucket-rest.md, bitbucket-probed.md, bug-log.md) and\n" +
		"recorded answers (*.json), which are not part of this repository. Its marks: [P] [S] [F] recordings, [L] tests of others\n" +
		"against a server, [O] Atlassian's OpenAPI document, [J] its Java API, [D] its other documents, [A] its own mocks,\n" +
		"[U] other clients, [I] inferred.\n\n")
	row := func(what, evidence string) {
		kinds := kindsOf(evidence)
		if len(kinds) == 0 {
			t.Errorf("%s has the evidence %q, which is of no kind", what, evidence)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", strings.ReplaceAll(what, "|", "\\|"), strings.Join(kinds, ", "), evidence)
	}
	b.WriteString("## Behaviours\n\n| behaviour | kinds | evidence |\n|---|---|---|\n")
	seen := map[string]bool{}
	for _, c := range behaviours {
		if seen[c.what] {
			t.Errorf("%q is there twice", c.what)
		}
		seen[c.what] = true
		row(c.what, c.evidence)
	}
	b.WriteString("\n## Routes\n\n| route | kinds | evidence |\n|---|---|---|\n")
	for _, r := range slices.SortedFunc(slices.Values(routes), func(a, b route) int {
		return strings.Compare(a.path+a.method, b.path+b.method)
	}) {
		row("`"+r.method+" "+r.path+"`", r.evidence)
	}
	golden.Compare(t, "fakebb", "evidence.md", []byte(b.String()))
}
