package server

import (
	"testing"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// A row's value is what its type says, and anything else as it came.
func TestARowIsReadByItsType(t *testing.T) {
	for _, c := range []struct{ kind, value, want string }{
		{"TEXT", `"all good"`, "all good"},
		{"BOOLEAN", `true`, "true"},
		{"NUMBER", `1500000`, "1500000"},
		{"NUMBER", `0.5`, "0.5"},
		{"NUMBER", `"7"`, "7"},
		{"PERCENTAGE", `83`, "83 %"},
		{"PERCENTAGE", `"83"`, "83"},
		{"DURATION", `61000`, "1m1s"},
		{"DATE", `1795789424000`, "2026-11-27T14:23:44Z"},
		{"LINK", `{"linktext":"all","href":"https://x"}`, "all (https://x)"},
		{"LINK", `{"href":"https://x"}`, "https://x"},
		{"LINK", `"https://x"`, "https://x"},
		{"LINK", `{}`, "{}"},
		{"DATE", `{"a":[1]}`, `{"a":[1]}`},
		{"", `null`, ""},
		{"TEXT", ``, ""},
	} {
		if got := datum(bitbucket.ReportDatum{Type: c.kind, Value: []byte(c.value)}); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.kind, c.value, got, c.want)
		}
	}
}
