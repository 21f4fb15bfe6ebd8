package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/bb-mcp/bb/server/quote"
)

// arguments is what the clean-up needs to know of a tool's arguments: the JSON
// type of each, and the words of an enum.
type arguments map[string]argument

type argument struct {
	kind string
	enum []string
}

func argumentsOf(s *jsonschema.Schema) arguments {
	a := arguments{}
	for name, p := range s.Properties {
		arg := argument{kind: p.Type}
		for _, v := range p.Enum {
			if word, ok := v.(string); ok {
				arg.enum = append(arg.enum, word)
			}
		}
		a[name] = arg
	}
	return a
}

// complete is middleware that completes the definitions of tools before they
// are listed; cleanArguments completes that of the one that is called.
func (s *Server) complete(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method == "tools/list" {
			for _, complete := range s.definitions {
				complete()
			}
		}
		return next(ctx, method, req)
	}
}

// cleanArguments is middleware that reads a model's arguments as they were
// meant, by the published schema and before it is checked: null is "not
// given", a number or a truth value may come as a string, a name that is all
// digits as a number, a list as a string of JSON, an enum's word in another
// letter case. What it cannot read so it leaves for the check to name.
func (s *Server) cleanArguments(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if p, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && p != nil {
			if known := s.definitions[p.Name]; known != nil {
				p.Arguments = known().clean(p.Arguments)
			}
		}
		return next(ctx, method, req)
	}
}

func (a arguments) clean(raw json.RawMessage) json.RawMessage {
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) != nil {
		return raw
	}
	for name, value := range given {
		text := strings.TrimSpace(string(value))
		if text == "null" {
			delete(given, name)
			continue
		}
		arg, known := a[name]
		if !known {
			continue
		}
		given[name] = arg.read(value)
	}
	cleaned, err := json.Marshal(given)
	if err != nil {
		return raw
	}
	return cleaned
}

// read gives value in the argument's type where it plainly is one.
func (a argument) read(value json.RawMessage) json.RawMessage {
	var text string
	isText := json.Unmarshal(value, &text) == nil
	trimmed := strings.TrimSpace(text)
	switch a.kind {
	case "integer", "number":
		if n, err := strconv.ParseInt(strings.TrimPrefix(trimmed, "#"), 10, 64); isText && err == nil {
			return json.RawMessage(strconv.FormatInt(n, 10))
		}
	case "boolean":
		if b := strings.ToLower(trimmed); isText && (b == "true" || b == "false") {
			return json.RawMessage(b)
		}
	case "array", "object":
		if isText && json.Valid([]byte(trimmed)) && trimmed != "" && (trimmed[0] == '[' || trimmed[0] == '{') {
			return json.RawMessage(trimmed)
		}
	case "string":
		if !isText {
			var n json.Number
			if json.Unmarshal(value, &n) == nil {
				text, isText = n.String(), true
			}
		}
		if !isText {
			return value
		}
		for _, word := range a.enum {
			if strings.EqualFold(word, strings.TrimSpace(text)) {
				text = word
			}
		}
		if b, err := json.Marshal(text); err == nil {
			return b
		}
	}
	return value
}

// maxArgument bounds a text argument, in bytes: the longest path that a file
// system takes. Longer ones would only be repeated in errors.
const maxArgument = 4096

// readArguments holds arguments to the scope, checks them against their schema,
// fills in its defaults and decodes them.
func readArguments[In any](schema *jsonschema.Resolved, raw json.RawMessage, bind func(map[string]any) error) (in In, err error) {
	given := map[string]any{}
	if len(raw) > 0 && string(raw) != "null" {
		if err := json.Unmarshal(raw, &given); err != nil {
			return in, errors.New("they are no JSON object")
		}
	}
	for name, value := range given {
		if text, ok := value.(string); ok && len(text) > maxArgument || len(name) > maxArgument {
			name, _ = cut(name, 100)
			return in, fmt.Errorf("%s is longer than the %d bytes that an argument may have", quote.Name(name), maxArgument)
		}
	}
	if err := bind(given); err != nil {
		return in, err
	}
	if err := schema.ApplyDefaults(&given); err != nil {
		return in, err
	}
	if err := schema.Validate(given); err != nil {
		return in, err
	}
	complete, err := json.Marshal(given)
	if err != nil {
		return in, err
	}
	return in, json.Unmarshal(complete, &in)
}
