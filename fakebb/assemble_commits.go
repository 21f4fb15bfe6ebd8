package fakebb

import (
	"bytes"
	"encoding/base64"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bb-mcp/bb/fakebb/content"
)

// namedInMessage is how a message has the id of another commit in it.
var namedInMessage = regexp.MustCompile(`\{id of ([^{}]+)\}`)

var unknownAuthor = regexp.MustCompile(`^(.*\S) <(\S*)>$`)

// addCommits makes the commits of every repository, in the order of the file.
func (b *builder) addCommits() error {
	known := map[string]bool{}
	for _, f := range b.declared.commits {
		if _, err := b.repository(f.at, f.project, f.slug, 0); err != nil {
			return err
		}
		for _, d := range f.commits {
			line := max(d.Name.line, d.Author.line)
			if d.Name.value == "" || d.At.time.IsZero() || d.Message == "" {
				return f.at.errorf(line, "a commit needs name, at and message")
			}
			key := f.project + "/" + f.slug + "/" + d.Name.value
			if known[key] {
				return f.at.errorf(line, "commit %s is there twice", d.Name.value)
			}
			known[key] = true
		}
	}
	sections := map[string][]fileSection{}
	for _, f := range b.declared.files {
		key := f.project + "/" + f.slug + "/" + f.commit
		if !known[key] {
			return f.at.errorf(0, "commit %q is not in %s/%s/commits.yaml", f.commit, f.project, f.slug)
		}
		if _, err := cleanPath(f.path, ""); err != nil || slices.Contains(strings.Split(f.path, "/"), ".git") {
			return f.at.errorf(0, "git refuses the path %q", f.path)
		}
		sections[key] = append(sections[key], f)
	}
	for _, f := range b.declared.commits {
		r, err := b.repository(f.at, f.project, f.slug, 0)
		if err != nil {
			return err
		}
		for _, d := range f.commits {
			key := f.project + "/" + f.slug + "/" + d.Name.value
			if err := b.addCommit(f.at, r, d, sections[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *builder) addCommit(at place, r *repository, d commitDecl, sections []fileSection) error {
	name := d.Name.value
	line := max(d.Name.line, d.Author.line)
	if b.named[r.git][name] != "" {
		return at.errorf(line, "commit %s is in another repository of the fork network as well", name)
	}
	spec := content.CommitSpec{Message: d.Message}
	for _, m := range namedInMessage.FindAllStringSubmatch(d.Message, -1) {
		id, err := b.commit(at, r, word{m[1], line})
		if err != nil {
			return err
		}
		spec.Message = strings.ReplaceAll(spec.Message, m[0], id)
	}
	var err error
	if spec.Author, err = b.signature(at, d.Author, d.At.time); err != nil {
		return err
	}
	if d.Committer.value != "" {
		if spec.Committer, err = b.signature(at, d.Committer, d.At.time); err != nil {
			return err
		}
	}
	for _, w := range d.Parents {
		parent, err := b.commit(at, r, w)
		if err != nil {
			return err
		}
		if !r.commit(parent).Committer.When.Before(d.At.time) {
			return at.errorf(w.line, "parent %s is not older than its child", w.value)
		}
		spec.Parents = append(spec.Parents, parent)
	}
	if spec.Tree, err = b.inherited(at, r, spec.Parents, line); err != nil {
		return err
	}
	for _, f := range sections {
		spec.Tree[f.path] = content.File{Data: f.data, Mode: spec.Tree[f.path].Mode}
	}
	for _, c := range d.Changes {
		if err := applyChange(at, spec.Tree, c); err != nil {
			return err
		}
	}
	id, err := r.git.Commit(spec)
	if err != nil {
		return at.errorf(line, "commit %s: %v", name, err)
	}
	if b.named[r.git] == nil {
		b.named[r.git] = map[string]string{}
	}
	b.named[r.git][name] = id
	b.files[id] = spec.Tree
	return nil
}

// inherited are the files a commit begins with: its parent's, or those of the
// merge of its parents.
func (b *builder) inherited(at place, r *repository, parents []string, line int) (map[string]content.File, error) {
	switch len(parents) {
	case 0:
		return map[string]content.File{}, nil
	case 1:
		return maps.Clone(b.files[parents[0]]), nil
	}
	tree := map[string]content.File{}
	from := parents[0]
	for _, other := range parents[1:] {
		merged, err := r.git.Merge(from, other)
		if err != nil {
			return nil, at.errorf(line, "%v", err)
		}
		if len(merged.Conflicts) > 0 {
			return nil, at.errorf(line, "the parents conflict in %s", merged.Conflicts[0].Path)
		}
		from = merged.TreeID
	}
	paths, err := r.git.Paths(from, "")
	if err != nil {
		return nil, at.errorf(line, "%v", err)
	}
	for _, path := range paths {
		if tree[path], err = r.git.File(from, path); err != nil {
			return nil, at.errorf(line, "%v", err)
		}
	}
	return tree, nil
}

var modes = map[string]content.Mode{"": 0, "regular": content.Regular, "executable": content.Executable, "symlink": content.Symlink}

// applyChange changes one path of a tree.
func applyChange(at place, tree map[string]content.File, c changeDecl) error {
	path := c.Path.value
	if path == "" {
		return at.errorf(max(c.Replace.line, c.Mode.line, c.MovedFrom.line, c.CopiedFrom.line, 1), "a change needs a path")
	}
	file, there := tree[path]
	if from := c.MovedFrom; from.value != "" {
		file, there = tree[from.value]
		delete(tree, from.value)
		if !there {
			return at.errorf(from.line, "there is no file %q to move", from.value)
		}
	}
	if from := c.CopiedFrom; from.value != "" {
		if file, there = tree[from.value]; !there {
			return at.errorf(from.line, "there is no file %q to copy", from.value)
		}
	}
	switch {
	case c.Delete:
		if !there {
			return at.errorf(c.Path.line, "there is no file %q to delete", path)
		}
		delete(tree, path)
		return nil
	case c.Submodule.value != "":
		tree[path] = content.File{Mode: content.Submodule, ID: c.Submodule.value}
		return nil
	case c.Text != nil:
		file.Data, there = []byte(*c.Text), true
		if c.Lines < 0 || c.Lines > maxLines {
			return at.errorf(c.Path.line, "lines is %d, not a number up to %d", c.Lines, maxLines)
		}
		if c.Lines > 0 {
			file.Data = numberedLines(*c.Text, c.Lines)
		}
	case c.Base64.value != "":
		data, err := base64.StdEncoding.DecodeString(c.Base64.value)
		if err != nil {
			return at.errorf(c.Base64.line, "%v", err)
		}
		file.Data, there = data, true
	}
	if !there {
		return at.errorf(c.Path.line, "there is no file %q to change", path)
	}
	if old := c.Replace; old.value != "" {
		if n := bytes.Count(file.Data, []byte(old.value)); n != 1 {
			return at.errorf(old.line, "what is to be replaced is %d times in %s, not once", n, path)
		}
		file.Data = bytes.Replace(file.Data, []byte(old.value), []byte(c.With), 1)
	}
	mode, ok := modes[c.Mode.value]
	if !ok {
		return at.errorf(c.Mode.line, "mode %q is none of regular, executable, symlink", c.Mode.value)
	}
	if mode != 0 {
		file.Mode = mode
	}
	tree[path] = content.File{Data: file.Data, Mode: file.Mode, ID: file.ID}
	return nil
}

// numberedLines is a text that many times, with {line} as the number.
func numberedLines(text string, n int) []byte {
	n = min(n, maxLines)
	parts := strings.Split(text, "{line}")
	const digits = len("100000")
	lines := make([]byte, 0, n*(len(text)+(len(parts)-1)*(digits-len("{line}"))))
	for i := range n {
		for j, part := range parts {
			if j > 0 {
				lines = strconv.AppendInt(lines, int64(i+1), 10)
			}
			lines = append(lines, part...)
		}
	}
	return lines
}

// maxLines keeps a slip of the finger from filling the memory.
const maxLines = 100000

// signature is how git names a person.
func (b *builder) signature(at place, w word, when time.Time) (content.Signature, error) {
	if m := unknownAuthor.FindStringSubmatch(w.value); m != nil {
		return content.Signature{Name: m[1], Email: m[2], When: when}, nil
	}
	who, err := b.person(at, w)
	if err != nil {
		return content.Signature{}, err
	}
	return signature(who, when), nil
}

func signature(p *person, when time.Time) content.Signature {
	return content.Signature{Name: p.displayName, Email: p.email, When: when}
}

// commit looks up a commit by the name the scenario gave it.
func (b *builder) commit(at place, r *repository, w word) (string, error) {
	if id := b.named[r.git][w.value]; id != "" {
		return id, nil
	}
	return "", at.errorf(w.line, "commit %q is not in %s/%s/commits.yaml", w.value, r.project.key, r.slug)
}
