package markdown

import "testing"

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
		if got := HTML(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
