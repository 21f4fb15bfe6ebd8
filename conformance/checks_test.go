//go:build views

package conformance

import (
	"errors"
	"fmt"
	"strings"
)

// The checks that the mutants must fail are functions that say what is wrong, so
// that a test can hold both: the page passes, and a page broken on purpose does
// not.

// checkNoViolation: nothing in any frame broke a policy, threw, or said an error
// (V11, V33).
func checkNoViolation(w *world) error {
	if found := w.problems.unexpected(); found != nil {
		return errors.New(strings.Join(found, "; "))
	}
	return nil
}

// checkBuildCounts: of 150 builds, of which three are carried, the view says 150
// (V14).
func checkBuildCounts(s *shown) error {
	// The view may have lost its drawing; then there is nothing to press.
	text := s.visibleText()
	for _, want := range []string{"1 failed", "2 in progress", "147 successful", "Show 3 of 150"} {
		if !strings.Contains(text, want) {
			return fmt.Errorf("want %q in:\n%s", want, text)
		}
	}
	s.press("button", "Show 3 of 150: Builds")
	if text = s.visibleText(); !strings.Contains(text, "Showing 3 of 150 builds") {
		return fmt.Errorf("want Showing 3 of 150 builds in:\n%s", text)
	}
	return nil
}

// checkHandshake: ui/initialize comes first and alone, initialized once after its
// answer, and nothing else before (V-03, V-04).
func checkHandshake(s *shown) error {
	var faults []struct{ What string }
	s.read(`host.faults`, &faults)
	if len(faults) > 0 {
		return fmt.Errorf("the host found fault: %v", faults)
	}
	said := s.methods(fromView)
	if len(said) < 2 || said[0] != "ui/initialize" || said[1] != "ui/notifications/initialized" {
		return fmt.Errorf("the view began with %v", said)
	}
	return nil
}

// checkNothingDrawnEarly: what a host sends before the handshake is over is not
// drawn before it is (V-03).
func checkNothingDrawnEarly(s *shown) error {
	if text := s.visibleText(); strings.Contains(text, title) {
		return fmt.Errorf("before the answer to ui/initialize the view drew:\n%s", text)
	}
	return nil
}
