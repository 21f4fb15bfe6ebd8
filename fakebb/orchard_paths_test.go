package fakebb_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// The awkward files, names and refs of orchard (architecture.md 7).

const (
	ninth        = catalogue + "/pull-requests/9"
	awkwardPaths = rest + "/projects/ORCH/repos/paths"
)

// plainText reads what is no JSON, as amara.
func plainText(t *testing.T, s *fakebb.Server, path string) string {
	t.Helper()
	r := ask(t, s, "GET", path, func(r *http.Request) {
		r.Header.Set("Authorization", "Bearer "+fakebb.Token("amara"))
		r.Header.Set("Accept", "text/plain")
	})
	if r.status != http.StatusOK {
		t.Fatalf("GET %s: %d %s", path, r.status, r.body)
	}
	return r.body
}

// H1
func TestNumberNineChangesFilesInEveryWay(t *testing.T) {
	type path struct {
		Whole string `json:"toString"`
	}
	type change struct {
		Path             path
		SrcPath          *path
		Type, NodeType   string
		PercentUnchanged int
		Executable       bool
		SrcExecutable    *bool
	}
	got := map[string]string{}
	for _, c := range values[change](t, get(t, fakebb.New(fakebb.Options{}), "amara", ninth+"/changes?limit=1000")) {
		kind := c.Type
		if c.SrcPath != nil {
			kind += " of " + c.SrcPath.Whole
		}
		if c.PercentUnchanged == 100 {
			kind += ", all of it"
		}
		if c.NodeType != "FILE" {
			kind += " " + c.NodeType
		}
		if c.SrcExecutable != nil && c.Executable != *c.SrcExecutable && c.Type != "DELETE" {
			kind += " executable"
		}
		got[c.Path.Whole] = kind
	}
	want := map[string]string{
		"shelf/yearbook.md":             "MOVE of shelf/almanac.md, all of it",
		"shelf/grafting-and-budding.md": "MOVE of shelf/grafting.md",
		"docs/soil.md":                  "MOVE of shelf/soil.md, all of it",
		"docs/frost/nights.md":          "MOVE of shelf/frost.md",
		"shelf/rows 100% of #1?.md":     "MOVE of shelf/rows & places #1.md",
		"docs/labels.csv":               "COPY of shelf/labels.csv, all of it",
		"shelf/labels-2027.csv":         "COPY of shelf/labels.csv",
		"shelf/labels.csv":              "MODIFY",
		"shelf/print-labels.sh":         "MODIFY executable",
		"shelf/pear.png":                "MODIFY",
		"shelf/quince.png":              "ADD",
		"shelf/plum.png":                "DELETE",
		"shelf/.keep":                   "ADD",
		"shelf/wishes.txt":              "MODIFY",
		"shelf/first.txt":               "MODIFY",
		"shelf/last.txt":                "MODIFY",
		"shelf/windows.txt":             "MODIFY",
		"shelf/line-ends.txt":           "MODIFY",
		"shelf/harvest.json":            "MODIFY",
		"shelf/sorten.txt":              "MODIFY",
		"shelf/newest.md":               "MODIFY", // a file that becomes a link
		"shelf/current":                 "MODIFY", // a link
		"shelf/plans":                   "ADD",    // a link
		"shelf/pomology":                "MODIFY SUBMODULE",
		"shelf/seed-library":            "ADD SUBMODULE",

		"shelf/notes of the lower rows.md":  "ADD",
		"shelf/the \"good\" trees, Bo's.md": "ADD",
		"shelf/row #7.md":                   "ADD",
		"shelf/100%.md":                     "ADD",
		"shelf/100%25 %2F.md":               "ADD",
		"shelf/ripe?.md":                    "ADD",
		"shelf/a+b&c=d;e.md":                "ADD",
		"shelf/\u00c4pfel.md":               "ADD", // composed
		"shelf/A\u0308pfel.md":              "ADD", // decomposed
		"shelf/\u68a8 \U0001F350.md":        "ADD",
		"shelf/-rf.md":                      "ADD",
		"shelf/[1] {2} *.md":                "ADD",
		"shelf/back\\slash.md":              "ADD",
		"shelf/tab\there.md":                "ADD",
		"shelf/two\nlines.md":               "ADD",
		"shelf/ends with a space ":          "ADD",
		"shelf/.hidden/...md":               "ADD",
		"shelf/orchards/upper/lake side/row 12/place 4/branch 3/fork/twig/bud.md": "ADD",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}

	// What links are, only the text of the diff tells.
	text := plainText(t, fakebb.New(fakebb.Options{}), ninth+".diff")
	for part, want := range map[string]int{
		"old mode 100644\nnew mode 100755\n": 1,
		"new file mode 120000\n":             2, // one of them was a file
		"new file mode 160000\n":             1,
		"Binary files ":                      3,
		"\\ No newline at end of file\n":     8, // links have none either
	} {
		if n := strings.Count(text, part); n != want {
			t.Errorf("%d times %q in %s.diff, want %d", n, part, ninth, want)
		}
	}
}

