package fakebb

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// bodyLimit is more than any body the fake reads needs.
const bodyLimit = 1 << 20

// readBody returns the request's JSON body.
func (x *exchange) readBody() ([]byte, error) {
	kind, _, _ := mime.ParseMediaType(x.request.Header.Get("Content-Type"))
	if kind != "application/json" {
		return nil, unsupportedMediaType()
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, x.request.Body, bodyLimit))
	if err != nil {
		// Of a body that is larger than any the fake needs, the end is missing.
		return nil, malformedBody("Unexpected end-of-input")
	}
	return body, nil
}

// The types bodies are read into, by the names the JSON library has for them.
const (
	listOfTexts = "java.util.ArrayList<java.lang.String>"
	anyObject   = "java.util.LinkedHashMap<java.lang.Object,java.lang.Object>"
)

// jsonFailure is Bitbucket's answer to a body that is no JSON, or JSON of
// another type than is needed; the sentences are the JSON library's own.
func jsonFailure(err error, wanted string) *failure {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return malformedBody("Unexpected character or end of input: expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')")
	}
	kind, _, _ := strings.Cut(mismatch.Value, " ")
	token := map[string]string{
		"object": "Object value (token `JsonToken.START_OBJECT`)", "array": "Array value (token `JsonToken.START_ARRAY`)",
		"string": "String value (token `JsonToken.VALUE_STRING`)", "bool": "Boolean value (token `JsonToken.VALUE_TRUE`)",
		"number": "Integer value (token `JsonToken.VALUE_NUMBER_INT`)",
	}[kind]
	return mismatchedInput(fmt.Sprintf("Cannot deserialize value of type `%s` from %s", wanted, token))
}
