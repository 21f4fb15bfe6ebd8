package server

import (
	"context"
	"strings"

	"golang.org/x/sync/semaphore"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// Person is a user of Bitbucket as a model reads one.
type Person struct {
	Name        string `json:"name,omitempty" jsonschema:"Login"`
	DisplayName string `json:"displayName"`
	url         string
}

func person(u bitbucket.User) Person {
	p := Person{Name: u.Name, DisplayName: u.DisplayName, url: u.Links.URL()}
	if p.DisplayName == "" {
		// The author of a commit whom Bitbucket does not know has only a name,
		// which then is no login.
		p.Name, p.DisplayName = "", u.Name
		if p.DisplayName == "" {
			p.DisplayName = u.EmailAddress
		}
	}
	return p
}

func persons(users []bitbucket.User) []Person {
	list := make([]Person, len(users))
	for i, u := range users {
		list[i] = person(u)
	}
	return list
}

// people remembers who the caller is: Bitbucket's REST API has no "me", only
// the X-AUSERNAME header, whose user is then found among the users an answer
// names, or by a search.
type people struct {
	turn   *semaphore.Weighted // of who reads and writes caller
	caller *Person
}

// caller is the person bb acts for, or nil when Bitbucket did not say. seen
// are users that an answer named anyway.
func (s *Server) caller(ctx context.Context, seen ...bitbucket.User) *Person {
	name := s.o.Bitbucket.Caller()
	if name == "" {
		return nil
	}
	if s.people.turn.Acquire(ctx, 1) != nil {
		return &Person{Name: name, DisplayName: name}
	}
	defer s.people.turn.Release(1)
	if c := s.people.caller; c != nil && c.Name == name {
		return c
	}
	for _, u := range seen {
		if u.Name == name {
			p := person(u)
			s.people.caller = &p
			return &p
		}
	}
	found, err := s.o.Bitbucket.FindUsers(ctx, name, 25)
	for _, u := range found.Values {
		if strings.EqualFold(u.Name, name) {
			p := person(u)
			s.people.caller = &p
			return &p
		}
	}
	if err == nil && len(found.Values) == 0 {
		// A project's or repository's token acts as no person that can be found.
		p := Person{Name: name, DisplayName: name}
		s.people.caller = &p
		return &p
	}
	return &Person{Name: name, DisplayName: name}
}
