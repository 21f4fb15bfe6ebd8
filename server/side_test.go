package server_test

import (
	"net/http"
	"strings"
	"testing"
)

// T10: what panics beside the goroutine of a call ends the call and nothing
// more.
func TestAPanicBesideACallEndsThatCall(t *testing.T) {
	for _, part := range []string{"/merge", "/conditions", "/pull-requests/1/blocker-comments", "/builds"} {
		failing := true
		p, _ := listen(t, "amara", func(r *http.Request) (int, string) {
			if failing && strings.HasSuffix(r.URL.Path, part) {
				panic("a defect")
			}
			return 0, ""
		})
		call := func() answer {
			return p.call("tools/call", `{"name":"get_pull_request","arguments":{"project":"ORCH","repo":"catalogue","id":1}}`)
		}
		if a := call(); a.Error == nil || a.Error.Code != -32603 || strings.Contains(a.Error.Message, "defect") {
			t.Errorf("%s: %+v", part, a)
		}
		failing = false
		if a := call(); a.Error != nil {
			t.Errorf("%s: afterwards %+v", part, a.Error)
		}
	}
}
