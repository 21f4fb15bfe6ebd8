package server

import (
	"fmt"
	"sort"
	"unicode/utf8"

	"github.com/bb-mcp/bb/server/quote"
)

// maxResult bounds a whole tool result in UTF-16 units of its JSON: hosts cut
// one at about 150,000.
const maxResult = 120_000

// envelope is kept free of it for what stands around an answer: the members
// of the result, the server's name, a resource link.
const envelope = 4_000

// units is how many UTF-16 units v takes as JSON on the wire, where <, > and &
// are six each.
func units(v any) int {
	data, err := quote.JSON(v)
	if err != nil {
		panic(fmt.Sprintf("an answer of type %T is no JSON: %v", v, err))
	}
	n := utf8.RuneCount(data)
	for _, c := range data {
		if c >= 0xF0 { // the first byte of a rune beyond the BMP, which is two units
			n++
		}
	}
	return n
}

// listed is an answer that is a list and can leave out entries at its end.
type listed interface {
	length() int
	// keep keeps the first n entries, and has the answer say so.
	keep(n int)
	text() string
}

// listReport is the report of a list, with as many of its entries as fit the
// bound of an answer in both its forms.
func listReport[T any, A interface {
	*T
	listed
}](a T) report[T] {
	first := func(n int) T {
		b := a
		if n < A(&a).length() {
			A(&b).keep(n)
		}
		return b
	}
	size := func(b T) int { return units(A(&b).text()) + units(b) }
	n := A(&a).length()
	if size(a) > maxResult-envelope {
		n = sort.Search(n, func(k int) bool { return size(first(k+1)) > maxResult-envelope })
		n = max(n, 1) // entries are bounded; one that is left out would be asked for forever
	}
	b := first(n)
	return report[T]{text: A(&b).text(), data: b}
}
