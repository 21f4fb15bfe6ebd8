package fakebb

import (
	"slices"
	"strings"
)

const (
	insightsOfCommit = "/rest/insights/{version}" + inRepository + "/commits/{commitId}"
	reports          = insightsOfCommit + "/reports"
)

// insightRoutes are Code Insights: reports and annotations of commits.
var insightRoutes = []route{
	{method: "GET", path: reports, answer: listReports,
		evidence: "bitbucket-rest.md 17 [O][F], insight-report.json"},
	{method: "GET", path: reports + "/{reportKey}", answer: getReport,
		evidence: "bitbucket-rest.md 17 [O][F], insight-report.json, error-404-insight-report.json"},
	{method: "GET", path: reports + "/{reportKey}/annotations", answer: listReportAnnotations,
		evidence: "bitbucket-rest.md 17 [O][F], insight-annotations.json"},
	{method: "GET", path: insightsOfCommit + "/annotations", answer: listAnnotations,
		evidence: "bitbucket-rest.md 17 [O]"},
}

// report is a Code Insights report of a commit.
type report struct {
	key, title, reporter, details, link, result string
	created                                     int64
	data                                        []reportDatumJSON
	annotations                                 []annotationJSON
}

// reportJSON is a report, in the key order of a recording (insight-report.json).
type reportJSON struct {
	Data        []reportDatumJSON `json:"data"`
	CreatedDate int64             `json:"createdDate"`
	Details     string            `json:"details,omitempty"`
	Key         string            `json:"key"`
	Link        string            `json:"link,omitempty"`
	Result      string            `json:"result,omitempty"`
	Title       string            `json:"title"`
	Reporter    string            `json:"reporter,omitempty"`
}

type reportDatumJSON struct {
	Title string `json:"title"`
	Value any    `json:"value"`
	Type  string `json:"type"`
}

// annotationJSON is a finding on a line; line 0 is the whole file.
type annotationJSON struct {
	ReportKey  string `json:"reportKey"`
	ExternalID string `json:"externalId,omitempty"`
	Line       int    `json:"line"`
	Link       string `json:"link,omitempty"`
	Message    string `json:"message"`
	Path       string `json:"path"`
	Severity   string `json:"severity"`
	Type       string `json:"type,omitempty"`
}

// annotationsJSON are all annotations of a report; they are not paged.
type annotationsJSON struct {
	TotalCount  int              `json:"totalCount"`
	Annotations []annotationJSON `json:"annotations"`
}

func listReports(x *exchange) (any, error) {
	r, c, err := x.findCommit()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	return pageOf(w, r.reports[c], everything, drawReport), nil
}

func drawReport(r *report) reportJSON {
	return reportJSON{
		Data: append([]reportDatumJSON{}, r.data...), CreatedDate: r.created, Details: r.details, Key: r.key,
		Link: r.link, Result: r.result, Title: r.title, Reporter: r.reporter,
	}
}

// findReport finds the report of the path.
func (x *exchange) findReport() (*report, error) {
	r, c, err := x.findCommit()
	if err != nil {
		return nil, err
	}
	key := x.vars["reportKey"]
	for _, report := range r.reports[c] {
		if report.key == key {
			return report, nil
		}
	}
	return nil, noSuchReport(key)
}

func getReport(x *exchange) (any, error) {
	r, err := x.findReport()
	if err != nil {
		return nil, err
	}
	return drawReport(r), nil
}

func listReportAnnotations(x *exchange) (any, error) {
	r, err := x.findReport()
	if err != nil {
		return nil, err
	}
	return drawAnnotations(r.annotations), nil
}

// listAnnotations answers the annotations of every report of a commit, by key,
// externalId, path, severity and type where these are given.
func listAnnotations(x *exchange) (any, error) {
	r, c, err := x.findCommit()
	if err != nil {
		return nil, err
	}
	var found []annotationJSON
	for _, report := range r.reports[c] {
		found = append(found, report.annotations...)
	}
	for name, value := range map[string]func(annotationJSON) string{
		"key":        func(a annotationJSON) string { return a.ReportKey },
		"externalId": func(a annotationJSON) string { return a.ExternalID },
		"path":       func(a annotationJSON) string { return a.Path },
		"severity":   func(a annotationJSON) string { return a.Severity },
		"type":       func(a annotationJSON) string { return a.Type },
	} {
		wanted := x.query[name]
		if len(wanted) == 0 {
			continue
		}
		found = slices.DeleteFunc(found, func(a annotationJSON) bool {
			return !slices.ContainsFunc(wanted, func(w string) bool { return strings.EqualFold(w, value(a)) })
		})
	}
	return drawAnnotations(found), nil
}

func drawAnnotations(all []annotationJSON) annotationsJSON {
	return annotationsJSON{len(all), append([]annotationJSON{}, all...)}
}
