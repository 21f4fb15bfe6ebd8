// Package content is the git of the fake Bitbucket: commits, trees and files in
// memory, and what Bitbucket asks of git about them (changes with renames,
// hunks, patches, history, merge bases, merges, blame, archives).
//
// It knows nothing of Bitbucket. Ids, scores, hunks and orders equal those of
// the git program, which is what Bitbucket runs; the tests build the same
// history with git and compare. Where git's answer depends on its release or
// its configuration, this is git 2.39 with its default configuration, and the
// comment at the place says so.
//
// Objects are written here rather than by go-git: git's three object formats
// are a page of code, and go-git costs every start of the program several
// milliseconds and would be used for nothing else (its renames lack copies, it
// has no merge, its path history is wrong at merges).
package content

import (
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// ErrNotFound is what the error wraps when an id names no object, or a path is
// not in a commit.
var ErrNotFound = errors.New("not found")

// ErrAmbiguous is what the error wraps when a short id fits several objects.
var ErrAmbiguous = errors.New("ambiguous")

// ErrInvalid is what the error wraps when git could not store what was given: a
// path, a name or a mode that its formats do not allow.
var ErrInvalid = errors.New("invalid")

// ZeroID is how git writes "no object": 40 zeros.
const ZeroID = "0000000000000000000000000000000000000000"

// EmptyTreeID is the id of the tree without entries.
const EmptyTreeID = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// Store holds the objects of one repository. Make it with New. Everything that
// reads may run at the same time as everything else; what writes is serialised.
type Store struct {
	mu      sync.RWMutex
	blobs   map[hash][]byte
	trees   map[hash][]node
	commits map[hash]*commit
	tags    map[hash]*TagInfo
	// near holds all ids by their first 7 digits.
	near map[uint32][]hash
}

// New returns a store without objects.
func New() *Store {
	s := &Store{
		blobs:   map[hash][]byte{},
		trees:   map[hash][]node{},
		commits: map[hash]*commit{},
		tags:    map[hash]*TagInfo{},
		near:    map[uint32][]hash{},
	}
	s.writeNodes(nil)
	return s
}

// remember makes an id known that was not stored before.
func (s *Store) remember(h hash) { s.near[h.short()] = append(s.near[h.short()], h) }

// hash is the name of an object in git's SHA-1 format.
type hash [sha1.Size]byte

func (h hash) String() string { return hex.EncodeToString(h[:]) }
func (h hash) isZero() bool   { return h == hash{} }

// short is the first 7 digits as a number.
func (h hash) short() uint32 { return binary.BigEndian.Uint32(h[:]) >> 4 }

// parseHash reads a full id, in either letter case as git does.
func parseHash(id string) (hash, bool) {
	var h hash
	if len(id) != 2*len(h) {
		return h, false
	}
	_, err := hex.Decode(h[:], []byte(id))
	return h, err == nil
}

// hashObject names a body as git does: over its kind, its length and itself.
func hashObject(kind string, body []byte) hash {
	d := sha1.New()
	d.Write([]byte(kind + " " + strconv.Itoa(len(body)) + "\x00"))
	d.Write(body)
	var h hash
	d.Sum(h[:0])
	return h
}

// Resolve returns the full id of the commit, tag, tree or file content that an
// id or the beginning of one (4 characters at least, as for git) names. When it
// fits a commit and other objects, the commit is meant, as where git wants a
// commit. The error wraps ErrNotFound or ErrAmbiguous.
func (s *Store) Resolve(prefix string) (string, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p := strings.ToLower(prefix)
	if len(p) < 4 || len(p) > 40 || strings.Trim(p, "0123456789abcdef") != "" {
		return "", fmt.Errorf("object %q: %w", prefix, ErrNotFound)
	}
	if h, ok := parseHash(p); ok {
		if s.has(h) {
			return p, nil
		}
		return "", fmt.Errorf("object %q: %w", prefix, ErrNotFound)
	}
	found := matching(s.commits, p, nil)
	if len(found) == 0 {
		found = matching(s.tags, p, found)
		found = matching(s.trees, p, found)
		found = matching(s.blobs, p, found)
	}
	switch len(found) {
	case 0:
		return "", fmt.Errorf("object %q: %w", prefix, ErrNotFound)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("object %q: %w", prefix, ErrAmbiguous)
}

func (s *Store) has(h hash) bool {
	_, blob := s.blobs[h]
	_, tree := s.trees[h]
	_, tag := s.tags[h]
	return blob || tree || tag || s.commits[h] != nil
}

func matching[V any](objects map[hash]V, prefix string, found []string) []string {
	for h := range objects {
		if id := h.String(); strings.HasPrefix(id, prefix) {
			found = append(found, id)
		}
	}
	return found
}

// commitAt returns the commit that a full or short id names, through annotated
// tags. The caller holds the lock.
func (s *Store) commitAt(id string) (*commit, error) {
	h, ok := parseHash(id)
	if !ok && len(id) >= 4 && len(id) < 40 {
		found := matching(s.commits, strings.ToLower(id), nil)
		if len(found) > 1 {
			return nil, fmt.Errorf("commit %q: %w", id, ErrAmbiguous)
		}
		if len(found) == 1 {
			h, _ = parseHash(found[0])
		}
	}
	if tag := s.tags[h]; tag != nil {
		h, _ = parseHash(tag.Target)
	}
	if c := s.commits[h]; c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("commit %q: %w", id, ErrNotFound)
}

// treeAt returns the tree of a commit, or the tree itself when the id is one's;
// "" is the empty tree. The caller holds the lock.
func (s *Store) treeAt(id string) (hash, error) {
	if id == "" {
		return hashObject("tree", nil), nil
	}
	if h, ok := parseHash(id); ok {
		if _, ok := s.trees[h]; ok {
			return h, nil
		}
	}
	c, err := s.commitAt(id)
	if err != nil {
		return hash{}, err
	}
	return c.tree, nil
}
