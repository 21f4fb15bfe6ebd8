package fakebb

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// openAPIFile is Atlassian's OpenAPI document of Bitbucket 9.4, kept outside
// this repository.
var openAPIFile = filepath.Join("..", "..", "shared", "reference", "bitbucket-9.4-openapi.json")

// openAPI is the OpenAPI document. Its object schemas are closed: a key that
// one does not name is a difference, too.
type openAPI struct {
	doc        *openapi3.T
	operations []openAPIPath
}

type openAPIPath struct {
	template string
	pattern  *regexp.Regexp
	literal  int // characters of the template that are no parameter
	item     *openapi3.PathItem
}

var loadOpenAPI = sync.OnceValues(func() (*openAPI, error) {
	data, err := os.ReadFile(openAPIFile)
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		return nil, err
	}
	d := &openAPI{doc: doc}
	parameter := regexp.MustCompile(`\\\{[^}]*\\\}`)
	for template, item := range doc.Paths.Map() {
		// A parameter called path is the rest of the path, and may be empty.
		pattern := regexp.QuoteMeta(template)
		pattern = strings.ReplaceAll(pattern, `/\{path\}`, "(?:/.*)?")
		pattern = strings.ReplaceAll(pattern, `\{path\}`, ".*")
		pattern = parameter.ReplaceAllString(pattern, "[^/]+")
		compiled, err := regexp.Compile("^" + pattern + "$")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", template, err)
		}
		literal := len(parameter.ReplaceAllString(regexp.QuoteMeta(template), ""))
		d.operations = append(d.operations, openAPIPath{template, compiled, literal, item})
		for _, operation := range item.Operations() {
			for _, response := range operation.Responses.Map() {
				for _, media := range response.Value.Content {
					closeObjects(media.Schema)
				}
			}
		}
	}
	for _, component := range doc.Components.Schemas {
		closeObjects(component)
	}
	return d, nil
})

// openOpenAPI skips the test where the document is not there.
func openOpenAPI(t *testing.T) *openAPI {
	t.Helper()
	d, err := loadOpenAPI()
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("the OpenAPI document is not here: no %s", openAPIFile)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// closeObjects makes a schema refuse the keys that it does not name, where it
// names any and says nothing about others.
func closeObjects(ref *openapi3.SchemaRef) {
	if ref == nil || ref.Value == nil || ref.Value.AdditionalProperties.Has != nil {
		return // the last: it says, or is closed already
	}
	s := ref.Value
	if len(s.Properties) > 0 && s.AdditionalProperties.Schema == nil {
		closed := false
		s.AdditionalProperties.Has = &closed
	}
	for _, property := range s.Properties {
		closeObjects(property)
	}
	closeObjects(s.AdditionalProperties.Schema)
	closeObjects(s.Items)
	for _, part := range slices.Concat(s.OneOf, s.AnyOf, s.AllOf) {
		closeObjects(part)
	}
}

// answer finds what the document says about the answer to a request: the
// operation, empty when there is none, and the schema of its JSON, nil when it
// gives none.
func (d *openAPI) answer(method, path string) (operation string, schema *openapi3.Schema) {
	path = strings.TrimPrefix(path, "/rest")
	if module, rest, ok := strings.Cut(path[1:], "/1.0/"); ok && !strings.Contains(module, "/") {
		path = "/" + module + "/latest/" + rest
	}
	most := -1
	for _, o := range d.operations {
		found := o.item.GetOperation(method)
		if found == nil || o.literal <= most || !o.pattern.MatchString(path) {
			continue
		}
		most, operation, schema = o.literal, method+" "+o.template, nil
		for _, status := range []string{"200", "201", "default"} {
			response := found.Responses.Value(status)
			if response == nil {
				continue
			}
			for kind, media := range response.Value.Content {
				if strings.Contains(kind, "json") && media.Schema != nil {
					schema = media.Schema.Value
				}
			}
			break
		}
	}
	return operation, schema
}

// schemaError is one place where a value is not what a schema says.
type schemaError struct {
	place string // .values[].id; indexes are left out
	what  string
	value any
}

var unsupportedKey = regexp.MustCompile(`^property "(.*)" is unsupported$`)

// schemaErrors lists them, each place once with each value.
func schemaErrors(t *testing.T, schema *openapi3.Schema, value any) []schemaError {
	t.Helper()
	// The document marks keys such as links and avatarUrl as only ever sent to
	// the server; they are only ever sent by it.
	err := schema.VisitJSON(value, openapi3.MultiErrors(), openapi3.VisitAsResponse(), openapi3.DisableWriteOnlyValidation())
	var found []schemaError
	var collect func(error)
	collect = func(err error) {
		switch err := err.(type) {
		case nil:
		case openapi3.MultiError:
			for _, one := range err {
				collect(one)
			}
		case *openapi3.SchemaError:
			e := schemaError{what: err.SchemaField + ": " + err.Reason, value: err.Value}
			for _, step := range err.JSONPointer() {
				if _, err := strconv.Atoi(step); err == nil {
					e.place += "[]"
				} else {
					e.place += "." + step
				}
			}
			if key := unsupportedKey.FindStringSubmatch(err.Reason); key != nil {
				e.place += "." + key[1]
				e.what = "the document has no such key"
				e.value = err.Value.(map[string]any)[key[1]]
			}
			found = append(found, e)
		default:
			t.Errorf("%T: %v", err, err)
		}
	}
	collect(err)
	return found
}
