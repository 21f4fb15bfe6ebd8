//go:build views

package conformance

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/ui/host"
	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/playwright-community/playwright-go"
)

// previewServer is a server with a show tool of two kinds, whose view does
// everything a view may do to a host.
func previewServer() http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "probe", Version: "1"}, nil)
	tool := &mcp.Tool{
		Name: "show", Meta: mcp.Meta{"ui": map[string]any{"resourceUri": "ui://probe/view"}},
		InputSchema: map[string]any{"type": "object", "properties": map[string]any{
			"kind":    map[string]any{"type": "string", "enum": []any{"pull_request", "pull_requests"}},
			"project": map[string]any{"type": "string"},
			"id":      map[string]any{"type": "integer"},
			"state":   map[string]any{"type": "string"},
		}},
	}
	server.AddTool(tool, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		text := "A <b>text</b> for the model about " + string(r.Params.Arguments)
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
	})
	page := strings.Replace(probePage, "</body>", `<script>
		probe.start().then(async () => {
			await probe.request('ui/update-model-context', {content: [{type: 'text', text: 'The person opened <i>it</i>.'}]});
			await probe.request('ui/open-link', {url: 'https://bitbucket.example.com/<img>'});
			await probe.request('ui/open-link', {url: 'javascript:alert(1)'});
		});
	</script></body>`, 1)
	server.AddResource(&mcp.Resource{URI: "ui://probe/view", Name: "view", MIMEType: "text/html;profile=mcp-app"},
		func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
				URI: "ui://probe/view", MIMEType: "text/html;profile=mcp-app", Text: page, Meta: mcp.Meta{"ui": map[string]any{"csp": empty()}},
			}}}, nil
		})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
}

// preview opens the preview page of a host.
func preview(t *testing.T, o host.Options, w worldOptions) *world {
	t.Helper()
	if o.MCP == nil {
		o.MCP = previewServer()
	}
	if o.Examples == nil {
		o.Examples = []host.Example{
			{Title: "A pull request", Arguments: map[string]any{"kind": "pull_request", "project": "ORCH", "id": 1}},
			{Title: "Merged ones", Arguments: map[string]any{"kind": "pull_requests", "state": "MERGED"}},
		}
	}
	w.host = &o
	return startWorld(t, w)
}

// says waits until a part of the preview contains a text.
func (w *world) says(part, text string) {
	w.Helper()
	locator := w.page.Locator("[data-part=" + part + "]")
	w.waitFor(part+" to say "+text, func() bool {
		got, err := locator.InnerText()
		return err == nil && strings.Contains(got, text)
	})
}

func (w *world) choose(label string) {
	w.Helper()
	w.must(w.page.GetByLabel(label, playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)}).Check())
}

// V36
func TestPreviewShowsTheViewTheMessagesAndTheModelsText(t *testing.T) {
	w := preview(t, host.Options{Caption: "a probe"}, worldOptions{})
	w.says("model", `about {"kind":"pull_request","project":"ORCH","id":1}`)
	w.says("model", "The person opened <i>it</i>.")
	w.says("caption", "a probe")
	w.says("links", "https://bitbucket.example.com/<img>")
	w.waitFor("every message", func() bool {
		n, err := w.page.Locator("[data-part=messages] li").Count()
		return err == nil && n == 11
	})
	got, err := w.page.Locator("[data-part=messages] .method").AllInnerTexts()
	w.must(err)
	count := map[string]int{}
	for _, method := range got {
		count[method]++
	}
	want := map[string]int{
		"ui/initialize": 1, "answer to ui/initialize": 1, "ui/notifications/initialized": 1, "ui/notifications/tool-input": 1, "ui/notifications/tool-result": 1,
		"ui/update-model-context": 1, "answer to ui/update-model-context": 1, "ui/open-link": 2, "answer to ui/open-link": 2,
	}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	// What opens is text, and a refused link is shown as an error and never as a link.
	summary := w.page.Locator("[data-part=messages] summary").First()
	w.must(summary.Focus())
	w.must(w.page.Keyboard().Press("Enter"))
	w.waitFor("the message's JSON", func() bool {
		text, err := w.page.Locator("[data-part=messages] pre").First().InnerText()
		return err == nil && strings.Contains(text, `"method": "ui/initialize"`)
	})
	if n := w.eval(`() => document.querySelectorAll('aside b, aside i, aside img, .links li').length`); n != 1 {
		t.Errorf("strangers' text made elements, or a refused link is offered: %v", n)
	}
	if n := w.eval(`() => document.querySelectorAll('.failed').length`); n != 1 {
		t.Errorf("%v messages are marked as failed, want the refused link", n)
	}
}

