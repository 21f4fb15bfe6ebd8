package fakebb

import (
	"html"
	"io"
)

// markupRoutes draw the texts that people write.
var markupRoutes = []route{
	{method: "POST", path: api + "/markup/preview", answer: previewMarkup,
		evidence: "bitbucket-rest.md 17 [P], its parameters [O]; their defaults are belief"},
}

type markupJSON struct {
	HTML string `json:"html"`
}

// previewMarkup draws the body, which is the text itself; one that is JSON is
// drawn as it is written.
func previewMarkup(x *exchange) (any, error) {
	text, err := io.ReadAll(io.LimitReader(x.request.Body, bodyLimit))
	if err != nil {
		return nil, malformedBody(err.Error())
	}
	return markupJSON{x.html(string(text))}, nil
}

// Markup says how a text is drawn as HTML.
type Markup struct {
	HardWrap   bool // line breaks are kept
	HeadingIDs bool // headings have ids
	EscapeHTML bool // HTML is shown as the text it is
}

// markupAsked reads how texts are to be drawn; the defaults are those of the
// server properties. Where addresses lead is not asked (urlMode is ignored).
func (x *exchange) markupAsked() Markup {
	return Markup{
		HardWrap:   x.query.Get("hardwrap") != "false",
		HeadingIDs: x.query.Get("includeHeadingId") == "true",
		EscapeHTML: x.query.Get("htmlEscape") != "false",
	}
}

// html is a text as HTML.
func (x *exchange) html(text string) string {
	if x.server.markdown == nil {
		return "<p>" + html.EscapeString(text) + "</p>\n"
	}
	return x.server.markdown(text, x.markupAsked())
}
