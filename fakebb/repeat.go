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
// the other.

// maxRepeats keeps a slip of the finger from filling the memory.
const maxRepeats = 10000

var repetition = regexp.MustCompile(`\{n(?:\*(\d+))?(?:\+(\d+))?(?::0(\d))?(?: of ([^{}]+))?\}`)

// expandRepeats replaces every item with a repeat by its copies.
func expandRepeats(n *yaml.Node) error {
	if n.Kind == yaml.SequenceNode {
		var items []*yaml.Node
		for _, item := range n.Content {
			count, err := takeRepeat(item)
			if err != nil {
				return err
			}
			if count < 0 {
				items = append(items, item)
				continue
			}
			for i := 1; i <= count; i++ {
				items = append(items, copyNode(item, i))
			}
		}
		n.Content = items
	}
	for _, child := range n.Content {
		if err := expandRepeats(child); err != nil {
			return err
		}
	}
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

// copyNode copies a node with the texts of its nth copy.
func copyNode(node *yaml.Node, n int) *yaml.Node {
	copied := *node
	copied.Content = make([]*yaml.Node, len(node.Content))
	for i, child := range node.Content {
		copied.Content[i] = copyNode(child, n)
	}
	if node.Kind == yaml.ScalarNode && strings.Contains(node.Value, "{n") {
		copied.Value = repetition.ReplaceAllStringFunc(node.Value, func(text string) string {
			return numbered(repetition.FindStringSubmatch(text), n)
		})
		if node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
			// What was a text with braces may be a number now.
			copied.Tag = ""
		}
	}
	return &copied
}

// numbered is what a placeholder becomes in the nth copy.
func numbered(m []string, n int) string {
	if m[4] != "" {
		words := strings.Fields(m[4])
		return words[(n-1)%len(words)]
	}
	if m[1] != "" {
		factor, _ := strconv.Atoi(m[1])
		n *= factor
	}
	if m[2] != "" {
		more, _ := strconv.Atoi(m[2])
		n += more
	}
	width, _ := strconv.Atoi(m[3])
	return fmt.Sprintf("%0*d", width, n)
}
