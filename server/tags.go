package server

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/bb-mcp/bb/server/bitbucket"
	"github.com/bb-mcp/bb/server/quote"
)

func listTagsTool() Tool {
	return define(Tool{
		Name:        "list_tags",
		Title:       "List tags",
		Scope:       inRepository,
		Description: "Lists tags of a repository with their commits. Use it to find a release or the exact name of a tag.",
	}, func(in *jsonschema.Schema) {
		named(in, "project", "repo")
		adjustRefs(in)
	}, func(ctx context.Context, s *Server, in TagListing) (report[TagsAnswer], error) {
		a, err := s.Tags(ctx, in)
		if err != nil {
			return report[TagsAnswer]{}, err
		}
		return listReport(a), nil
	})
}

// TagListing says which tags are listed.
type TagListing struct {
	Project string `json:"project"`
	Repo    string `json:"repo"`
	Text    string `json:"text,omitempty" jsonschema:"Part of the name, in any letter case"`
	Order   string `json:"order,omitempty" jsonschema:"MODIFICATION: newest first"`
	Limit   int    `json:"limit,omitempty"`
	Start   int    `json:"start,omitempty"`
}

// TagsAnswer is a list of tags.
type TagsAnswer struct {
	Tags []ListedTag `json:"tags"`
	Page

	asked TagListing
}

// ListedTag is a tag in a list.
type ListedTag struct {
	Name   string `json:"name"`
	Commit string `json:"commit"`
	Hash   string `json:"hash,omitempty" jsonschema:"Of an annotated tag"`
	Exact  bool   `json:"exact,omitempty" jsonschema:"Named as text"`
}

// Tags answers a list of tags in one request, or as many as Bitbucket's page
// size makes of it.
func (s *Server) Tags(ctx context.Context, in TagListing) (TagsAnswer, error) {
	if in.Limit == 0 {
		in.Limit = defaultLimit
	}
	a := TagsAnswer{Tags: []ListedTag{}, asked: in}
	name := strings.TrimPrefix(in.Text, "refs/tags/") // only the short name is searched
	list, err := s.o.Bitbucket.ListTags(ctx, in.Project, in.Repo, bitbucket.RefFilter{Text: name, Order: in.Order}, in.Start, in.Limit)
	if err != nil {
		return a, about(fmt.Sprintf("tags of %s/%s", in.Project, in.Repo), err)
	}
	a.Page = pageOf(list, in.Start)
	for _, t := range list.Values {
		x := ListedTag{Name: t.DisplayID, Commit: t.LatestCommit, Exact: name != "" && t.DisplayID == name}
		if t.Hash != t.LatestCommit { // that of a lightweight tag is left out, null, or its commit
			x.Hash = t.Hash
		}
		a.Tags = append(a.Tags, x)
	}
	return a, nil
}

func (a *TagsAnswer) length() int { return len(a.Tags) }

func (a *TagsAnswer) keep(n int) {
	a.Tags = a.Tags[:n]
	a.Page.keep(n)
}

// text is the answer as a report for a model.
func (a *TagsAnswer) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s/%s%s%s\n", a.of(len(a.Tags), "tag", "tags"), a.asked.Project, a.asked.Repo, containing(a.asked.Text), colon(len(a.Tags)))
	exact := false
	for _, x := range a.Tags {
		exact = exact || x.Exact
		fmt.Fprintf(&b, "- %s at %s", quote.Name(x.Name), x.Commit)
		if x.Hash != "" {
			b.WriteString(", annotated (" + short(x.Hash) + ")")
		}
		if x.Exact {
			b.WriteString(", the one of that name")
		}
		b.WriteString("\n")
	}
	if a.asked.Text != "" && !exact && len(a.Tags) > 0 {
		fmt.Fprintf(&b, "None of these is named exactly %s.\n", quote.Name(a.asked.Text))
	}
	b.WriteString(a.more())
	return strings.TrimRight(b.String(), "\n")
}
