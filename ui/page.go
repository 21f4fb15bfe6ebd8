// Package ui holds the page that draws every view, ui://bb/view: plain
// JavaScript and CSS, embedded and joined to one document without a build step.
// The sources work as they are when page.html is opened from disk.
package ui

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// URI is the address of the page among the server's resources.
const URI = "ui://bb/view"

// MIMEType is the media type that marks a document as a view of MCP Apps
// (mcp-apps-protocol.md 1: this string, without a space).
const MIMEType = "text/html;profile=mcp-app"

//go:embed page.html *.css *.js
var sources embed.FS

var page = sync.OnceValue(func() string { return assemble("page.html") })

// Page returns the page as it is served: page.html with its styles and scripts
// inlined, each kind in one element and in page.html's order, without comments,
// blank lines and indentation. It is the same for every connection and holds no
// data of Bitbucket's.
func Page() string { return page() }

var (
	styleLine  = regexp.MustCompile(`(?m)^<link rel="stylesheet" href="([a-z_]+\.css)">\n`)
	scriptLine = regexp.MustCompile(`(?m)^<script src="([a-z_]+\.js)"></script>\n`)
)

func assemble(name string) string {
	html := source(name)
	html = inline(html, styleLine, "style")
	return inline(html, scriptLine, "script")
}

// inline puts the files that lines name into one element at the first line's
// place. An element of the document's own would end in the text of its files,
// which a test rules out.
func inline(html string, line *regexp.Regexp, tag string) string {
	var joined strings.Builder
	for i, match := range line.FindAllStringSubmatch(html, -1) {
		text := strip(source(match[1]))
		if i > 0 {
			// One directive at the start of the joined script rules all of it.
			text = strings.TrimPrefix(text, "'use strict';\n")
		}
		joined.WriteString(text)
	}
	element := fmt.Sprintf("<%s>\n%s</%s>\n", tag, joined.String(), tag)
	first := line.FindStringIndex(html)
	return html[:first[0]] + element + line.ReplaceAllString(html[first[0]:], "")
}

func source(name string) string {
	b, err := sources.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("ui: page.html names %s: %v", name, err))
	}
	return string(b)
}

var (
	blockComment = regexp.MustCompile(`(?ms)^[ \t]*/\*.*?\*/[ \t]*`)
	lineComment  = regexp.MustCompile(`(?m)^[ \t]*//.*$`)
	cast         = regexp.MustCompile(`/\*\* @type \{[^*]*\} \*/ ?`)
	indentation  = regexp.MustCompile(`(?m)^[ \t]+`)
	blankLines   = regexp.MustCompile(`\n{2,}`)
)

// strip leaves out what a reader of the source needs and a browser does not. It
// knows lines, not tokens: a comment is one that begins its line, or a type for
// the checker in the one form the sources use. Tests hold what that rests on,
// that no string or template spans lines or holds such a comment.
func strip(text string) string {
	text = cast.ReplaceAllString(text, "")
	text = blockComment.ReplaceAllString(text, "")
	text = lineComment.ReplaceAllString(text, "")
	text = indentation.ReplaceAllString(text, "")
	text = blankLines.ReplaceAllString(text, "\n")
	return strings.TrimLeft(text, "\n")
}
