package content

import (
	"fmt"
	"slices"
	"strings"
)

// CommitSpec is a commit to be made.
type CommitSpec struct {
	// Tree holds every file of the commit by its whole path.
	Tree map[string]File
	// TreeID, when not empty, is a stored tree to commit instead (of another
	// commit, or of a merge).
	TreeID string
	// Parents are the full ids of commits of this store.
	Parents []string
	Author  Signature
	// Committer is the author when zero.
	Committer Signature
	// Message is stored with a newline at its end, as git commit stores it.
	Message string
}

// CommitInfo is a stored commit.
type CommitInfo struct {
	ID, TreeID        string
	Parents           []string
	Author, Committer Signature
	// Message is the whole message, with the newline it is stored with.
	Message string
}

// TagSpec is an annotated tag to be made.
type TagSpec struct {
	// Name is the tag's own name, without refs/tags/.
	Name string
	// Target is the full id of a commit.
	Target  string
	Tagger  Signature
	Message string
}

// TagInfo is a stored annotated tag.
type TagInfo struct {
	ID, Name, Target string
	Tagger           Signature
	Message          string
}

// commit is a stored commit as the walks want it.
type commit struct {
	info    CommitInfo
	id      hash
	tree    hash
	parents []*commit
	date    int64
}

// Commit stores a commit and returns its id, which is the one git gives to the
// same commit. Storing one twice changes nothing. The error wraps ErrInvalid or,
// for a parent, ErrNotFound.
func (s *Store) Commit(spec CommitSpec) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if spec.Committer == (Signature{}) {
		spec.Committer = spec.Author
	}
	author, err := spec.Author.line()
	if err != nil {
		return "", fmt.Errorf("author: %w", err)
	}
	committer, err := spec.Committer.line()
	if err != nil {
		return "", fmt.Errorf("committer: %w", err)
	}
	if strings.ContainsRune(spec.Message, 0) {
		return "", fmt.Errorf("message: %w: it holds a NUL", ErrInvalid)
	}
	var parents []*commit
	for _, id := range spec.Parents {
		h, _ := parseHash(id)
		p := s.commits[h]
		if p == nil {
			return "", fmt.Errorf("parent %q: %w", id, ErrNotFound)
		}
		parents = append(parents, p)
	}
	tree, err := s.specTree(spec)
	if err != nil {
		return "", err
	}

	message := withNewline(spec.Message)
	var body strings.Builder
	fmt.Fprintf(&body, "tree %s\n", tree)
	for _, p := range parents {
		fmt.Fprintf(&body, "parent %s\n", p.id)
	}
	fmt.Fprintf(&body, "author %s\ncommitter %s\n\n%s", author, committer, message)
	id := hashObject("commit", []byte(body.String()))
	if s.commits[id] != nil {
		return id.String(), nil
	}
	s.remember(id)
	s.commits[id] = &commit{
		info: CommitInfo{
			ID: id.String(), TreeID: tree.String(), Parents: slices.Clone(spec.Parents),
			Author: spec.Author, Committer: spec.Committer, Message: message,
		},
		id: id, tree: tree, parents: parents, date: spec.Committer.When.Unix(),
	}
	return id.String(), nil
}

func (s *Store) specTree(spec CommitSpec) (hash, error) {
	if spec.TreeID == "" {
		return s.writeTree(spec.Tree)
	}
	h, ok := parseHash(spec.TreeID)
	if _, there := s.trees[h]; !ok || !there {
		return hash{}, fmt.Errorf("tree %q: %w", spec.TreeID, ErrNotFound)
	}
	return h, nil
}

func withNewline(message string) string {
	if message == "" || strings.HasSuffix(message, "\n") {
		return message
	}
	return message + "\n"
}

// Tag stores an annotated tag object and returns its id, which is git's.
func (s *Store) Tag(spec TagSpec) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tagger, err := spec.Tagger.line()
	if err != nil {
		return "", fmt.Errorf("tagger: %w", err)
	}
	if spec.Name == "" || strings.ContainsAny(spec.Name, "\n\x00") || strings.ContainsRune(spec.Message, 0) {
		return "", fmt.Errorf("tag %q: %w", spec.Name, ErrInvalid)
	}
	h, _ := parseHash(spec.Target)
	if s.commits[h] == nil {
		return "", fmt.Errorf("tag %q: commit %q: %w", spec.Name, spec.Target, ErrNotFound)
	}
	message := withNewline(spec.Message)
	id := hashObject("tag", fmt.Appendf(nil, "object %s\ntype commit\ntag %s\ntagger %s\n\n%s", h, spec.Name, tagger, message))
	if s.tags[id] == nil {
		s.remember(id)
	}
	s.tags[id] = &TagInfo{ID: id.String(), Name: spec.Name, Target: h.String(), Tagger: spec.Tagger, Message: message}
	return id.String(), nil
}

// TagInfo returns an annotated tag by the id of the tag object. The error wraps
// ErrNotFound.
func (s *Store) TagInfo(id string) (TagInfo, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if h, ok := parseHash(id); ok && s.tags[h] != nil {
		return *s.tags[h], nil
	}
	return TagInfo{}, fmt.Errorf("tag object %q: %w", id, ErrNotFound)
}

// CommitInfo returns a commit by its full or short id, or by the id of a tag
// object that names it. The error wraps ErrNotFound or ErrAmbiguous.
func (s *Store) CommitInfo(id string) (CommitInfo, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c, err := s.commitAt(id)
	if err != nil {
		return CommitInfo{}, err
	}
	return c.copyInfo(), nil
}

func (c *commit) copyInfo() CommitInfo {
	info := c.info
	info.Parents = slices.Clone(info.Parents)
	return info
}

// Parents returns the ids of a commit's parents, in their order.
func (s *Store) Parents(id string) ([]string, error) {
	info, err := s.CommitInfo(id)
	return info.Parents, err
}
