package content

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

// Mode is what a path is, as git's trees know it.
type Mode uint32

// The modes of files, by git's own numbers. The zero Mode means Regular where a
// file is given, and "not there" where a change is described.
const (
	Regular    Mode = 0o100644
	Executable Mode = 0o100755
	Symlink    Mode = 0o120000
	Submodule  Mode = 0o160000
	Directory  Mode = 0o040000
)

// String is the mode in the six digits that git prints.
func (m Mode) String() string { return fmt.Sprintf("%06o", uint32(m)) }

// kind drops what may change without the file becoming another kind of thing.
func (m Mode) kind() Mode { return m &^ 0o777 }

func (m Mode) isRegular() bool { return m.kind() == Regular.kind() }

// File is the content of one path.
type File struct {
	// Data is the content; of a Symlink the path it points to. Reading gives a
	// slice that is the store's own: do not change it.
	Data []byte
	// Mode is Regular when zero.
	Mode Mode
	// ID is the id of the content. When a commit is made it is read for a
	// Submodule only, and is the commit that the submodule stands at.
	ID string
}

// Entry is what a directory holds under one name.
type Entry struct {
	// Name is the last component of the path, Path the whole of it.
	Name, Path string
	Mode       Mode
	// ID is the content's id, a directory's tree, a submodule's commit.
	ID string
	// Size is the number of bytes of a file's content, else 0.
	Size int
}

// node is an entry of a stored tree.
type node struct {
	name string
	mode Mode
	id   hash
}

// sortName is what git orders the entries of a tree by: directories as if a
// slash followed.
func (n node) sortName() string {
	if n.mode == Directory {
		return n.name + "/"
	}
	return n.name
}

func bySortName(n node, name string) int { return strings.Compare(n.sortName(), name) }

// writeTree stores files given by their whole paths, and returns the top tree.
// Nothing is stored when one of the paths cannot be.
func (s *Store) writeTree(files map[string]File) (hash, error) {
	for path, file := range files {
		if err := checkFile(path, file); err != nil {
			return hash{}, err
		}
		for i := range path {
			if path[i] == '/' {
				if _, taken := files[path[:i]]; taken {
					return hash{}, fmt.Errorf("path %q: %w: %q is a file", path, ErrInvalid, path[:i])
				}
			}
		}
	}
	nodes := make(map[string]node, len(files))
	for path, file := range files {
		nodes[path] = s.writeFile(file)
	}
	return s.writePaths(nodes), nil
}

// writePaths stores the tree that has stored contents at these paths.
func (s *Store) writePaths(nodes map[string]node) hash {
	return s.writeDirectory(nodes, slices.Sorted(maps.Keys(nodes)), 0)
}

// writeDirectory stores the paths, which are sorted and alike up to from.
func (s *Store) writeDirectory(files map[string]node, paths []string, from int) hash {
	var nodes []node
	for i := 0; i < len(paths); {
		name, _, isDir := strings.Cut(paths[i][from:], "/")
		if !isDir {
			n := files[paths[i]]
			n.name = name
			nodes = append(nodes, n)
			i++
			continue
		}
		dir := paths[i][:from+len(name)+1]
		end := i + sort.Search(len(paths)-i, func(k int) bool { return !strings.HasPrefix(paths[i+k], dir) })
		nodes = append(nodes, node{name, Directory, s.writeDirectory(files, paths[i:end], len(dir))})
		i = end
	}
	return s.writeNodes(nodes)
}

func (s *Store) writeFile(file File) node {
	switch file.Mode {
	case Submodule:
		id, _ := parseHash(file.ID)
		return node{mode: Submodule, id: id}
	case 0:
		file.Mode = Regular
	}
	return node{mode: file.Mode, id: s.writeBlob(file.Data)}
}

func (s *Store) writeBlob(data []byte) hash {
	id := hashObject("blob", data)
	if _, there := s.blobs[id]; !there {
		s.blobs[id] = append([]byte{}, data...)
		s.remember(id)
	}
	return id
}

func (s *Store) writeNodes(nodes []node) hash {
	slices.SortFunc(nodes, func(a, b node) int { return strings.Compare(a.sortName(), b.sortName()) })
	var body bytes.Buffer
	for _, n := range nodes {
		fmt.Fprintf(&body, "%o %s\x00", uint32(n.mode), n.name)
		body.Write(n.id[:])
	}
	id := hashObject("tree", body.Bytes())
	if _, there := s.trees[id]; !there {
		s.trees[id] = nodes
		s.remember(id)
	}
	return id
}

