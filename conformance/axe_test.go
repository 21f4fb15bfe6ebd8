//go:build views

package conformance

import (
	"strings"

	"github.com/playwright-community/playwright-go"
)

// axe runs axe-core in a frame and gives a line for each thing it found. Its
// source is evaluated, because a policy with trusted types refuses a script
// element that was made from a string.
func (w *world) axe(frame playwright.Frame) []string {
	w.Helper()
	source, err := axe()
	w.must(err)
	w.evaluate(frame, source+"\n;undefined")
	got := w.evaluate(frame, `async () => {
		const { violations } = await axe.run(document, { iframes: false, resultTypes: ['violations'] });
		return violations.map((v) => v.id + ': ' + v.help + ': ' + v.nodes.map((n) => n.target.join(' ')).join(', ')).join('\n');
	}`)
	if got == "" {
		return nil
	}
	return strings.Split(got.(string), "\n")
}
