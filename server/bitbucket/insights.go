package bitbucket

import (
	"context"
	"encoding/json"
	"net/url"
)

// Report is a Code Insights report (bitbucket-rest.md 17).
type Report struct {
	Key         string
	Title       string
	Details     string
	Reporter    string
	Result      string // PASS, FAIL, or "" when the report gives none
	Link        string
	CreatedDate int64 // Unix milliseconds
	Data        []ReportDatum
}

// ReportDatum is one row of a report. Value is what Type says: BOOLEAN, DATE
// (Unix milliseconds), DURATION (milliseconds), LINK (an object), NUMBER,
// PERCENTAGE or TEXT.
type ReportDatum struct {
	Title string
	Type  string
	Value json.RawMessage
}

// Annotation is one finding of a report. Line 0 is the whole file, Path "" the
// whole report.
type Annotation struct {
	ReportKey  string
	ExternalID string `json:"externalId"`
	Path       string
	Line       int
	Message    string
	Severity   string // LOW, MEDIUM, HIGH
	Type       string // VULNERABILITY, CODE_SMELL, BUG, or "" when it gives none
	Link       string
}

func insights(project, repo, commit string, query url.Values, what string) request {
	return get("insights/latest", query, place(project, repo, "commits", commit, what)...)
}

// ListReports reads the Code Insights reports of a commit.
func (c *Client) ListReports(ctx context.Context, project, repo, commit string, limit int) (Listing[Report], error) {
	return readList[Report](ctx, c, insights(project, repo, commit, nil, "reports"), 0, limit)
}

// AnnotationFilter narrows annotations; an empty field does not.
type AnnotationFilter struct {
	Report   string // its key
	Severity string
	Path     string
}

// Annotations reads the annotations of all reports of a commit, which come
// unpaged, and Bitbucket's count of them.
func (c *Client) Annotations(ctx context.Context, project, repo, commit string, f AnnotationFilter) (list []Annotation, total int, err error) {
	q := url.Values{}
	for name, value := range map[string]string{"key": f.Report, "severity": f.Severity, "path": f.Path} {
		if value != "" {
			q.Set(name, value)
		}
	}
	var answer struct {
		TotalCount  int
		Annotations []Annotation
	}
	err = c.do(ctx, insights(project, repo, commit, q, "annotations"), &answer)
	return answer.Annotations, answer.TotalCount, err
}