func checkFile(path string, file File) error {
	if path == "" {
		return fmt.Errorf("path %q: %w: it is empty", path, ErrInvalid)
	}
	for name := range strings.SplitSeq(path, "/") {
		switch {
		case name == "":
			return fmt.Errorf("path %q: %w: one of its names is empty", path, ErrInvalid)
		case name == ".", name == "..", strings.EqualFold(name, ".git"):
			return fmt.Errorf("path %q: %w: git refuses the name %q", path, ErrInvalid, name)
		case strings.ContainsRune(name, 0):
			return fmt.Errorf("path %q: %w: it holds a NUL", path, ErrInvalid)
		}
	}
	switch file.Mode {
	case 0, Regular, Executable, Symlink:
	case Submodule:
		if h, ok := parseHash(file.ID); !ok || h.isZero() {
			return fmt.Errorf("path %q: %w: a submodule needs the id of a commit, not %q", path, ErrInvalid, file.ID)
		}
	default:
		return fmt.Errorf("path %q: %w: there is no mode %s", path, ErrInvalid, file.Mode)
	}
	return nil
}

// Entries lists what is directly in a directory of a commit ("" is the top), in
// the order of git's trees. The error wraps ErrNotFound when there is no such
// directory.
func (s *Store) Entries(commit, dir string) ([]Entry, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	tree, err := s.directory(commit, dir)
	if err != nil {
		return nil, err
	}
	entries := make([]Entry, 0, len(s.trees[tree]))
	for _, n := range s.trees[tree] {
		entries = append(entries, s.entry(join(dir, n.name), n))
	}
	return entries, nil
}

func (s *Store) entry(path string, n node) Entry {
	e := Entry{Name: n.name, Path: path, Mode: n.mode, ID: n.id.String()}
	if n.mode != Directory && n.mode != Submodule {
		e.Size = len(s.blobs[n.id])
	}
	return e
}

// Paths lists the paths of all files below a directory of a commit ("" is the
// top), whole, in the order of git's trees.
func (s *Store) Paths(commit, dir string) ([]string, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	tree, err := s.directory(commit, dir)
	if err != nil {
		return nil, err
	}
	paths := []string{}
	s.eachFile(tree, dir, func(path string, _ node) { paths = append(paths, path) })
	return paths, nil
}

// eachFile visits what is below a tree, directories themselves left out.
func (s *Store) eachFile(tree hash, dir string, visit func(path string, n node)) {
	for _, n := range s.trees[tree] {
		if path := join(dir, n.name); n.mode == Directory {
			s.eachFile(n.id, path, visit)
		} else {
			visit(path, n)
		}
	}
}

// Entry returns what a path of a commit is: a file, a directory (also "", the
// top), a submodule. The error wraps ErrNotFound when it is nothing.
func (s *Store) Entry(commit, path string) (Entry, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	tree, err := s.treeAt(commit)
	if err != nil {
		return Entry{}, err
	}
	n, ok := s.find(tree, path)
	if !ok {
		return Entry{}, fmt.Errorf("path %q at commit %s: %w", path, commit, ErrNotFound)
	}
	return s.entry(path, n), nil
}

// File returns the file at a path of a commit. The error wraps ErrNotFound when
// there is none, also when the path is a directory.
func (s *Store) File(commit, path string) (File, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	tree, err := s.treeAt(commit)
	if err != nil {
		return File{}, err
	}
	n, ok := s.find(tree, path)
	if !ok || n.mode == Directory {
		return File{}, fmt.Errorf("file %q at commit %s: %w", path, commit, ErrNotFound)
	}
	return File{Data: s.blobs[n.id], Mode: n.mode, ID: n.id.String()}, nil
}

func (s *Store) directory(commit, dir string) (hash, error) {
	tree, err := s.treeAt(commit)
	if err != nil {
		return hash{}, err
	}
	n, ok := s.find(tree, dir)
	if !ok || n.mode != Directory {
		return hash{}, fmt.Errorf("directory %q at commit %s: %w", dir, commit, ErrNotFound)
	}
	return n.id, nil
}

// find walks down a path; "" is the tree itself.
func (s *Store) find(tree hash, path string) (node, bool) {
	n := node{mode: Directory, id: tree}
	if path == "" {
		return n, true
	}
	for name := range strings.SplitSeq(path, "/") {
		if n.mode != Directory {
			return node{}, false
		}
		nodes := s.trees[n.id]
		// A file and a directory of one name stand at different places.
		i, found := slices.BinarySearchFunc(nodes, name, bySortName)
		if !found {
			i, found = slices.BinarySearchFunc(nodes, name+"/", bySortName)
		}
		if !found {
			return node{}, false
		}
		n = nodes[i]
	}
	return n, true
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
