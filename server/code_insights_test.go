package server_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bb-mcp/bb/server"
)

// Reports and annotations, the worst first, in both forms.
func TestCodeInsightsTellTheWorstFirst(t *testing.T) {
	p := newWorld(t, "bo").connect(t, "modern", uiCapability)
	for _, arguments := range []string{`"id":1`, `"commit":"fe2c3a5e02b"`, `"commit":"feature/prune"`} {
		r, _ := sized(t, p, "list_code_insights", `{"project":"ORCH","repo":"catalogue",`+arguments+`}`)
		a := decode[server.CodeInsightsAnswer](t, r.StructuredContent)
		if len(a.Reports) != 2 || a.Reports[0].Result != "FAIL" || a.Reports[1].Result != "PASS" || total(a.Count) != 3 || a.LimitReached {
			t.Errorf("%s: %s", arguments, r.StructuredContent)
		}
		if diff := cmp.Diff([]string{"Changed lines tested: 61 %", "All lines tested: 83 %"}, a.Reports[0].Data); diff != "" {
			t.Errorf("data (-want +got):\n%s", diff)
		}
		var got []string
		for _, x := range a.Annotations {
			got = append(got, fmt.Sprintf("%s %s %s:%d", x.Severity, x.Type, x.Path, x.Line))
		}
		if diff := cmp.Diff([]string{"HIGH BUG catalogue/prune.go:42", "MEDIUM CODE_SMELL catalogue/prune.go:49", "LOW  catalogue/prune.go:0"}, got); diff != "" {
			t.Errorf("annotations (-want +got):\n%s", diff)
		}
		for _, word := range []string{"2 reports, 1 failed", `"Coverage"`, "61 %", `high bug on "catalogue/prune.go" line 42`, `low on "catalogue/prune.go" (`, "https://ci.example.com/job/catalogue-unit/1841/coverage", "asks for 70 %"} {
			if !strings.Contains(r.text(), word) {
				t.Errorf("the text lacks %s:\n%s", word, r.text())
			}
		}
	}
	for _, id := range []int{4, 5, 8, 9, 11, 12} {
		sized(t, p, "list_code_insights", fmt.Sprintf(`{"project":"ORCH","repo":"catalogue","id":%d}`, id))
	}
}

// Every argument reaches the wire and changes the answer.
func TestCodeInsightsAreNarrowed(t *testing.T) {
	p, l := listen(t, "amara", nil)
	for arguments, want := range map[string]struct {
		wire        string
		reports, of int
	}{
		`"severity":"HIGH"`:                   {"severity=HIGH", 2, 1},
		`"path":"catalogue/prune.go"`:         {"path=" + url.QueryEscape("catalogue/prune.go"), 2, 3},
		`"path":"catalogue/none.go"`:          {"path=" + url.QueryEscape("catalogue/none.go"), 2, 0},
		`"report":"com.example.dependencies"`: {"key=com.example.dependencies", 1, 0},
		`"report":"com.example.coverage"`:     {"key=com.example.coverage", 1, 3},
	} {
		r := p.tool("list_code_insights", `{"project":"ORCH","repo":"catalogue","id":1,`+arguments+`}`)
		a := decode[server.CodeInsightsAnswer](t, r.StructuredContent)
		if len(a.Reports) != want.reports || len(a.Annotations) != want.of || total(a.Count) != want.of || len(l.of(want.wire)) != 1 {
			t.Errorf("%s: %d reports, %d annotations of %d; asked %q", arguments, len(a.Reports), len(a.Annotations), total(a.Count), l.asked)
		}
	}
	part := decode[server.CodeInsightsAnswer](t, p.tool("list_code_insights", `{"project":"ORCH","repo":"catalogue","id":1,"limit":1,"start":1}`).StructuredContent)
	if len(part.Reports) != 0 || len(part.Annotations) != 1 || part.Annotations[0].Severity != "MEDIUM" || part.NextStart != 2 || total(part.Count) != 3 {
		t.Errorf("a part: %+v", part)
	}
	r := p.tool("list_code_insights", `{"project":"ORCH","repo":"catalogue","id":1,"report":"none"}`)
	if !r.IsError || !strings.Contains(r.text(), `its reports are "com.example.coverage", "com.example.dependencies"`) {
		t.Errorf("no such report: %s", r.text())
	}
}

// What a server does not filter is filtered here, and totals stay true.
func TestCodeInsightsOfServersThatDiffer(t *testing.T) {
	annotation := func(report, path, severity string) string {
		return fmt.Sprintf(`{"reportKey":%q,"line":0,"message":"m","path":%q,"severity":%q}`, report, path, severity)
	}
	all := []string{annotation("a", "x", "LOW"), annotation("b", "y", "HIGH"), annotation("a", "y", "HIGH"), annotation("a", "", "BLOCKER")}
	reports := page(`{"key":"a","title":"A","data":[]}`, `{"key":"b","title":"B","result":"FAIL","data":[]}`)
	for name, c := range map[string]struct {
		total     int
		arguments string
		order     string
		count     int
		limit     bool
	}{
		"all":              {4, "", "b/HIGH a/HIGH a/LOW a/BLOCKER", 4, false},
		"unfiltered":       {4, `,"severity":"HIGH"`, "b/HIGH a/HIGH", 2, false},
		"more than sent":   {9, "", "b/HIGH a/HIGH a/LOW a/BLOCKER", 9, true},
		"more, unfiltered": {9, `,"path":"y"`, "b/HIGH a/HIGH", -1, true},
		"a total of none":  {0, "", "b/HIGH a/HIGH a/LOW a/BLOCKER", 4, false},
	} {
		p, _ := listen(t, "amara", answers(map[string]string{"/reports": reports, "/annotations": fmt.Sprintf(`{"totalCount":%d,"annotations":[%s]}`, c.total, strings.Join(all, ","))}))
		r := p.tool("list_code_insights", `{"project":"ORCH","repo":"catalogue","id":1`+c.arguments+`}`)
		a := decode[server.CodeInsightsAnswer](t, r.StructuredContent)
		var order []string
		for _, x := range a.Annotations {
			order = append(order, x.Report+"/"+x.Severity)
		}
		if got := strings.Join(order, " "); got != c.order || total(a.Count) != c.count || a.LimitReached != c.limit {
			t.Errorf("%s: %s, %d in all, limit reached %v\n%s", name, got, total(a.Count), a.LimitReached, r.text())
		}
		if c.limit != strings.Contains(r.text(), "more annotations than it sent") {
			t.Errorf("%s: %s", name, r.text())
		}
	}
}