// H1
func TestNumberNineHasContentsOfEveryKind(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	raw := func(path, at string) []byte {
		r := get(t, s, "amara", catalogue+"/raw/"+path+"?at="+url.QueryEscape(at))
		if r.status != 200 {
			t.Errorf("%s at %s: %d %s", path, at, r.status, r.body)
		}
		return []byte(r.body)
	}
	endsInNewline := func(b []byte) bool { return bytes.HasSuffix(b, []byte("\n")) }
	crlf := func(b []byte) bool { return bytes.Count(b, []byte("\r\n")) == bytes.Count(b, []byte("\n")) }
	picture := func(b []byte) bool { return bytes.HasPrefix(b, []byte("\x89PNG")) }
	for path, holds := range map[string]func(before, after []byte) bool{
		"shelf/first.txt":   func(b, a []byte) bool { return endsInNewline(b) && !endsInNewline(a) },
		"shelf/last.txt":    func(b, a []byte) bool { return !endsInNewline(b) && endsInNewline(a) },
		"shelf/windows.txt": func(b, a []byte) bool { return crlf(b) && crlf(a) },
		"shelf/line-ends.txt": func(b, a []byte) bool {
			return !crlf(b) && crlf(a) && bytes.Equal(b, bytes.ReplaceAll(a, []byte("\r"), nil))
		},
		"shelf/harvest.json": func(b, a []byte) bool { return len(a) > 5000 && !bytes.Contains(a, []byte("\n")) },
		"shelf/sorten.txt":   func(b, a []byte) bool { return !utf8.Valid(b) && bytes.Contains(a, []byte("Gr\xe4fin")) },
		"shelf/wishes.txt":   func(b, a []byte) bool { return len(b) > 0 && len(a) == 0 },
		"shelf/pear.png":     func(b, a []byte) bool { return picture(b) && picture(a) },
		"shelf/newest.md":    func(b, a []byte) bool { return endsInNewline(b) && string(a) == "../books/2025/rows-01-08.csv" },
		"shelf/current":      func(b, a []byte) bool { return string(b) == "../books/2024" && string(a) == "../books/2025" },
	} {
		before, after := raw(path, "refs/heads/main"), raw(path, "refs/heads/chore/sort-the-shelf")
		if !holds(before, after) {
			t.Errorf("%s is not what it is for: %.60q became %.60q", path, before, after)
		}
	}
	if empty := raw("shelf/.keep", "refs/heads/chore/sort-the-shelf"); len(empty) != 0 {
		t.Errorf("shelf/.keep is not empty: %q", empty)
	}
}

