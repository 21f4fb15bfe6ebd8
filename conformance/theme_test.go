//go:build views

package conformance

import (
	"fmt"
	"testing"
)

// coloursJS measures what is drawn: the background of the page, the scheme, and
// the worst contrast of a piece of text.
const coloursJS = `() => {
	const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
	const rgba = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255]; };
	const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
	const light = (c) => { const [r, g, b] = c.slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const scheme = getComputedStyle(document.documentElement).colorScheme;
	const behind = (element) => {
		const layers = [];
		for (let e = element; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
		return layers.reverse().reduce((below, layer) => over(layer, below), scheme === 'dark' ? [0, 0, 0, 1] : [255, 255, 255, 1]);
	};
	let worst = { ratio: 99, text: '' };
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const element = walker.currentNode.parentElement;
		if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest('script, style, .vh')) continue;
		const ground = behind(element);
		const [a, b] = [light(over(rgba(getComputedStyle(element).color), ground)), light(ground)];
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < worst.ratio) worst = { ratio, text: walker.currentNode.data.trim() + ' ' + getComputedStyle(element).color + ' on ' + ground.map(Math.round) };
	}
	const page = behind(document.querySelector('main')).slice(0, 3).map(Math.round).join(' ');
	return { scheme, page, ratio: worst.ratio, text: worst.text, font: getComputedStyle(document.body).fontFamily };
}`

type colours struct {
	scheme, page, text, font string
	ratio                    float64
}

func (s *shown) colours() colours {
	s.Helper()
	m := s.in(coloursJS).(map[string]any)
	ratio, ok := m["ratio"].(float64)
	if !ok {
		ratio = float64(m["ratio"].(int))
	}
	return colours{scheme: m["scheme"].(string), page: m["page"].(string), text: m["text"].(string), font: m["font"].(string), ratio: ratio}
}

// V13, V-31
func TestThemeOfTheHostIsFollowedLive(t *testing.T) {
	s := newWorld(t, worldOptions{User: "bo"}).show(card(1), hostOptions{"theme": "light"})
	day := s.colours()
	s.press("button", "Show 3: Builds")
	s.eval(`() => host.change({theme: 'dark'})`)
	s.waitFor("the dark palette", func() bool { return s.colours().scheme == "dark" })
	night := s.colours()
	if day.scheme != "light" || night.page == day.page {
		t.Errorf("by day %+v, by night %+v", day, night)
	}
	for name, c := range map[string]colours{"light": day, "dark": night} {
		if c.ratio < 4.5 {
			t.Errorf("%s: %.2f: %s", name, c.ratio, c.text)
		}
	}
	if open := s.in(`() => [...document.querySelectorAll('[aria-expanded=true]')].length`); open != 1 {
		t.Errorf("a change of theme closed what was open: %v are open", open)
	}
}

// Without a theme the browser's own preference decides.
func TestThemeIsTheBrowsersWhereTheHostNamesNone(t *testing.T) {
	if got := newWorld(t, worldOptions{}).show(card(7), hostOptions{"theme": nil}).colours(); got.scheme != "light" || got.ratio < 4.5 {
		t.Errorf("no theme: %+v", got)
	}
}

// V13, V-14
func TestHostVariablesAreTakenWhereTheyCanBeRead(t *testing.T) {
	for theme, page := range map[string]string{"light": "251 245 233", "dark": "16 35 29"} {
		s := newWorld(t, worldOptions{User: "bo"}).show(card(1), hostOptions{"theme": theme, "variables": "standard"})
		got := s.colours()
		if got.page != page {
			t.Errorf("%s: the page is %s, want the host's %s", theme, got.page, page)
		}
		if got.ratio < 4.5 {
			t.Errorf("%s: %.2f: %s", theme, got.ratio, got.text)
		}
		s.eval(`() => host.change({variables: undefined})`)
		s.waitFor("the page's own palette again", func() bool { return s.colours().page != page })
	}
}

