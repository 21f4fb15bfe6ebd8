// Package cassettes holds what a Bitbucket said: one folder per story, with
// head.yaml (who said it, when, as whom) beside recording.yaml (go-vcr). It
// records, scrubs, opens and checks them.
//
// A recording says whether a real Bitbucket or the fake made it. It is saved
// sorted, and without what differs between two recordings of one state:
// durations, dates, request and session ids.
package cassettes

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/dnaeon/go-vcr/v2/cassette"
	"github.com/dnaeon/go-vcr/v2/recorder"
	"go.yaml.in/yaml/v3"
)

// The makers of recordings.
const (
	FromFake      = "fake"
	FromBitbucket = "bitbucket"
)

// BaseURL is the address every recording is made to seem to come from.
const BaseURL = "https://bitbucket.example.com"

const (
	headFile      = "head.yaml"
	recordingFile = "recording" // go-vcr adds .yaml
)

// Story is some calls whose requests are recorded together.
type Story struct {
	// Name is the name of the folder.
	Name string `yaml:"name"`
	// About says in a sentence what the story shows.
	About string `yaml:"about"`
	// As is the fake's user who calls. A real Bitbucket is read with its own
	// credentials.
	As string `yaml:"as"`
	// Calls are made one after the other, each by a server that has just
	// started.
	Calls []Call `yaml:"calls"`
}

// Call is a call of one tool.
type Call struct {
	// Name tells it from the other calls of its story. Default: the tool's.
	Name      string         `yaml:"name"`
	Tool      string         `yaml:"tool"`
	Arguments map[string]any `yaml:"arguments"`
}

//go:embed stories.yaml
var stories []byte

// Stories are the stories to record into dir: those of its stories.yaml, or
// bb's own when it has none.
func Stories(dir string) ([]Story, error) {
	data, file := stories, "stories.yaml"
	if own, err := os.ReadFile(filepath.Join(dir, "stories.yaml")); err == nil {
		data, file = own, filepath.Join(dir, "stories.yaml")
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var list []Story
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&list); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	seen := map[string]bool{}
	for _, s := range list {
		switch {
		case s.Name == "" || len(s.Calls) == 0:
			return nil, fmt.Errorf("%s: a story needs a name and calls", file)
		case s.Name != filepath.Base(s.Name) || strings.HasPrefix(s.Name, "."):
			return nil, fmt.Errorf("%s: story %q: the name must be that of a folder", file, s.Name)
		case seen[s.Name]:
			return nil, fmt.Errorf("%s: two stories are named %q", file, s.Name)
		}
		seen[s.Name] = true
		if err := nameCalls(s.Calls); err != nil {
			return nil, fmt.Errorf("%s: story %q: %w", file, s.Name, err)
		}
	}
	return list, nil
}

// nameCalls gives calls without a name their tool's.
func nameCalls(calls []Call) error {
	seen := map[string]bool{}
	for i := range calls {
		c := &calls[i]
		if c.Tool == "" {
			return errors.New("a call needs a tool")
		}
		if c.Name == "" {
			c.Name = c.Tool
		}
		if c.Name != filepath.Base(c.Name) || strings.HasPrefix(c.Name, ".") {
			return fmt.Errorf("call %q: the name must be that of a file", c.Name)
		}
		if seen[c.Name] {
			return fmt.Errorf("two calls are named %q", c.Name)
		}
		seen[c.Name] = true
	}
	return nil
}

// Dir is this folder in the source tree, for tests.
func Dir() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}

// Head says what a recording is.
type Head struct {
	Story   string `yaml:"story"`
	About   string `yaml:"about"`
	MadeBy  string `yaml:"madeBy"` // FromFake or FromBitbucket
	Release string `yaml:"release"`
	Date    string `yaml:"date"` // the fake's clock, or the day of the recording
	As      string `yaml:"as"`
	// Scrub are the rules that were applied, in order.
	Scrub []Rule `yaml:"scrub,omitempty"`
}

// Recorder is a transport that records what goes through it.
type Recorder struct {
	dir  string
	temp string
	head Head
	vcr  *recorder.Recorder
}

