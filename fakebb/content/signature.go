package content

import (
	"fmt"
	"strings"
	"time"
)

// Signature says who made a commit or a tag, and when.
type Signature struct {
	Name, Email string
	// When is stored in whole seconds with its zone.
	When time.Time
}

// line is the signature as objects carry it.
func (s Signature) line() (string, error) {
	name := withoutCrud(s.Name)
	if name == "" {
		return "", fmt.Errorf("name %q: %w: git wants a name", s.Name, ErrInvalid)
	}
	if strings.ContainsRune(s.Name+s.Email, 0) {
		return "", fmt.Errorf("name %q: %w: it holds a NUL", s.Name, ErrInvalid)
	}
	if s.When.Unix() < 0 {
		return "", fmt.Errorf("date %s: %w: git has none before 1970", s.When, ErrInvalid)
	}
	return fmt.Sprintf("%s <%s> %d %s", name, withoutCrud(s.Email), s.When.Unix(), s.When.Format("-0700")), nil
}

// notInNames takes out what would end a name or an address.
var notInNames = strings.NewReplacer("\n", "", "<", "", ">", "")

// withoutCrud takes out what git takes out of names and addresses: what would
// end the field, and punctuation and control characters around it.
func withoutCrud(text string) string {
	text = strings.TrimFunc(text, func(r rune) bool {
		return r <= ' ' || strings.ContainsRune(`.,:;<>"\'`, r)
	})
	return notInNames.Replace(text)
}