// V36
func TestPreviewChangesTheLookOfALivingView(t *testing.T) {
	w := preview(t, host.Options{}, worldOptions{})
	w.says("model", "about")
	view := w.mounted()
	heard := func() string {
		return view.in(`() => JSON.stringify(probe.heard.at(-1)?.params ?? {})`).(string)
	}
	for _, c := range []struct{ label, want string }{
		{"390", `"containerDimensions":{"width":390`},
		{"Dark", `"theme":"dark"`},
		{"With", `"--color-background-primary":"light-dark(`},
		{"Without", `"styles":{"variables":{}}`},
		{"Fullscreen", `"displayMode":"fullscreen"`},
	} {
		w.choose(c.label)
		w.waitFor("the view to hear of "+c.label, func() bool { return strings.Contains(heard(), c.want) })
	}
	w.must(w.page.Keyboard().Press("Escape"))
	w.waitFor("the view to be inline again", func() bool { return strings.Contains(heard(), `"displayMode":"inline"`) })
	// A reload shows the same again, because the settings are in the address.
	_, err := w.page.Reload()
	w.must(err)
	w.waitFor("the settings", func() bool {
		return w.eval(`() => { const c = document.forms[0]?.elements; return [c.width.value, c.theme.value, c.mode.value].join(); }`) == "390,dark,inline"
	})
	w.says("model", "about")
}

// V36
func TestPreviewMakesAnyCall(t *testing.T) {
	w := preview(t, host.Options{}, worldOptions{})
	w.says("model", `"id":1`)
	_, err := w.page.Locator("[data-part=example]").SelectOption(playwright.SelectOptionValues{Labels: &[]string{"Merged ones"}})
	w.must(err)
	w.says("model", `about {"kind":"pull_requests","state":"MERGED"}`)
	w.must(w.page.GetByLabel("id", playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)}).Fill("7"))
	w.must(w.page.GetByRole("button", playwright.PageGetByRoleOptions{Name: "Show", Exact: playwright.Bool(true)}).Click())
	w.says("model", `about {"kind":"pull_requests","id":7,"state":"MERGED"}`)
	if got := w.eval(`() => document.querySelectorAll('iframe').length`); got != 1 {
		t.Errorf("%v views are mounted", got)
	}
}

// V36
func TestPreviewSaysWhatIsReal(t *testing.T) {
	real := preview(t, host.Options{Real: true}, worldOptions{})
	real.says("real", "This is real.")
	fake := preview(t, host.Options{}, worldOptions{})
	fake.says("model", "about")
	if visible, err := fake.page.Locator("[data-part=real]").IsVisible(); err != nil || visible {
		t.Errorf("on a fake the bar is visible: %v, %v", visible, err)
	}
}

// V36
func TestPreviewSaysThatTheServerIsGone(t *testing.T) {
	gone := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.Error(w, "gone", http.StatusBadGateway) })
	w := preview(t, host.Options{MCP: gone}, worldOptions{Allow: []string{"502"}})
	w.says("problem", "HTTP 502: gone")
}

// V36
func TestPreviewIsAccessibleAndFitsEveryWidth(t *testing.T) {
	for _, width := range []int{320, 390, 900, 1400} {
		w := preview(t, host.Options{Caption: "a probe", Real: width == 390}, worldOptions{Width: width, Height: 900})
		w.says("model", "about")
		for _, theme := range []string{"Light", "Dark"} {
			w.choose(theme)
			if wide := w.eval(`() => document.documentElement.scrollWidth > innerWidth`); wide == true {
				t.Errorf("at %d px the page scrolls sideways", width)
			}
			for _, violation := range w.axe(w.page.MainFrame()) {
				t.Errorf("at %d px, %s: %s", width, theme, violation)
			}
			if dir := os.Getenv("BB_SCREENSHOTS"); dir != "" {
				w.screenshot(filepath.Join(dir, "preview", strings.ToLower(theme)+"-"+strconv.Itoa(width)+".png"))
			}
		}
	}
}
