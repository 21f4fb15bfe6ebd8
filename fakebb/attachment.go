package fakebb

import (
	"encoding/base64"
	"net/http"
	"strconv"
)

// attachmentRoutes are the files that texts of a repository show and link to,
// as attachment:REPOSITORY/ID.
var attachmentRoutes = []route{
	{method: "GET", path: repositories + "/attachments/{attachmentId}", answer: getAttachment, produces: []string{anyMedia},
		evidence: "the OpenAPI document [O], bug-log.md REST-09 [U]; headers and the sentence of the 404 are belief"},
}

// attachment is a file that was uploaded to a repository.
type attachment struct {
	id   int
	name string
	data []byte
}

// attachmentDecl is an attachment in a scenario; ids count from 1 in a
// repository.
type attachmentDecl struct {
	Name   word   `yaml:"name"`
	Text   string `yaml:"text"`
	Base64 word   `yaml:"base64"`
}

func newAttachment(at place, id int, d attachmentDecl) (attachment, error) {
	a := attachment{id, d.Name.value, []byte(d.Text)}
	if a.name == "" {
		return a, at.errorf(max(d.Base64.line, 1), "an attachment needs a name")
	}
	if d.Base64.value == "" {
		return a, nil
	}
	var err error
	if a.data, err = base64.StdEncoding.DecodeString(d.Base64.value); err != nil {
		return a, at.errorf(d.Base64.line, "%v", err)
	}
	return a, nil
}

func getAttachment(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	id, err := strconv.Atoi(x.vars["attachmentId"])
	if err != nil {
		return nil, notFound("an attachment's id is a number")
	}
	for _, a := range r.attachments {
		if a.id == id {
			return answer{contentType: http.DetectContentType(a.data), body: a.data, header: map[string]string{
				"Content-Disposition": disposition("attachment", a.name),
			}}, nil
		}
	}
	return nil, noSuchAttachment(id, r)
}
