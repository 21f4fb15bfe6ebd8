package content

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// MailPatch writes the commits that to has and from lacks as mails, oldest
// first and without merges, as git format-patch --stdout --no-stat
// --no-signature --no-binary does. An empty from leaves nothing out. ChangeOptions.Path
// keeps to the commits and the files of a path.
func (s *Store) MailPatch(w io.Writer, from, to string, opt PatchOptions) error {
	log := LogOptions{From: []string{to}, Merges: ExcludeMerges, Path: opt.Path}
	if from != "" {
		log.Exclude = []string{from}
	}
	commits, err := s.Log(log)
	if err != nil {
		return err
	}
	slices.Reverse(commits)
	separator := ""
	for i, c := range commits {
		parent := ""
		if len(c.Parents) > 0 {
			parent = c.Parents[0]
		}
		s.mu.RLock()
		patch, err := s.patch(parent, c.ID, opt)
		s.mu.RUnlock()
		if err != nil {
			return err
		}
		if len(patch) == 0 {
			continue // git leaves it out, and counts it
		}
		mail := slices.Concat([]byte(separator), mailHead(c, i+1, len(commits)), patch)
		if _, err := w.Write(mail); err != nil {
			return err
		}
		separator = "\n"
	}
	return nil
}

// mailHead is the mail of a commit up to its patch. The date of its first line
// is fixed: it marks what git made.
func mailHead(c CommitInfo, number, of int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "From %s Mon Sep 17 00:00:00 2001\n", c.ID)
	fmt.Fprintf(&b, "From: %s\n", mailAddress(c.Author))
	fmt.Fprintf(&b, "Date: %s\n", c.Author.When.Format("Mon, 2 Jan 2006 15:04:05 -0700"))

	subject, body := splitMessage(c.Message)
	tag := "Subject: [PATCH] "
	if of > 1 {
		tag = fmt.Sprintf("Subject: [PATCH %0*d/%d] ", len(fmt.Sprint(of)), number, of)
	}
	b.WriteString(tag)
	if needsEncoding(subject) {
		b.WriteString(encodeWords(subject, len(tag), false))
	} else {
		b.WriteString(wrapWords(subject, len(tag)))
	}
	b.WriteByte('\n')
	if !isASCII(c.Message) {
		b.WriteString("MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n")
	}
	b.WriteByte('\n')
	if body != "" {
		b.WriteString(body + "\n")
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// splitMessage cuts a message into its first paragraph on one line and the
// rest, without trailing white space.
func splitMessage(message string) (subject, body string) {
	lines := strings.Split(message, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	skipBlank := func() {
		for len(lines) > 0 && lines[0] == "" {
			lines = lines[1:]
		}
	}
	skipBlank()
	n := slices.Index(lines, "")
	if n < 0 {
		n = len(lines)
	}
	subject = strings.Join(lines[:n], " ")
	lines = lines[n:]
	skipBlank()
	return subject, strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func mailAddress(s Signature) string {
	name := withoutCrud(s.Name)
	column := len("From: ")
	width := 78
	switch {
	case needsEncoding(name):
		name, width = encodeWords(name, column, true), 76
	case strings.ContainsAny(name, `()<>[]:;@\,."`):
		name = wrapWords(`"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name)+`"`, column)
	default:
		name = wrapWords(name, column)
	}
	address := " <" + withoutCrud(s.Email) + ">"
	last := column + len(name)
	if i := strings.LastIndexByte(name, '\n'); i >= 0 {
		last = len(name) - i - 1
	}
	if last+len(address) > width {
		name += "\n"
	}
	return name + address
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// needsEncoding says whether a header cannot carry a text as it is.
func needsEncoding(text string) bool {
	return !isASCII(text) || strings.ContainsAny(text, "\n\x1b") || strings.Contains(text, "=?")
}

// wrapWords folds a header's text at spaces so that lines stay within 78
// columns; the first begins at a column.
func wrapWords(text string, column int) string {
	const width = 78
	var b strings.Builder
	for i, word := range strings.Split(text, " ") {
		length := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+length > width:
			b.WriteByte('\n')
			column = 0
			fallthrough
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += length
	}
	return b.String()
}

// encodeWords writes a text as RFC 2047 encoded words in the way of git: one
// character after the other, a new word where a line would pass 76 columns.
func encodeWords(text string, column int, address bool) string {
	const width, open = 76, "=?UTF-8?q?"
	var b strings.Builder
	b.WriteString(open)
	column += len(open)
	for len(text) > 0 {
		_, size := utf8.DecodeRuneInString(text)
		char := text[:size]
		text = text[size:]
		if size > 1 || isSpecial(char[0], address) {
			char = strings.ToUpper(fmt.Sprintf("%x", char))
			var hex strings.Builder
			for i := 0; i < len(char); i += 2 {
				hex.WriteString("=" + char[i:i+2])
			}
			char = hex.String()
		}
		if column+len(char)+2 > width {
			b.WriteString("?=\n " + open)
			column = len(open) + 1
		}
		b.WriteString(char)
		column += len(char)
	}
	b.WriteString("?=")
	return b.String()
}

func isSpecial(c byte, address bool) bool {
	if c <= ' ' || c >= 0x7f || strings.IndexByte("=?_", c) >= 0 {
		return true
	}
	letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	return address && !letter && strings.IndexByte("!*+-/", c) < 0
}
