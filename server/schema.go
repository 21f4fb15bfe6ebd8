package server

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaFor infers the schema of T and makes it plain: inference gives a
// pointer or a slice the type ["null", …], which several clients and models
// cannot read (go-sdk.md section 8). A struct field that may be left out is
// omitempty and so is not required; a slice that is required must not be nil.
func schemaFor[T any]() *jsonschema.Schema {
	schema, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Time](): {Type: "string"},
	}})
	if err != nil {
		panic(fmt.Sprintf("schema of %T: %v", *new(T), err)) // a wiring mistake, found at start
	}
	plain(schema)
	return schema
}

// answerSchema is the schema of an answer. It does not forbid further members:
// an answer that gains one stays readable for a client that kept the schema,
// and tools/list stays small.
func answerSchema[T any]() *jsonschema.Schema {
	schema := schemaFor[T]()
	open(schema)
	return schema
}

func open(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil {
		s.AdditionalProperties = nil
	}
	open(s.Items)
	for _, p := range s.Properties {
		open(p)
	}
}

func plain(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) > 0 {
		types := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
		if len(types) == 1 {
			s.Type, s.Types = types[0], nil
		}
	}
	plain(s.Items)
	for _, p := range s.Properties {
		plain(p)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
		plain(s.AdditionalProperties)
	}
}

// described are the arguments that are named and mean the same everywhere.
var described = map[string]string{
	"project":       "Project key, such as ORCH, or ~user",
	"repo":          "Repository slug",
	"id":            "Pull request number",
	"limit":         "How many at most",
	"start":         "nextStart of the answer before",
	"path":          "Only this file",
	"sourceProject": "Of the fork that source is in",
	"sourceRepo":    "Slug of that fork",
}

// describe gives arguments that say nothing of themselves the words they have
// everywhere.
func describe(in *jsonschema.Schema) {
	for name, p := range in.Properties {
		if p.Description == "" {
			p.Description = described[name]
		}
	}
}

// among restricts a property to values and names its default.
func among(s *jsonschema.Schema, property, preset string, values ...string) {
	p := s.Properties[property]
	p.Enum = make([]any, len(values))
	for i, v := range values {
		p.Enum[i] = v
	}
	if preset != "" {
		p.Default, _ = json.Marshal(preset)
	}
}

// between bounds a number; hi 0 leaves it open above. A preset below lo names
// no default.
func between(s *jsonschema.Schema, property string, lo, hi, preset int) {
	p := s.Properties[property]
	p.Minimum = jsonschema.Ptr(float64(lo))
	if hi > 0 {
		p.Maximum = jsonschema.Ptr(float64(hi))
	}
	if preset >= lo {
		p.Default, _ = json.Marshal(preset)
	}
}

// named gives a name's property the shape that no path can be climbed with.
func named(s *jsonschema.Schema, properties ...string) {
	for _, name := range properties {
		s.Properties[name].MinLength = jsonschema.Ptr(1)
	}
}
