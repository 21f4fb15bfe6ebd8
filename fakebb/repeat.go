package fakebb

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A scenario says "repeat: 150" in an item of a list instead of writing it 150
// times. In the texts of the item, also in its keys' values further down,
// {n} is the number of the copy, from 1; {n*7} and {n+400} count with it;
// {n:03} has at least three digits; and {n of bo chen zoe} takes one word after
// the other. An item of repeat and items alone stands for those items, one after
// the other, that many times.

// maxRepeats is how many copies a repeat may make; it keeps a slip of the finger
// from filling the memory.
const maxRepeats = 10000

var repetition = regexp.MustCompile(`\{n(?:\*(\d+))?(?:\+(\d+))?(?::0(\d))?(?: of ([^{}]+))?\}`)

// wholeNumber is what YAML and Go read alike.
var wholeNumber = regexp.MustCompile(`^(0|[1-9][0-9]{0,9})$`)

// expandRepeats replaces every item with a repeat by its copies.
func expandRepeats(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		for _, child := range n.Content {
			if err := expandRepeats(child); err != nil {
				return err
			}
		}
		return nil
	}
	var items []*yaml.Node
	for _, item := range n.Content {
		count, err := takeRepeat(item)
		if err != nil {
			return err
		}
		if count < 0 {
			if err := expandRepeats(item); err != nil {
				return err
			}
			items = append(items, item)
			continue
		}
		several, err := takeItems(item)
		if err != nil {
			return err
		}
		if len(several)*count > maxRepeats {
			return fmt.Errorf("line %d: more than %d copies", item.Line, maxRepeats)
		}
		c := copier{}
		for _, item := range several {
			if _, err := c.look(item); err != nil {
				return err
			}
		}
		for i := 1; i <= count; i++ {
			for _, item := range several {
				items = append(items, c.copy(item, i))
			}
		}
	}
	n.Content = items
	return nil
}

// takeRepeat removes the key repeat of a mapping and returns its value, -1
// where there is none.
func takeRepeat(item *yaml.Node) (int, error) {
	if item.Kind != yaml.MappingNode {
		return -1, nil
	}
	for i := 0; i < len(item.Content); i += 2 {
		if item.Content[i].Value != "repeat" {
			continue
		}
		value := item.Content[i+1]
		count, err := strconv.Atoi(value.Value)
		if err != nil || count < 1 || count > maxRepeats {
			return 0, fmt.Errorf("line %d: repeat is %q, not a number from 1 to %d", value.Line, value.Value, maxRepeats)
		}
		item.Content = append(item.Content[:i:i], item.Content[i+2:]...)
		return count, nil
	}
	return -1, nil
}

// takeItems returns what an item that is repeated stands for: the items of its
// key items, otherwise itself.
func takeItems(item *yaml.Node) ([]*yaml.Node, error) {
	for i := 0; i < len(item.Content); i += 2 {
		if item.Content[i].Value != "items" {
			continue
		}
		key, value := item.Content[i], item.Content[i+1]
		if len(item.Content) > 2 {
			return nil, fmt.Errorf("line %d: items stands beside repeat alone", key.Line)
		}
		if value.Kind != yaml.SequenceNode {
			return nil, fmt.Errorf("line %d: items is no list", key.Line)
		}
		return value.Content, nil
	}
	return []*yaml.Node{item}, nil
}

// copier copies nodes. It has the nodes that differ from copy to copy, with the
// placeholders in their texts; all copies share the others.
type copier map[*yaml.Node][]placeholder

// look finds the placeholders at and below a node. A repeat there is refused:
// whose number {n} is could not be told.
func (c copier) look(node *yaml.Node) (found bool, err error) {
	for i, child := range node.Content {
		if node.Kind == yaml.MappingNode && i%2 == 0 && child.Value == "repeat" {
			return false, fmt.Errorf("line %d: a repeat inside a repeat", child.Line)
		}
		below, err := c.look(child)
		if err != nil {
			return false, err
		}
		found = found || below
	}
	var here []placeholder
	if node.Kind == yaml.ScalarNode && strings.Contains(node.Value, "{n") {
		here = placeholders(node.Value)
		found = here != nil
	}
	if found {
		c[node] = here
	}
	return found, nil
}

// copy copies a node with the texts of its nth copy.
func (c copier) copy(node *yaml.Node, n int) *yaml.Node {
	found, differs := c[node]
	if !differs {
		return node
	}
	copied := *node
	copied.Content = make([]*yaml.Node, len(node.Content))
	for i, child := range node.Content {
		copied.Content[i] = c.copy(child, n)
	}
	if found != nil {
		copied.Value = fillIn(node.Value, found, n)
		if wholeNumber.MatchString(copied.Value) {
			// What was a text with braces is a number now. Where it begins
			// with them it even had to be quoted, they are YAML's own.
			copied.Tag, copied.Style = "!!int", 0
		}
	}
	return &copied
}

// placeholder is a part of a text that differs from copy to copy.
type placeholder struct {
	start, end          int
	factor, more, width int
	words               []string
}

func placeholders(text string) []placeholder {
	var found []placeholder
	for _, at := range repetition.FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return text[at[2*i]:at[2*i+1]]
		}
		p := placeholder{start: at[0], end: at[1], factor: 1, words: strings.Fields(group(4))}
		// The pattern lets through digits alone, and none where there is no group.
		if factor := group(1); factor != "" {
			p.factor, _ = strconv.Atoi(factor)
		}
		p.more, _ = strconv.Atoi(group(2))
		p.width, _ = strconv.Atoi(group(3))
		found = append(found, p)
	}
	return found
}

// fillIn fills in the placeholders of a text for the nth copy.
func fillIn(text string, found []placeholder, n int) string {
	filled := make([]byte, 0, len(text)+8)
	end := 0
	for _, p := range found {
		filled = append(filled, text[end:p.start]...)
		end = p.end
		if len(p.words) > 0 {
			filled = append(filled, p.words[(n-1)%len(p.words)]...)
			continue
		}
		digits := strconv.Itoa(n*p.factor + p.more)
		for range p.width - len(digits) {
			filled = append(filled, '0')
		}
		filled = append(filled, digits...)
	}
	return string(append(filled, text[end:]...))
}
