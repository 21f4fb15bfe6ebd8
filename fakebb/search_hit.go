package fakebb

import "strings"

// maxHitContexts is how many places of a file are shown (belief); the count is
// of all.
const maxHitContexts = 10

// hitContextLines is how many lines stand before and after a hit (belief).
const hitContextLines = 1

// codeHitJSON is a file in which something was found.
type codeHitJSON struct {
	Repository  repositoryJSON    `json:"repository"`
	File        string            `json:"file"`
	HitContexts [][]hitLineJSON   `json:"hitContexts"`
	PathMatches []pathSegmentJSON `json:"pathMatches"`
	HitCount    int               `json:"hitCount"`
}

// hitLineJSON is a line as HTML, with <em> around what was found.
type hitLineJSON struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

// pathSegmentJSON is a part of a path that was found, or that was not.
type pathSegmentJSON struct {
	Text  string `json:"text"`
	Match bool   `json:"match,omitempty"`
}

func (x *exchange) drawCodeHit(h codeHit) codeHitJSON {
	return codeHitJSON{
		Repository: x.drawRepository(h.repository), File: h.path,
		HitContexts: h.contexts(), PathMatches: h.pathMatches(), HitCount: len(h.inText),
	}
}

// contexts are the lines with hits and those around them; lines that follow each
// other are one context.
func (h codeHit) contexts() [][]hitLineJSON {
	contexts := [][]hitLineJSON{}
	lines := strings.SplitAfter(h.text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	starts := make([]int, len(lines)+1) // where each line begins
	for i, line := range lines {
		starts[i+1] = starts[i] + len(line)
	}
	shown := 0 // lines that are in a context already
	hit := 0
	for hit < len(h.inText) {
		at := shown
		for starts[at+1] <= h.inText[hit].start {
			at++
		}
		first := max(at-hitContextLines, shown)
		if len(contexts) == 0 || first > shown {
			if len(contexts) == maxHitContexts {
				break
			}
			contexts = append(contexts, nil)
		}
		// Further hits in the lines that follow make the context longer.
		last := min(at+hitContextLines, len(lines)-1)
		for i := first; i <= last; i++ {
			for hit < len(h.inText) && h.inText[hit].start < starts[i+1] {
				last = min(max(last, i+hitContextLines), len(lines)-1)
				hit++
			}
		}
		context := &contexts[len(contexts)-1]
		for i := first; i <= last; i++ {
			*context = append(*context, hitLineJSON{i + 1, highlight(lines[i], starts[i], h.inText)})
		}
		shown = last + 1
	}
	return contexts
}

// htmlText is what Bitbucket's search escapes: the characters that Lucene's HTML
// encoder does, the slash among them (bug-log.md REST-11).
var htmlText = strings.NewReplacer(`"`, "&quot;", `&`, "&amp;", `<`, "&lt;", `>`, "&gt;", `'`, "&#x27;", `/`, "&#x2F;")

// highlight draws a line that begins at start in the text.
func highlight(line string, start int, hits []span) string {
	line = strings.TrimRight(line, "\r\n")
	var b strings.Builder
	done := 0
	for _, s := range hits {
		from, to := s.start-start, s.end-start
		if from < done || to > len(line) {
			continue
		}
		b.WriteString(htmlText.Replace(line[done:from]))
		b.WriteString("<em>" + htmlText.Replace(line[from:to]) + "</em>")
		done = to
	}
	b.WriteString(htmlText.Replace(line[done:]))
	return b.String()
}

// pathMatches cuts the path where words of it were found; it is empty when none
// was.
func (h codeHit) pathMatches() []pathSegmentJSON {
	segments := []pathSegmentJSON{}
	done := 0
	for _, s := range h.inPath {
		if s.start > done {
			segments = append(segments, pathSegmentJSON{Text: h.path[done:s.start]})
		}
		segments = append(segments, pathSegmentJSON{h.path[s.start:s.end], true})
		done = s.end
	}
	if done > 0 && done < len(h.path) {
		segments = append(segments, pathSegmentJSON{Text: h.path[done:]})
	}
	return segments
}
