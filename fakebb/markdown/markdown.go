// Package markdown draws Markdown as HTML in the way Bitbucket does: with
// tables, task lists and links that are found by themselves, line breaks kept,
// and with HTML shown as the text it is.
//
// It is apart from package fakebb because linking it costs every start of a
// program some milliseconds, and a program that only reads JSON does not need
// it.
package markdown

import (
	"bytes"
	"html"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"github.com/bb-mcp/bb/fakebb"
)

// HTML returns text as HTML. Links to javascript: and the like lose their
// address.
func HTML(text string, m fakebb.Markup) string {
	drawing := []renderer.Option{}
	if m.HardWrap {
		drawing = append(drawing, goldmarkhtml.WithHardWraps())
	}
	if m.EscapeHTML {
		// Before the renderer that leaves HTML out.
		drawing = append(drawing, renderer.WithNodeRenderers(util.Prioritized(htmlAsText{}, 1)))
	} else {
		drawing = append(drawing, goldmarkhtml.WithUnsafe())
	}
	reading := []parser.Option{}
	if m.HeadingIDs {
		reading = append(reading, parser.WithAutoHeadingID())
	}
	var b bytes.Buffer
	// Writing into memory does not fail.
	goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Linkify),
		goldmark.WithRendererOptions(drawing...), goldmark.WithParserOptions(reading...),
	).Convert([]byte(text), &b)
	return b.String()
}

// htmlAsText draws the HTML that stands in a text as what was written.
type htmlAsText struct{}

// RegisterFuncs registers the drawing of both kinds of HTML.
func (htmlAsText) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			writeLines(w, source, n.(*ast.RawHTML).Segments.Value)
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString("<p>")
			b := n.(*ast.HTMLBlock)
			writeLines(w, source, b.Lines().Value)
			if b.HasClosure() {
				w.WriteString(html.EscapeString(string(b.ClosureLine.Value(source))))
			}
			w.WriteString("</p>\n")
		}
		return ast.WalkContinue, nil
	})
}

func writeLines(w util.BufWriter, source []byte, text func([]byte) []byte) {
	w.WriteString(html.EscapeString(string(text(source))))
}
