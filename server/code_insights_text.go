package server

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/bb-mcp/bb/server/quote"
)

// text is the answer as a report for a model.
func (a *CodeInsightsAnswer) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	of := fmt.Sprintf("commit %s of %s/%s", short(a.Commit), a.Project, a.Repo)
	if a.ID != 0 {
		of = fmt.Sprintf("pull request %s/%s #%d, commit %s", a.Project, a.Repo, a.ID, short(a.Commit))
	}
	if a.from == 0 && a.reported {
		line("Code Insights of %s: %s%s", of, a.reportCount(), colon(len(a.Reports)))
	} else {
		line("Code Insights of %s.", of)
	}
	for _, r := range a.Reports {
		line("- %s", r.words())
	}
	if a.MoreReports > 0 || a.unlisted {
		line("Not all reports are listed; the commit's page in Bitbucket has them.")
	}
	if a.annotated {
		line("%s%s", a.annotationCount(), colon(len(a.Annotations)))
	}
	for _, x := range a.Annotations {
		line("- %s", x.words())
	}
	for _, u := range a.Unavailable {
		line("Could not read %s: %s.", partWords[u.Part], quote.Line(u.Why))
	}
	switch {
	case a.NextStart > 0:
		b.WriteString(a.Page.more())
	case a.LimitReached && len(a.Annotations) == 0 && a.MoreReports > 0:
		line("The annotations are left out for want of room; report names one report whose annotations are listed.")
	case a.LimitReached:
		line("Bitbucket has more annotations than it sent; report, severity and path narrow them.")
	}
	return strings.TrimRight(b.String(), "\n")
}

func (a *CodeInsightsAnswer) reportCount() string {
	n := len(a.Reports) + a.MoreReports
	failed := 0
	for _, r := range a.Reports {
		if r.Result == "FAIL" {
			failed++
		}
	}
	switch words := plural(n, "report", "reports"); {
	case n == 0:
		return "no reports"
	case a.unlisted:
		return "the first " + words
	case failed > 0 && a.MoreReports == 0:
		return fmt.Sprintf("%s, %d failed", words, failed)
	default:
		return words
	}
}

func (a *CodeInsightsAnswer) annotationCount() string {
	if a.Count.is(0) {
		return "No annotations"
	}
	words := a.Page.of(len(a.Annotations), "annotation", "annotations")
	return strings.ToUpper(words[:1]) + words[1:]
}

func (r InsightReport) words() string {
	result := map[string]string{"FAIL": "failed", "PASS": "passed", "": "no result"}[r.Result]
	words := fmt.Sprintf("%s: %s, key %s", cmp.Or(result, quote.Word(r.Result)), quote.Line(r.Title), quote.Line(r.Key))
	if r.Reporter != "" {
		words += ", by " + quote.Line(r.Reporter)
	}
	if r.Created != nil {
		words += ", " + r.Created.String()
	}
	for _, d := range r.Data {
		words += "; " + quote.Line(d)
	}
	if r.MoreData > 0 {
		words += fmt.Sprintf("; %s left out", plural(r.MoreData, "row", "rows"))
	}
	if r.Link != "" {
		words += ", " + quote.Line(r.Link)
	}
	if r.Details != "" {
		words += ", says " + quote.Line(r.Details)
	}
	return words + cutWords(r.Cut)
}

func (x Annotation) words() string {
	words := cmp.Or(strings.ToLower(quote.Word(x.Severity)), "no severity")
	if x.Type != "" {
		words += " " + strings.ToLower(strings.ReplaceAll(quote.Word(x.Type), "_", " "))
	}
	switch {
	case x.Path == "":
		words += " on the whole commit"
	case x.Line == 0:
		words += " on " + quote.Name(x.Path)
	default:
		words += fmt.Sprintf(" on %s line %d", quote.Name(x.Path), x.Line)
	}
	words += fmt.Sprintf(" (%s): %s%s", quote.Line(x.Report), quote.Line(x.Message), cutWords(x.Cut))
	if x.Link != "" {
		words += ", " + quote.Line(x.Link)
	}
	return words
}

// cutWords says that a text was cut by n units, or "".
func cutWords(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s left out)", plural(n, "character", "characters"))
}