// A part that cannot be read is named; without both there is an error that says
// what may be the reason.
func TestCodeInsightsMayBeMissing(t *testing.T) {
	for word, says := range map[string]string{"/reports": "Could not read the Code Insights reports", "/annotations": "Could not read the annotations"} {
		p, _ := listen(t, "amara", answers(map[string]string{word: "404"}))
		r := p.tool("list_code_insights", `{"project":"ORCH","repo":"catalogue","id":1}`)
		a := decode[server.CodeInsightsAnswer](t, r.StructuredContent)
		if r.IsError || len(a.Unavailable) != 1 || !strings.Contains(r.text(), says) || strings.Contains(r.text(), "no reports") || strings.Contains(r.text(), "No annotations") {
			t.Errorf("without %s: %+v\n%s", word, a.Unavailable, r.text())
		}
		if word == "/annotations" && (total(a.Count) != -1 || len(a.Reports) != 2) {
			t.Errorf("without annotations: %+v", a)
		}
	}
	p, _ := listen(t, "amara", answers(map[string]string{"/insights/": "404"}))
	r := p.tool("list_code_insights", `{"project":"ORCH","repo":"catalogue","id":1}`)
	if !r.IsError || !strings.Contains(r.text(), "this Bitbucket may have none") || !strings.Contains(r.text(), "404") {
		t.Errorf("without both: %s", r.text())
	}
}

// T6, T11: what strangers write is bounded, quoted, and said to be cut.
func TestCodeInsightsFitTheBound(t *testing.T) {
	long := strings.Repeat("<", 2000)
	rows := strings.Join(slices.Repeat([]string{`{"title":"t","type":"TEXT","value":"` + long + `"}`}, 12), ",")
	var reports, annotations []string
	for i := range 101 {
		reports = append(reports, fmt.Sprintf(`{"key":"r%d","title":"%s","details":"%s","result":"PASS","data":[%s]}`, i, long[:450], long, rows))
	}
	for i := range 1000 {
		annotations = append(annotations, fmt.Sprintf(`{"reportKey":"r0","line":%d,"message":"%s","path":"x","severity":"LOW"}`, i, long))
	}
	found := fmt.Sprintf(`{"totalCount":1000,"annotations":[%s]}`, strings.Join(annotations, ","))
	for name, c := range map[string]struct{ reports, annotations string }{
		"many reports":     {page(reports[:100]...), found},
		"many annotations": {page(reports[:1]...), found},
	} {
		p, _ := listen(t, "amara", answers(map[string]string{"/reports": c.reports, "/annotations": c.annotations}))
		r, size := sized(t, p, "list_code_insights", `{"project":"ORCH","repo":"catalogue","id":1,"limit":100}`)
		a := decode[server.CodeInsightsAnswer](t, r.StructuredContent)
		if size > 120_000 || !a.LimitReached || a.NextStart != len(a.Annotations) || total(a.Count) != 1000 || len(a.Reports) == 0 {
			t.Errorf("%s: %d units, %d reports, %d annotations, next %d", name, size, len(a.Reports), len(a.Annotations), a.NextStart)
		}
		if x := a.Reports[0]; x.Cut != 1000 || x.MoreData != 2 || !strings.Contains(r.text(), "(1000 characters left out)") || !strings.Contains(r.text(), "2 rows left out") {
			t.Errorf("%s: cut %d, %d more rows", name, x.Cut, x.MoreData)
		}
		if name == "many reports" && (len(a.Reports)+a.MoreReports != 100 || !strings.Contains(r.text(), "Not all reports are listed") || !strings.Contains(r.text(), "report names one")) {
			t.Errorf("%s: %d and %d more", name, len(a.Reports), a.MoreReports)
		}
		if name == "many annotations" && (len(a.Annotations) == 0 || a.Annotations[0].Cut != 1400) {
			t.Errorf("%s: %d annotations", name, len(a.Annotations))
		}
	}
	p, _ := listen(t, "amara", answers(map[string]string{"/reports": more(slices.Repeat([]string{`{"key":"r","title":"t","data":[]}`}, 100)...)}))
	if r := p.tool("list_code_insights", `{"project":"ORCH","repo":"catalogue","id":1}`); !strings.Contains(r.text(), "the first 100 reports") || !strings.Contains(r.text(), "Not all reports are listed") {
		t.Errorf("more reports than are read: %s", r.text())
	}
	p = newWorld(t, "amara").connect(t, "modern", uiCapability)
	text := p.tool("list_code_insights", `{"project":"ORCH","repo":"catalogue","id":6}`).text()
	if strings.ContainsAny(text, "\u202e\u200b\u200d\x1b\u2028") || strings.Count(text, "\n- ") != 4 {
		t.Errorf("hidden characters or broken lines:\n%q", text)
	}
}
