package markdown

import (
	"testing"

	"github.com/bb-mcp/bb/fakebb"
)

// H1, bug-log HTML: the HTML that people write is text.
func TestHTMLIsTextAndMarkdownIsNot(t *testing.T) {
	for text, want := range map[string]string{
		"**ripe**":                        "<p><strong>ripe</strong></p>\n",
		"one\ntwo":                        "<p>one<br>\ntwo</p>\n",
		"a <b onclick=x>c</b>":            "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n",
		"<script>\nalert(1)\n</script>\n": "<p>&lt;script&gt;\nalert(1)\n&lt;/script&gt;\n</p>\n",
		"[x](javascript:alert(1))":        "<p><a href=\"\">x</a></p>\n",
		"- [x] done":                      "<ul>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> done</li>\n</ul>\n",
	} {
		if got := HTML(text, fakebb.Markup{HardWrap: true, EscapeHTML: true}); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestMarkupIsDrawnAsItIsAskedFor(t *testing.T) {
	for _, test := range []struct {
		m    fakebb.Markup
		want string
	}{
		{fakebb.Markup{}, "<h1>A b</h1>\n<p>one\ntwo <i>x</i></p>\n"},
		{fakebb.Markup{HeadingIDs: true, EscapeHTML: true}, "<h1 id=\"a-b\">A b</h1>\n<p>one\ntwo &lt;i&gt;x&lt;/i&gt;</p>\n"},
		{fakebb.Markup{HardWrap: true, EscapeHTML: true}, "<h1>A b</h1>\n<p>one<br>\ntwo &lt;i&gt;x&lt;/i&gt;</p>\n"},
	} {
		if got := HTML("# A b\none\ntwo <i>x</i>", test.m); got != test.want {
			t.Errorf("%+v: %q, want %q", test.m, got, test.want)
		}
	}
}
