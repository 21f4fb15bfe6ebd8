package bitbucket

import (
	"bytes"
	"encoding/xml"
	"html"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// foreign is an answer that is not Bitbucket's JSON: a login page, a proxy's
// page, the REST framework's XML, the plain text of a failed check.
type foreign struct {
	words string // what it is and what it says, on one line
	html  bool
	login bool // a page to log in on
	// crossSite: Bitbucket took the request for one of another site (REST-02).
	crossSite bool
	// wantsTLS: a server says that this port is for https.
	wantsTLS bool
}

// maxForeign is how much of such an answer is looked at, in bytes.
const maxForeign = 64 << 10

var titleElement = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`)

// foreignAnswer looks at an answer that is not what Bitbucket's REST API sends.
func foreignAnswer(h http.Header, data []byte) foreign {
	text := strings.TrimSpace(strings.ToValidUTF8(string(data[:min(len(data), maxForeign)]), "\uFFFD"))
	lower := strings.ToLower(text)
	f := foreign{
		html:      strings.HasPrefix(lower, "<!doctype html") || strings.HasPrefix(lower, "<html") || strings.HasPrefix(lower, "<!--") || strings.Contains(lower, "<title"),
		crossSite: strings.HasPrefix(lower, "xsrf check failed"),
	}
	for _, sign := range []string{"http request to an https server", "plain http request was sent to https port", "requires tls", "speaking plain http to an ssl-enabled"} {
		f.wantsTLS = f.wantsTLS || strings.Contains(lower, sign)
	}
	switch {
	case text == "":
		f.words = "an empty answer"
	case f.html:
		title := ""
		if m := titleElement.FindStringSubmatch(text); m != nil {
			title = firstLine(strings.Join(strings.Fields(html.UnescapeString(m[1])), " "))
		}
		f.words = "an HTML page without a title"
		if title != "" {
			f.words = "an HTML page titled " + quoted(title)
		}
		f.login = looksLikeLogin(title) || strings.Contains(lower, `type="password"`) || strings.Contains(lower, `name="samlrequest"`)
	case strings.HasPrefix(text, "<"):
		f.words = "XML"
		if m := xmlMessage(data); m != "" {
			f.words += ": " + firstLine(m)
		}
	case isJSON(h):
		f.words = "JSON that is no message of Bitbucket's: " + firstLine(text)
	default:
		f.words = firstLine(text)
	}
	return f
}

// loginWord finds the words of a login page in its title or address.
var loginWord = regexp.MustCompile(`(?i)\b(log[ -]?in|sign[ -]?in|sign[ -]?on|sso|saml2?|adfs|oauth2?|openid|login\w*)\b`)

func looksLikeLogin(text string) bool { return loginWord.MatchString(text) }

// xmlMessage is the text of the first element named message.
func xmlMessage(data []byte) string {
	d := xml.NewDecoder(bytes.NewReader(data[:min(len(data), maxForeign)]))
	for {
		token, err := d.Token()
		if err != nil {
			return ""
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "message" {
			var message string
			if d.DecodeElement(&message, &start) != nil {
				return ""
			}
			return strings.TrimSpace(message)
		}
	}
}

func contentType(h http.Header) string {
	t, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		return "of no known type"
	}
	return t
}

func isJSON(h http.Header) bool { return contentType(h) == "application/json" }

// firstLine is the first line of text, bounded.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.TrimSpace(line)
	if r := []rune(line); len(r) > 200 {
		line = string(r[:200]) + "…"
	}
	return line
}

func quoted(text string) string { return strconv.Quote(text) }
