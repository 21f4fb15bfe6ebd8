package fakebb_test

import (
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
)

func TestAttachmentsAndWebhooksAreRead(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	r := get(t, s, "amara", catalogue+"/attachments/1")
	if r.status != 200 || r.body != "row,place,variety\n3,14,Boskoop\n" || !strings.HasPrefix(r.header.Get("Content-Disposition"), `attachment; filename="felled.csv"`) {
		t.Errorf("attachment: %d %q %v", r.status, r.body, r.header)
	}
	want := `{"id":1,"name":"Build server","createdDate":1788250200000,"updatedDate":1788250200000,"events":["repo:refs_changed","pr:opened"],` +
		`"configuration":{},"url":"https://ci.example.com/hooks/catalogue","active":true}`
	if r := get(t, s, "bo", catalogue+"/webhooks"); !strings.Contains(r.body, `"values":[`+want+`]`) {
		t.Errorf("webhooks: %s", r.body)
	}
	if r := get(t, s, "bo", catalogue+"/webhooks/1"); r.body != want {
		t.Errorf("webhook: %s", r.body)
	}
	for path, status := range map[string]int{"/attachments/2": 404, "/attachments/x": 404, "/webhooks": 401, "/webhooks/1": 401} {
		if r := get(t, s, "amara", catalogue+path); r.status != status {
			t.Errorf("%s: %d, want %d", path, r.status, status)
		}
	}
	if r := get(t, s, "bo", catalogue+"/webhooks/2"); r.status != 404 {
		t.Errorf("a webhook that is none: %d", r.status)
	}
}
