//go:build views

package conformance

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/playwright-community/playwright-go"
)

func exact() playwright.FrameGetByTextOptions {
	return playwright.FrameGetByTextOptions{Exact: playwright.Bool(true)}
}

// catalogue are the arguments of the show call for the list of ORCH/catalogue.
func catalogue() map[string]any {
	return map[string]any{"kind": "pull_requests", "project": "ORCH", "repo": "catalogue"}
}

// Scenario 6. V13, V14, V15
func TestListShowsEveryOpenPullRequestInBitbucketsOrder(t *testing.T) {
	w := newWorld(t, worldOptions{})
	var page struct {
		Values []struct {
			ID    int
			Title string
		}
		IsLastPage bool
	}
	w.bitbucket("amara", "/rest/api/latest/projects/ORCH/repos/catalogue/pull-requests?limit=100", &page)
	s := w.show(catalogue(), nil)
	text := s.visibleText()
	var want, got []string
	for _, pr := range page.Values {
		want = append(want, fmt.Sprintf("#%d", pr.ID))
		if !strings.Contains(text, named(pr.Title)) {
			t.Errorf("%q is not in the list:\n%s", pr.Title, text)
		}
	}
	for _, id := range regexp.MustCompile(`#\d+`).FindAllString(text, -1) {
		got = append(got, id)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ids in their order (-want +got):\n%s\n%s", diff, text)
	}
	if n := strings.Count(text, "Draft"); n != 1 {
		t.Errorf("Draft stands %d times in:\n%s", n, text)
	}
	if n := strings.Count(text, "Conflict"); n != 1 {
		t.Errorf("Conflict stands %d times in:\n%s", n, text)
	}
	if regexp.MustCompile(`(?m)(^|  )0(  |$)`).MatchString(text) {
		t.Errorf("a zero is drawn in:\n%s", text)
	}
	if want := fmt.Sprintf("%d pull requests", len(page.Values)); !strings.HasSuffix(text, want) {
		t.Errorf("the list does not end with %q:\n%s", want, text)
	}
}

// named is a text with the characters that turn or hide others as the page
// draws them: by their code points.
func named(text string) string {
	return regexp.MustCompile(`[\x{200b}\x{202a}-\x{202e}\x{2066}-\x{2069}]`).ReplaceAllStringFunc(text, func(c string) string {
		return fmt.Sprintf("U+%04X", []rune(c)[0])
	})
}

// Scenario 6
func TestListsBuildIconsStandUnderEachOther(t *testing.T) {
	for _, width := range []int{390, 720} {
		s := newWorld(t, worldOptions{}).show(catalogue(), hostOptions{"width": width})
		places := s.in(`() => [...document.querySelectorAll('[role=img][aria-label^="Builds"]')].map((e) => Math.round(e.getBoundingClientRect().x))`).([]any)
		if len(places) < 4 {
			t.Errorf("at %d px: %d build icons", width, len(places))
		}
		for _, x := range places {
			if x != places[0] {
				t.Errorf("at %d px the build icons stand at %v", width, places)
				break
			}
		}
	}
}

// V14: of a list that was not read to its end nothing is said about the whole.
func TestListWithoutATotalSaysWhatIsKnown(t *testing.T) {
	w := newWorld(t, worldOptions{})
	var page struct{ Size int }
	w.bitbucket("amara", "/rest/api/latest/projects/ORCH/repos/catalogue/pull-requests?limit=100", &page)
	text := w.showDrawing(catalogue(), `p.pullRequests.count = {knownSoFar: p.pullRequests.items.length}`, nil).visibleText()
	if !strings.Contains(text, fmt.Sprintf("%d shown. There are more.", page.Size)) {
		t.Errorf("no honest footer in:\n%s", text)
	}
	text = w.showDrawing(catalogue(), `p.pullRequests.count = {total: 312}`, nil).visibleText()
	if !strings.Contains(text, fmt.Sprintf("Showing %d of 312 pull requests", page.Size)) {
		t.Errorf("no honest footer in:\n%s", text)
	}
}

func TestEmptyListHasANextStep(t *testing.T) {
	s := newWorld(t, worldOptions{}).show(map[string]any{"kind": "pull_requests", "project": "ORCH", "repo": "paths"}, nil)
	if text := s.visibleText(); !strings.Contains(text, "There are no open pull requests") {
		t.Errorf("an empty list reads:\n%s", text)
	}
	s.press("link", "See the list in Bitbucket")
	s.waitFor("the list's address at the host", func() bool {
		return s.eval(`() => host.links.join()`) == "https://bitbucket.example.com/projects/ORCH/repos/paths/pull-requests?state=OPEN"
	})
}