// Record starts a recording of what transport answers, for the folder
// dir/head.Story. Nothing is written there before Save.
func Record(dir string, head Head, transport http.RoundTripper) (*Recorder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp(dir, ".recording-")
	if err != nil {
		return nil, err
	}
	vcr, err := recorder.NewAsMode(filepath.Join(temp, recordingFile), recorder.ModeRecording, transport)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	// Credentials are dropped as soon as they were seen, not only at the end.
	vcr.AddFilter(func(i *cassette.Interaction) error {
		i.Request.Headers = i.Request.Headers.Clone()
		i.Request.Headers.Del("Authorization")
		i.Request.Headers.Del("Cookie")
		return nil
	})
	return &Recorder{dir: filepath.Join(dir, head.Story), temp: temp, head: head, vcr: vcr}, nil
}

// RoundTrip sends req on and records the answer.
func (r *Recorder) RoundTrip(req *http.Request) (*http.Response, error) { return r.vcr.RoundTrip(req) }

// Discard drops the recording.
func (r *Recorder) Discard() error { return os.RemoveAll(r.temp) }

// Save scrubs and sorts the recording and puts it in its folder's place, whole
// or not at all.
func (r *Recorder) Save() error {
	defer os.RemoveAll(r.temp)
	if err := r.vcr.Stop(); err != nil {
		return err
	}
	c, err := cassette.Load(filepath.Join(r.temp, recordingFile))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("story %s made no request", r.head.Story)
	} else if err != nil {
		return err
	}
	for _, i := range c.Interactions {
		scrub(i, r.head.Scrub)
	}
	slices.SortStableFunc(c.Interactions, func(a, b *cassette.Interaction) int {
		return strings.Compare(a.URL+" "+a.Method+" "+a.Request.Body, b.URL+" "+b.Method+" "+b.Request.Body)
	})
	if err := c.Save(); err != nil {
		return err
	}
	var head bytes.Buffer
	e := yaml.NewEncoder(&head)
	e.SetIndent(2)
	if err := e.Encode(r.head); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.temp, headFile), head.Bytes(), 0o644); err != nil {
		return err
	}
	if err := os.RemoveAll(r.dir); err != nil {
		return err
	}
	if err := os.Chmod(r.temp, 0o755); err != nil {
		return err
	}
	return os.Rename(r.temp, r.dir)
}

// Player is a transport that answers from a recording and never from a
// network.
type Player struct {
	// Head is the recording's head.
	Head Head

	dir      string
	mu       sync.Mutex
	cassette *cassette.Cassette
	played   map[*cassette.Interaction]bool
}

// Open opens the recording in dir. A missing one is an error that says how to
// record.
func Open(dir string) (*Player, error) {
	head, err := os.ReadFile(filepath.Join(dir, headFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no recording in %s; make it with: go run ./cmd/bb ai mcp record --fake --out cassettes", dir)
	} else if err != nil {
		return nil, err
	}
	p := &Player{dir: dir, played: map[*cassette.Interaction]bool{}}
	d := yaml.NewDecoder(bytes.NewReader(head))
	d.KnownFields(true)
	if err := d.Decode(&p.Head); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, headFile), err)
	}
	if p.cassette, err = cassette.Load(filepath.Join(dir, recordingFile)); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return p, nil
}

// RoundTrip answers req with the first recorded answer to the same method,
// address and body that was not given yet.
func (p *Player) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		req.Body.Close()
	}
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, i := range p.cassette.Interactions {
		if p.played[i] || i.Method != req.Method || i.URL != req.URL.String() || i.Request.Body != string(body) {
			continue
		}
		p.played[i] = true
		return &http.Response{
			Status: i.Status, StatusCode: i.Code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
			Header: i.Response.Headers.Clone(), ContentLength: int64(len(i.Response.Body)), Body: io.NopCloser(strings.NewReader(i.Response.Body)),
		}, nil
	}
	return nil, fmt.Errorf("%s holds no answer to %s %s that was not given yet; record again with: go run ./cmd/bb ai mcp record --fake --out cassettes", p.dir, req.Method, req.URL)
}

// Unused names the recorded requests that were not asked for.
func (p *Player) Unused() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var left []string
	for _, i := range p.cassette.Interactions {
		if !p.played[i] {
			left = append(left, i.Method+" "+i.URL)
		}
	}
	return left
}

// Interactions are the recorded requests and answers, for checks.
func (p *Player) Interactions() []*cassette.Interaction { return p.cassette.Interactions }
