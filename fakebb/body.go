package fakebb

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
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
		return nil, malformedBody(err.Error())
	}
	return body, nil
}

// jsonFailure is Bitbucket's answer to a body that is no JSON, or JSON of
// another type than is needed; the sentences are the JSON library's own.
func jsonFailure(body []byte, err error) *failure {
	var mismatch *json.UnmarshalTypeError
	if !errors.As(err, &mismatch) {
		return malformedBody("Unexpected character or end of input: expected a valid value (JSON String, Number, Array, Object or token 'null', 'true' or 'false')")
	}
	token := map[string]string{"object": "Object value (token `JsonToken.START_OBJECT`)", "string": "String value (token `JsonToken.VALUE_STRING`)"}[mismatch.Value]
	if token == "" {
		token = mismatch.Value + " value"
	}
	return mismatchedInput(fmt.Sprintf("Cannot deserialize value of type `java.util.ArrayList<java.lang.String>` from %s", token))
}
