package ui

import (
	"regexp"
	"strings"
	"testing"
)

var (
	wordUsed    = regexp.MustCompile(`\bwords\.([A-Za-z]+)`)
	wordDefined = regexp.MustCompile(`(?m)^    ([A-Za-z]+):`)
)

// V13: one look at a real Bitbucket corrects the words in one place.
func TestEveryWordStandsInTheTableOfWordsAndIsUsed(t *testing.T) {
	scripts := files(t, "*.js")
	table := scripts["words.js"]
	defined := map[string]bool{}
	for _, match := range wordDefined.FindAllStringSubmatch(table, -1) {
		if defined[match[1]] {
			t.Errorf("words.js has %s twice", match[1])
		}
		defined[match[1]] = false
	}
	for name, text := range scripts {
		for _, match := range wordUsed.FindAllStringSubmatch(strip(text), -1) {
			if _, ok := defined[match[1]]; !ok && name != "words.js" {
				t.Errorf("%s uses words.%s, which words.js does not have", name, match[1])
			}
			defined[match[1]] = true
		}
	}
	// Looked up by what Bitbucket sends, not by name.
	for _, wire := range []string{"OPEN", "MERGED", "DECLINED", "ALL", "APPROVED", "NEEDS_WORK", "FAILED", "INPROGRESS", "SUCCESSFUL", "CANCELLED", "UNKNOWN"} {
		defined[wire] = true
	}
	for word, used := range defined {
		if !used {
			t.Errorf("nothing says words.%s", word)
		}
	}
}

// A string with a space between words, or a capitalised one, is something that a
// person reads.
func TestNoWordStandsOutsideTheTableOfWords(t *testing.T) {
	sentence := regexp.MustCompile(`'([A-Z][a-z]+(?: [a-z]+)*|[a-z]+(?: [a-z]+)+)'|\x60[^\x60]*\b[A-Z][a-z]+ [a-z]+[^\x60]*\x60`)
	for name, text := range files(t, "*.js") {
		if name == "words.js" {
			continue
		}
		for i, line := range strings.Split(text, "\n") {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "*") || strings.HasPrefix(line, "/*") {
				continue
			}
			for _, found := range sentence.FindAllString(line, -1) {
				if !notRead(name, line, found) {
					t.Errorf("%s:%d: %s", name, i+1, found)
				}
			}
		}
	}
}

// notRead tells names of the platform, class names and errors for developers from
// words.
func notRead(name, line, found string) bool {
	for _, use := range []string{"TypeError(", "class:", "addEventListener", "split(' ')", "new Set((", "event.key", "METHOD_NOT_FOUND", "appInfo", "'use strict'"} {
		if strings.Contains(line, use) {
			return true
		}
	}
	return name == "el.js" || strings.HasPrefix(line, "'li main ol p")
}

// House rule: Bitbucket's words, sentence case, no exclamation mark, never "PR".
func TestWordsKeepTheHouseStyle(t *testing.T) {
	for _, match := range regexp.MustCompile(`'[^'\n]*'|\x60[^\x60\n]*\x60`).FindAllString(strip(files(t, "words.js")["words.js"]), -1) {
		if regexp.MustCompile(`!|\bPRs?\b|\bfailed to\b`).MatchString(match) {
			t.Errorf("words.js says %s", match)
		}
	}
}
