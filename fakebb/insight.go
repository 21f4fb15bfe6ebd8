package fakebb

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
	return pageOf(w, r.reports[c], everything, func(r *report) reportJSON {
		return reportJSON{
			Data: append([]reportDatumJSON{}, r.data...), CreatedDate: r.created, Details: r.details, Key: r.key,
			Link: r.link, Result: r.result, Title: r.title, Reporter: r.reporter,
		}
	}), nil
}

func listAnnotations(x *exchange) (any, error) {
	r, c, err := x.findCommit()
	if err != nil {
		return nil, err
	}
	key := x.vars["reportKey"]
	for _, report := range r.reports[c] {
		if report.key == key {
			return annotationsJSON{len(report.annotations), append([]annotationJSON{}, report.annotations...)}, nil
		}
	}
	return nil, noSuchReport(key)
}
