package fakebb_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
)

func TestMarkupIsDrawnWhenItIsAskedFor(t *testing.T) {
	s := fakebb.New(fakebb.Options{Markdown: func(text string, _ fakebb.Markup) string { return "<" + text[:4] + ">" }})
	if r := get(t, s, "bo", first+"?markup=true"); !strings.Contains(r.body, `"descriptionAsHtml":"<Remo>"`) {
		t.Errorf("%s", r.body)
	}
	if r := get(t, s, "bo", first+"/blocker-comments?markup=true"); !strings.Contains(r.body, `"deletable":true},"html":"<A tr>"}`) {
		t.Errorf("%s", r.body)
	}
	asked := fakebb.New(fakebb.Options{Markdown: func(_ string, m fakebb.Markup) string { return fmt.Sprintf("%+v", m) }})
	for query, want := range map[string]string{
		"": "{HardWrap:true HeadingIDs:false EscapeHTML:true}", "&hardwrap=false&includeHeadingId=true&htmlEscape=false": "{HardWrap:false HeadingIDs:true EscapeHTML:false}",
	} {
		if r := get(t, asked, "bo", first+"?markup=true"+query); !strings.Contains(r.body, want) {
			t.Errorf("%s: no %s in %s", query, want, r.body)
		}
	}
	if r := get(t, s, "bo", first); strings.Contains(r.body, "AsHtml") {
		t.Error("HTML that nobody asked for")
	}
}