// V13, V-14: hosts send some variables, or such as nobody can read.
func TestHostVariablesThatCannotBeReadAreLeft(t *testing.T) {
	for name, variables := range map[string]map[string]any{
		"grey on white":         {"--color-background-primary": "#ffffff", "--color-text-primary": "#bbbbbb"},
		"white on white":        {"--color-background-primary": "white", "--color-text-primary": "white", "--color-text-secondary": "white"},
		"text alone":            {"--color-text-primary": "#fdfdfd", "--color-text-secondary": "#fdfdfd"},
		"background alone":      {"--color-background-primary": "#202020"},
		"translucent":           {"--color-background-primary": "transparent", "--color-text-primary": "rgb(0 0 0 / 0.1)"},
		"nonsense":              {"--color-background-primary": "url(https://example.com/x)", "--color-text-primary": "nothing"},
		"meanings that are dim": {"--color-text-danger": "#ffcccc", "--color-background-danger": "#ffffff", "--color-text-info": "#eeeeff", "--color-background-info": "#ffffff"},
		"a dark page by day":    {"--color-background-primary": "#101010", "--color-text-primary": "#f0f0f0"},
		"mid-grey":              {"--color-background-primary": "#808080", "--color-text-primary": "#000000"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, theme := range []string{"light", "dark"} {
				s := newWorld(t, worldOptions{User: "bo"}).show(card(1), hostOptions{"theme": theme, "variables": variables})
				if got := s.colours(); got.ratio < 4.5 {
					t.Errorf("%s: %.2f: %s", theme, got.ratio, got.text)
				}
			}
		})
	}
}

// V-14: a variable of no standard, sent by a careless host, does no harm.
func TestUnknownHostVariablesAreIgnored(t *testing.T) {
	s := newWorld(t, worldOptions{User: "bo"}).show(card(1), hostOptions{"lax": true, "context": map[string]any{
		"styles": map[string]any{"variables": map[string]any{"--bg": "#ff0000", "--color-bg": "#ff0000", "--color-text-primary": nil}, "css": map[string]any{"fonts": "@import url(https://example.com/font.css)"}},
		"theme":  "system", "platform": "tv", "displayMode": "wide", "availableDisplayModes": "all", "containerDimensions": nil, "safeAreaInsets": map[string]any{"top": "x"}, "timeZone": "Mars/Olympus", "locale": "!!",
	}})
	s.waitForText(title)
	if got := s.colours(); got.page == "255 0 0" || got.ratio < 4.5 {
		t.Errorf("%+v", got)
	}
}

// Accessible. axe-core finds nothing, in any view, theme or mode.
func TestAxeFindsNothing(t *testing.T) {
	for _, theme := range []string{"light", "dark"} {
		for name, arguments := range map[string]map[string]any{"card": card(1), "merged": card(2), "list": catalogue(), "empty": {"kind": "pull_requests", "project": "ORCH", "repo": "paths"}} {
			t.Run(fmt.Sprintf("%s %s", name, theme), func(t *testing.T) {
				s := newWorld(t, worldOptions{User: "bo"}).show(arguments, hostOptions{"theme": theme})
				for _, violation := range s.axe(s.frame) {
					t.Errorf("inline: %s", violation)
				}
				s.press("button", "Fullscreen")
				s.waitFor("fullscreen", func() bool { return s.in(`() => document.documentElement.dataset.mode`) == "full" })
				for _, violation := range s.axe(s.frame) {
					t.Errorf("fullscreen: %s", violation)
				}
			})
		}
	}
	for _, state := range states {
		t.Run(state.name, func(t *testing.T) {
			w := newWorld(t, worldOptions{Stopped: state.waits > 0})
			s := state.show(w, nil)
			if state.waits > 0 {
				w.must(w.context.Clock().Resume()) // axe-core waits by the clock
			}
			for _, violation := range s.axe(s.frame) {
				t.Error(violation)
			}
		})
	}
}
