//go:build views

package conformance

import (
	"strings"
	"testing"

	"github.com/bb-mcp/bb/ui"
)

// countsChange makes #1 a pull request of 150 builds, of which the payload
// carries three.
const countsChange = `Object.assign(p.pullRequest.builds, {count: {total: 150}, states: {failed: 1, inProgress: 2, successful: 147}})`

// mutant is the page with one piece of it replaced. The piece must be there.
func mutant(t *testing.T, piece, instead string) string {
	t.Helper()
	page := ui.Page()
	if n := strings.Count(page, piece); n != 1 {
		t.Fatalf("the page holds this piece %d times, so this mutant cannot be made:\n%s", n, piece)
	}
	return strings.Replace(page, piece, instead, 1)
}

// caught fails unless the check says that something is wrong.
func caught(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Error("the mutant passed")
		return
	}
	t.Logf("caught: %.300s", err)
}

// TestMutantWithInnerHTMLIsCaught breaks V11: strings are parsed as HTML.
func TestMutantWithInnerHTMLIsCaught(t *testing.T) {
	page := mutant(t, "element.append(typeof child === 'object' ? child : String(child));", "if (typeof child === 'object') element.append(child); else element.innerHTML += String(child);")
	w := newWorld(t, worldOptions{Page: page, User: "bo"})
	w.begin(card(1), nil)
	w.waitFor("a violation", func() bool { return checkNoViolation(w) != nil })
	caught(t, checkNoViolation(w))
	w.problems.allowAll()
}

// TestMutantThatCountsAListIsCaught breaks V14: the page counts.
func TestMutantThatCountsAListIsCaught(t *testing.T) {
	page := mutant(t, "const items = all.items ?? [];\nconst short", "all = {...all, count: {total: all.items.length}};\nconst items = all.items ?? [];\nconst short")
	w := newWorld(t, worldOptions{Page: page, User: "bo"})
	caught(t, checkBuildCounts(w.showDrawing(card(1), countsChange, nil)))
}

// TestMutantThatDrawsBeforeTheHandshakeIsCaught breaks V-03.
func TestMutantThatDrawsBeforeTheHandshakeIsCaught(t *testing.T) {
	page := mutant(t, "} else if (this.early) {", "} else if (false) {")
	caught(t, checkNothingDrawnEarly(early(newWorld(t, worldOptions{Page: page, User: "bo"}))))
}

// TestMutantThatSpeaksBeforeInitializedIsCaught breaks V-03 and V-04.
func TestMutantThatSpeaksBeforeInitializedIsCaught(t *testing.T) {
	page := mutant(t, "window.addEventListener('pagehide', this.close);\n", "window.addEventListener('pagehide', this.close);\nthis.notify('ui/notifications/size-changed', {height: 100});\n")
	s := newWorld(t, worldOptions{Page: page, User: "bo"}).show(card(1), nil)
	caught(t, checkHandshake(s))
}
