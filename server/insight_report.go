package server

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// Bounds of a report's rows. Those that are left out are counted; how many
// Bitbucket takes is not in its document.
const (
	maxReportRows  = 10
	maxReportValue = 300
)

func insightReport(r bitbucket.Report) InsightReport {
	x := InsightReport{Key: r.Key, Title: r.Title, Result: r.Result, Reporter: r.Reporter, Link: address(r.Link)}
	x.Details, x.Cut = cut(r.Details, maxReportDetails)
	if r.CreatedDate != 0 {
		x.Created = new(Time(r.CreatedDate))
	}
	x.MoreData = max(0, len(r.Data)-maxReportRows)
	for _, d := range r.Data[:min(len(r.Data), maxReportRows)] {
		title, _ := cut(d.Title, maxReportValue)
		value, left := cut(datum(d), maxReportValue)
		if left > 0 {
			value += "…"
		}
		x.Data = append(x.Data, title+": "+value)
	}
	return x
}

// datum is a row's value as people read it. A value that is not what its type
// says is given as it came.
func datum(d bitbucket.ReportDatum) string {
	read := func(v any) bool { return json.Unmarshal(d.Value, v) == nil }
	var number float64
	var text string
	var link struct{ LinkText, Href string }
	switch {
	case d.Type == "DATE" && read(&number):
		return Time(number).String()
	case d.Type == "DURATION" && read(&number):
		return time.Duration(number * float64(time.Millisecond)).String()
	case d.Type == "PERCENTAGE" && read(&number):
		return plainNumber(number) + " %"
	case d.Type == "LINK" && read(&link) && link.Href != "":
		if link.LinkText == "" {
			return link.Href
		}
		return link.LinkText + " (" + link.Href + ")"
	case read(&text):
		return text
	case read(&number):
		return plainNumber(number)
	}
	return string(d.Value)
}

// plainNumber writes a number without an exponent.
func plainNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// address is a link by a stranger, or "" for one too long to be one: a part of
// it would lead elsewhere.
func address(link string) string {
	if _, left := cut(link, maxBuildText); left > 0 {
		return ""
	}
	return link
}
