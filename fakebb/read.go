package fakebb

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"
)

var (
	commitsName     = regexp.MustCompile(`^([^/]+)/([^/]+)/commits\.yaml$`)
	pullRequestName = regexp.MustCompile(`^([^/]+)/([^/]+)/pull-requests/([1-9][0-9]*)\.yaml$`)
	fileName        = regexp.MustCompile(`^([^/]+)/([^/]+)/files/([^/]+)/(.+)$`)
)

// readDeclarations reads the sections of a scenario file, side by side: reading
// YAML is what loading takes longest for. The error is that of the first section
// that has one.
func readDeclarations(name string, data []byte) (*declarations, error) {
	archive := txtar.Parse(data)
	offsets := sectionOffsets(data)
	d := &declarations{}
	whole := place{archive: name, section: "the scenario"}
	if len(archive.Files) == 0 {
		return nil, whole.errorf(1, "no sections; the file is not a txtar archive")
	}
	var (
		seen         = map[string]bool{}
		clock        clockDecl
		commits      []*commitsFile
		pullRequests []*pullRequestFile
		faults       = make([]error, len(archive.Files))
		reading      sync.WaitGroup
	)
	for i, f := range archive.Files {
		at := place{name, f.Name, offsets[i]}
		if seen[f.Name] {
			faults[i] = at.errorf(0, "is there twice")
			break
		}
		seen[f.Name] = true

		decode := func(into any) {
			reading.Go(func() { faults[i] = at.decode(f.Data, into) })
		}
		switch f.Name {
		case "clock.yaml":
			d.startAt = at
			decode(&clock)
		case "people.yaml":
			d.peopleAt = at
			decode(&d.people)
		case "projects.yaml":
			d.projectsAt = at
			decode(&d.projects)
		default:
			if m := commitsName.FindStringSubmatch(f.Name); m != nil {
				c := &commitsFile{at: at, project: m[1], slug: m[2]}
				commits = append(commits, c)
				decode(&c.commits)
			} else if m := pullRequestName.FindStringSubmatch(f.Name); m != nil {
				p := &pullRequestFile{at: at, project: m[1], slug: m[2]}
				var err error
				if p.id, err = parseNumber(m[3]); err != nil {
					faults[i] = at.errorf(0, "the number of the pull request is too large")
					break
				}
				pullRequests = append(pullRequests, p)
				decode(&p.decl)
			} else if m := fileName.FindStringSubmatch(f.Name); m != nil {
				d.files = append(d.files, fileSection{at: at, project: m[1], slug: m[2], commit: m[3], path: m[4], data: f.Data})
			} else {
				faults[i] = at.errorf(0, "unknown section; known are clock.yaml, people.yaml, projects.yaml, PROJECT/REPO/commits.yaml, PROJECT/REPO/files/COMMIT/PATH and PROJECT/REPO/pull-requests/N.yaml")
			}
		}
	}
	reading.Wait()
	if err := cmp.Or(faults...); err != nil {
		return nil, err
	}
	d.start = clock.Start
	for _, c := range commits {
		d.commits = append(d.commits, *c)
	}
	for _, p := range pullRequests {
		d.pullRequests = append(d.pullRequests, *p)
	}
	for _, needed := range []string{"clock.yaml", "people.yaml", "projects.yaml"} {
		if !seen[needed] {
			return nil, whole.errorf(1, "section %s is missing", needed)
		}
	}
	return d, nil
}

// sectionOffsets returns, for each file of the archive, the number of the line
// with its marker. txtar itself does not tell.
func sectionOffsets(data []byte) []int {
	var offsets []int
	line := 0
	for text := range bytes.Lines(data) {
		line++
		text = bytes.TrimRight(text, "\r\n")
		if marked, ok := bytes.CutPrefix(text, []byte("-- ")); ok {
			if marked, ok = bytes.CutSuffix(marked, []byte(" --")); ok && len(bytes.TrimSpace(marked)) > 0 {
				offsets = append(offsets, line)
			}
		}
	}
	return offsets
}

// decode reads YAML, expands what is repeated and refuses keys that into does
// not have.
func (p place) decode(data []byte, into any) error {
	var document, second yaml.Node
	reading := yaml.NewDecoder(bytes.NewReader(data))
	err := reading.Decode(&document)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil && reading.Decode(&second) == nil {
		return p.errorf(second.Line, "a section is one document, and here begins another")
	}
	if err == nil {
		err = cmp.Or(expandRepeats(&document), keyCheck{}.check(&document, reflect.TypeOf(into)))
		if err == nil {
			err = document.Decode(into)
		}
	}
	if err == nil {
		return nil
	}
	message := err.Error()
	var several *yaml.TypeError
	if errors.As(err, &several) && len(several.Errors) > 0 {
		message = several.Errors[0]
	}
	return p.yamlError(message)
}

