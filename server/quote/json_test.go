package quote_test

import (
	"encoding/json"
	"testing"

	"github.com/bb-mcp/bb/server/quote"
)

// T11. Escaped JSON is the same value and hides nothing.
func FuzzJSONIsTheSameValueAndHidesNothing(f *testing.F) {
	for _, text := range []string{"", "a", "\u202egnp.exe", "👩\u200d🌾", "tag\U000e0041", "\u2028<&>\x7f\x1b", "a\"\\\n\t", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain, _ := json.Marshal(map[string]string{text: text})
		escaped, err := quote.JSON(map[string]string{text: text})
		if err != nil {
			t.Fatal(err)
		}
		var want, got map[string]string
		if json.Unmarshal(plain, &want) != nil || json.Unmarshal(escaped, &got) != nil {
			t.Fatalf("%q becomes %s", text, escaped)
		}
		for k, v := range want {
			if got[k] != v {
				t.Errorf("%q becomes %s", text, escaped)
			}
		}
		if s := string(escaped); quote.Visible(s) != s {
			t.Errorf("%q becomes %s", text, escaped)
		}
	})
}