// H1
func TestNumberNineIsCommentedOnInEveryKindOfPlace(t *testing.T) {
	var got []string
	for _, item := range allPages[orchardItem](t, fakebb.New(fakebb.Options{}), "amara", ninth+"/activities") {
		a := item.CommentAnchor
		if a == nil {
			continue
		}
		place := a.Path
		if a.SrcPath != "" && a.SrcPath != a.Path {
			place += " from " + a.SrcPath
		}
		if a.MultilineMarker != nil {
			place += fmt.Sprintf(" %d to", a.MultilineMarker.StartLine)
		}
		if a.Line > 0 {
			place += fmt.Sprintf(" %d %s %s", a.Line, a.LineType, a.FileType)
		}
		if a.DiffType != "EFFECTIVE" {
			place += " " + a.DiffType
		}
		if a.Orphaned {
			place += " outdated"
		}
		got = append(got, place)
	}
	slices.Sort(got)
	want := []string{
		"docs/frost/nights.md from shelf/frost.md 6 to 8 CONTEXT TO",
		"docs/soil.md from shelf/soil.md",
		"shelf/grafting-and-budding.md from shelf/grafting.md 7 ADDED TO",
		"shelf/grafting-and-budding.md from shelf/grafting.md 7 REMOVED FROM",
		"shelf/harvest.json 1 ADDED TO",
		"shelf/pear.png",
		"shelf/rows 100% of #1?.md from shelf/rows & places #1.md 5 ADDED TO",
		"shelf/two\nlines.md 1 ADDED TO",
		"shelf/windows.txt 3 ADDED TO COMMIT",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

// H1
func TestPathsHasFilesOfEveryAwkwardName(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	paths := allPages[string](t, s, "amara", awkwardPaths+"/files?limit=20")
	all := "\x00" + strings.Join(paths, "\x00") + "\x00"
	for kind, part := range map[string]string{
		"space": " ", "space at an end": " \x00", "double quote": `"`, "single quote": "'", "back tick": "`", "#": "#", "?": "?",
		"%": "%.", "%2F": "%2F", "+": "+", "&": "&", ";": ";", "@": "@", "backslash": `\`, "tab": "\t", "line break": "\n",
		"escape": "\x1b", "override": "\u202e", "composed": "\u00c5", "decomposed": "A\u030a", "emoji": "\U0001F350",
		"right to left": "\u05d0", "leading dash": "\x00-", "tilde": "\x00~/", "brackets": "[a-z]", "braces": "{x}", "markup": "<b>",
		"pathspec": ":(top)", "dot at the end": "t.\x00", "dots alone": "/...\x00", "capitals": "case/README.md", "small letters": "case/Readme.md",
		"routes": "browse/raw/diff", "a ref": "\x00refs/heads/main", "deep": "18/19/20/", "empty": "kinds/empty",
	} {
		if !strings.Contains(all, part) {
			t.Errorf("no path with %s: %q", kind, part)
		}
	}
	if longest := slices.MaxFunc(paths, func(a, b string) int { return len(a) - len(b) }); len(longest) < 200 {
		t.Errorf("the longest path has %d bytes", len(longest))
	}
	var kinds struct {
		Children struct {
			Values []struct {
				Path struct{ Name string }
				Type string
				Size *int
			}
		}
	}
	get(t, s, "amara", awkwardPaths+"/browse/kinds").into(t, &kinds)
	got := map[string]string{}
	for _, k := range kinds.Children.Values {
		got[k.Path.Name] = k.Type
	}
	want := map[string]string{"empty": "FILE", "link": "FILE", "nowhere": "FILE", "module": "SUBMODULE", "run.sh": "FILE"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	patch := plainText(t, s, awkwardPaths+"/patch?until="+fakebb.Orchard().Commit("ORCH/paths", "hard"))
	for kind, want := range map[string]int{"100755": 1, "120000": 2, "160000": 1} {
		if n := strings.Count(patch, "\nnew file mode "+kind+"\n"); n != want {
			t.Errorf("%d files of mode %s, want %d", n, kind, want)
		}
	}
}

// orchardBranch and orchardTag are what these tests read of refs.
type orchardBranch struct {
	DisplayID, LatestCommit string
	IsDefault               bool
}

type orchardTag struct{ DisplayID, LatestCommit, Hash string }

// H1
func TestPathsHasRefsOfEveryAwkwardName(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	var names []string
	tip, longest := "", 0
	for _, b := range allPages[orchardBranch](t, s, "amara", awkwardPaths+"/branches?limit=5") {
		names = append(names, b.DisplayID)
		longest = max(longest, len(b.DisplayID))
		if b.IsDefault {
			tip = b.LatestCommit
		}
	}
	for _, part := range []string{"feature/x", "Feature/X", "#", "%", "%2F", "+", "&", "\"", "<b>", "{", "\u00e4", "a\u0308", "\u68a8", "deadbeef"} {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, part) }) {
			t.Errorf("no branch with %q", part)
		}
	}
	if longest < 200 {
		t.Errorf("the longest branch has %d bytes", longest)
	}
	tags := map[string]orchardTag{}
	for _, tag := range allPages[orchardTag](t, s, "amara", awkwardPaths+"/tags?limit=3") {
		tags[tag.DisplayID] = tag
	}
	if tag := tags["release/2026/11"]; tag.Hash == "" {
		t.Errorf("no annotated tag with slashes: %+v", tag)
	}
	if tag := tags["v1.0"]; tag.LatestCommit == "" || tag.Hash != "" || tag.LatestCommit == tip || !slices.Contains(names, "v1.0") {
		t.Errorf("no lightweight tag on an older commit that a branch has the name of: %+v", tag)
	}
	if all := allPages[orchardPull](t, s, "amara", awkwardPaths+"/pull-requests?state=ALL"); len(all) != 0 {
		t.Error("paths has pull requests; an empty list is shown with it")
	}
}

// H1
func TestOrchardHasTagsAndAnEmptyRepository(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	annotated := map[string]bool{}
	for _, tag := range allPages[orchardTag](t, s, "amara", catalogue+"/tags") {
		annotated[tag.DisplayID] = tag.Hash != ""
	}
	want := map[string]bool{"v1.0": false, "v1.1": true, "hostile/</script><svg/onload=alert(2)>-\u200b{{7+7}}": true}
	if diff := cmp.Diff(want, annotated); diff != "" {
		t.Errorf("annotated tags (-want +got):\n%s", diff)
	}
	if all := allPages[orchardBranch](t, s, "amara", rest+"/projects/NURS/repos/greenhouse/branches"); len(all) != 0 {
		t.Errorf("NURS/greenhouse has branches: %+v", all)
	}
}

// The scenario must not have what no Bitbucket could: git is asked itself.
func TestRefsOfOrchardAreNamesThatGitTakes(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	s := fakebb.New(fakebb.Options{})
	for _, repository := range []string{catalogue, awkwardPaths, rest + "/projects/~zoe/repos/catalogue"} {
		var refs []string
		for _, b := range allPages[orchardBranch](t, s, "amara", repository+"/branches") {
			refs = append(refs, "refs/heads/"+b.DisplayID)
		}
		for _, tag := range allPages[orchardTag](t, s, "amara", repository+"/tags") {
			refs = append(refs, "refs/tags/"+tag.DisplayID)
		}
		for _, ref := range refs {
			if err := exec.CommandContext(t.Context(), "git", "check-ref-format", ref).Run(); err != nil {
				t.Errorf("%s: git refuses %q", repository, ref)
			}
		}
	}
}