var reader = reflect.TypeFor[yaml.Unmarshaler]()

// keyCheck refuses a mapping with a key that the struct it is read into does not
// have, and knows the keys of the structs it has met. A yaml.Decoder could do
// that, but not after repeats were expanded.
type keyCheck map[reflect.Type]map[string]reflect.Type

func (k keyCheck) check(n *yaml.Node, t reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(reader) {
		return nil
	}
	switch {
	case n.Kind == yaml.DocumentNode:
		return k.check(n.Content[0], t)
	case n.Kind == yaml.AliasNode:
		return k.check(n.Alias, t)
	case n.Kind == yaml.SequenceNode && t.Kind() == reflect.Slice:
		for _, item := range n.Content {
			if err := k.check(item, t.Elem()); err != nil {
				return err
			}
		}
	case n.Kind == yaml.MappingNode && t.Kind() == reflect.Struct:
		known := k[t]
		if known == nil {
			known = keysOf(t)
			k[t] = known
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			field, ok := known[key.Value]
			if !ok {
				return fmt.Errorf("line %d: unknown key %q", key.Line, key.Value)
			}
			if err := k.check(n.Content[i+1], field); err != nil {
				return err
			}
		}
	}
	return nil
}

// keysOf are the keys of a struct and the types of their values.
func keysOf(t reflect.Type) map[string]reflect.Type {
	keys := map[string]reflect.Type{}
	for field := range t.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		if options == "inline" {
			maps.Copy(keys, keysOf(field.Type))
			continue
		}
		keys[name] = field.Type
	}
	return keys
}

var (
	yamlLine     = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?`)
	yamlTwice    = regexp.MustCompile(`^mapping key (\S+) already defined at line \d+$`)
	yamlMismatch = regexp.MustCompile(`^cannot unmarshal !!(\S+) (?:(.*) )?into \S+$`)
)

// yamlError says in this package's words, with the archive's line, what the
// YAML reader said about Go types.
func (p place) yamlError(message string) error {
	m := yamlLine.FindStringSubmatch(message)
	line, _ := strconv.Atoi(m[1])
	message = strings.TrimPrefix(message, m[0])
	if m := yamlTwice.FindStringSubmatch(message); m != nil {
		message = fmt.Sprintf("key %s is there twice", m[1])
	} else if m := yamlMismatch.FindStringSubmatch(message); m != nil {
		message = strings.TrimSpace(fmt.Sprintf("a value of another type is needed here than %s %s", m[1], m[2]))
	}
	return p.errorf(line, "%s", message)
}

// word is a text that knows where it was written.
type word struct {
	value string
	line  int
}

// UnmarshalYAML keeps the line beside the text.
func (w *word) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return fmt.Errorf("line %d: a text is needed here", n.Line)
	}
	w.value, w.line = n.Value, n.Line
	return nil
}

// moment is a time that knows where it was written.
type moment struct {
	time time.Time
	line int
}

// UnmarshalYAML reads a time such as 2026-11-27T14:32:00Z, to which a duration
// may be added: 2026-11-27T14:32:00Z + 90m.
func (m *moment) UnmarshalYAML(n *yaml.Node) error {
	text, later, added := strings.Cut(n.Value, " + ")
	t, err := time.Parse(time.RFC3339, text)
	if added && err == nil {
		var d time.Duration
		d, err = time.ParseDuration(later)
		t = t.Add(d)
	}
	if n.Kind != yaml.ScalarNode || err != nil {
		return fmt.Errorf("line %d: %q is not a time such as 2026-11-27T14:32:00Z", n.Line, n.Value)
	}
	m.time, m.line = t.UTC(), n.Line
	return nil
}

// millis is the moment as Bitbucket sends it, 0 for one that was not given.
func (m moment) millis() int64 {
	if m.time.IsZero() {
		return 0
	}
	return m.time.UnixMilli()
}

// place is a file of the archive, for errors.
type place struct {
	archive string // the txtar file
	section string // the file in it
	offset  int    // lines of the archive before the section's first
}

func (p place) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s: %s", p.archive, p.offset+line, p.section, fmt.Sprintf(format, args...))
}
