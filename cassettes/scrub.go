package cassettes

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/dnaeon/go-vcr/v2/cassette"
	"go.yaml.in/yaml/v3"
)

// Rule replaces text in addresses, headers and bodies of a recording. Find is
// a regular expression, Replace may use its groups.
type Rule struct {
	Find    string `yaml:"find"`
	Replace string `yaml:"replace"`
}

// volatile are the response headers that differ between two answers for the
// same state, or that say something of the installation.
var volatile = []string{"Date", "X-Arequestid", "X-Asessionid", "X-Asen", "Set-Cookie", "Server", "Via", "Strict-Transport-Security"}

// Rules are the rules for a recording of the Bitbucket at baseURL into dir:
// its address is replaced, and for a real one mail addresses as well, then
// what dir/scrub.yaml (a list of find and replace) adds, such as the names of
// people and projects.
func Rules(dir, baseURL, madeBy string) ([]Rule, error) {
	var rules []Rule
	if baseURL != BaseURL {
		rules = append(rules, Rule{regexp.QuoteMeta(baseURL), BaseURL})
		if _, host, ok := strings.Cut(baseURL, "://"); ok {
			host, _, _ = strings.Cut(host, "/")
			rules = append(rules, Rule{regexp.QuoteMeta(host), "bitbucket.example.com"})
		}
	}
	if madeBy == FromBitbucket {
		rules = append(rules, Rule{`[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}`, "someone@example.com"})
	}
	file := filepath.Join(dir, "scrub.yaml")
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return rules, nil
	} else if err != nil {
		return nil, err
	}
	var own []Rule
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&own); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, r := range own {
		if _, err := regexp.Compile(r.Find); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	return append(rules, own...), nil
}

// scrub applies rules to an interaction and drops what no recording keeps.
func scrub(i *cassette.Interaction, rules []Rule) {
	i.Duration = 0
	for _, h := range volatile {
		i.Response.Headers.Del(h)
	}
	// The transport adds these; they say nothing of Bitbucket.
	i.Request.Headers = http.Header{}
	for _, r := range rules {
		re := regexp.MustCompile(r.Find)
		i.URL = re.ReplaceAllString(i.URL, r.Replace)
		i.Request.Body = re.ReplaceAllString(i.Request.Body, r.Replace)
		i.Response.Body = re.ReplaceAllString(i.Response.Body, r.Replace)
		for _, values := range i.Response.Headers {
			for n := range values {
				values[n] = re.ReplaceAllString(values[n], r.Replace)
			}
		}
	}
	if i.Response.Headers.Get("Content-Length") != "" {
		i.Response.Headers.Set("Content-Length", fmt.Sprint(len(i.Response.Body)))
	}
}
