package fakebb

import (
	"html"
	"io"
)

// markupRoutes draw the texts that people write.
var markupRoutes = []route{
	{method: "POST", path: api + "/markup/preview", answer: previewMarkup,
		evidence: "bitbucket-rest.md 17 [P]"},
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

// html is a text as HTML.
func (x *exchange) html(text string) string {
	if x.server.markdown == nil {
		return "<p>" + html.EscapeString(text) + "</p>\n"
	}
	return x.server.markdown(text)
}
