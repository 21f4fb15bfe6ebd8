package server

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/agnivade/levenshtein"
)

// Why a tool is not exposed, for [Exposure].
const (
	hiddenByTools    = "not in --tools"
	hiddenByExclude  = "in --exclude"
	hiddenByReadOnly = "writes, and --read-only is set"
	hiddenByScope    = "cannot be limited to the scope"
	hiddenByViews    = "views are off"
	hiddenByKinds    = "no tool is exposed whose answer it could show"
)

// Exposed is a tool and whether a server with some options has it.
type Exposed struct {
	Tool
	// Hidden says why the tool is not exposed; "" when it is.
	Hidden string
}

// ExposedKind is a kind of view and whether show offers it.
type ExposedKind struct {
	Name string
	// Needs is the tool whose answer it shows.
	Needs  string
	Hidden string
}

// Exposure says of every tool of the catalogue and of every kind of view
// whether a server with o exposes it. It fails on a name that is no tool's,
// and on a scope that cannot be.
func Exposure(o Options) ([]Exposed, []ExposedKind, error) {
	limited, err := scopeOf(o.Projects, o.Repos)
	if err != nil {
		return nil, nil, err
	}
	tools, err := exposure(Catalogue(), o, limited)
	if err != nil {
		return nil, nil, err
	}
	hidden := map[string]string{}
	for _, t := range tools {
		hidden[t.Name] = t.Hidden
	}
	kinds := make([]ExposedKind, len(allKinds))
	for i, k := range allKinds {
		kinds[i] = ExposedKind{Name: k.name, Needs: k.tool, Hidden: hidden[showName]}
		if hidden[k.tool] != "" {
			kinds[i].Hidden = k.tool + ": " + hidden[k.tool]
		}
	}
	return tools, kinds, nil
}

func exposure(catalogue []Tool, o Options, limited scope) ([]Exposed, error) {
	for _, name := range slices.Concat(o.Tools, o.Exclude) {
		if err := known(catalogue, name); err != nil {
			return nil, err
		}
	}
	list := make([]Exposed, len(catalogue))
	var exposed []string
	for i, t := range catalogue {
		e := Exposed{Tool: t}
		switch {
		case slices.Contains(o.Exclude, t.Name):
			e.Hidden = hiddenByExclude
		case len(o.Tools) > 0 && !slices.Contains(o.Tools, t.Name):
			e.Hidden = hiddenByTools
		case o.ReadOnly && t.Writes:
			e.Hidden = hiddenByReadOnly
		case limited.limited() && !t.Scope.bounded():
			e.Hidden = hiddenByScope
		case t.Name == showName && o.Views == ViewsNever:
			e.Hidden = hiddenByViews
		case t.Name == showName && len(kindsOf(exposed)) == 0:
			e.Hidden = hiddenByKinds
		default:
			exposed = append(exposed, t.Name)
		}
		list[i] = e
	}
	return list, nil
}

// kindsOf are the kinds of show that are offered beside tools (V4).
func kindsOf(tools []string) []kind {
	var kinds []kind
	for _, k := range allKinds {
		if slices.Contains(tools, k.tool) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// known says that name is no tool's, and which one may be meant.
func known(catalogue []Tool, name string) error {
	names := toolNames(catalogue)
	if slices.Contains(names, name) {
		return nil
	}
	meant := slices.MinFunc(names, func(a, b string) int { return distance(name, a) - distance(name, b) })
	if distance(name, meant) <= len(meant)/3 {
		return fmt.Errorf("there is no tool %q; did you mean %s?", name, meant)
	}
	return fmt.Errorf("there is no tool %q; the tools are %s", name, strings.Join(names, ", "))
}

// distance is how far what somebody wrote is from a tool's name, however its
// words were joined, and with the abbreviation everyone uses.
func distance(written, name string) int {
	var b strings.Builder
	for i, r := range written {
		switch {
		case r == '-' || r == '.' || r == ' ':
			r = '_'
		case unicode.IsUpper(r) && i > 0 && unicode.IsLower(rune(written[i-1])):
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	words := strings.Split(b.String(), "_")
	for i, w := range words {
		switch w {
		case "pr":
			words[i] = "pull_request"
		case "prs":
			words[i] = "pull_requests"
		}
	}
	return levenshtein.ComputeDistance(strings.Join(words, "_"), name)
}
