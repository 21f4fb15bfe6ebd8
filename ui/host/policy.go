package host

import (
	"regexp"
	"slices"
	"strings"
)

// CSP holds the origins a view's resource declares, _meta.ui.csp. A nil list
// and an empty one mean the same.
type CSP struct {
	ConnectDomains  []string `json:"connectDomains"`
	ResourceDomains []string `json:"resourceDomains"`
	FrameDomains    []string `json:"frameDomains"`
	BaseURIDomains  []string `json:"baseUriDomains"`
}

// trustedTypes goes with every page here: nothing may turn a string into
// elements or code.
const trustedTypes = "require-trusted-types-for 'script'; trusted-types 'none'"

// Policy is the Content-Security-Policy under which a view runs: the one the
// specification constructs from the declared origins ("Security Implications",
// 4), or its restrictive default for a resource that declares nothing (nil),
// and trusted types.
func Policy(csp *CSP) string {
	if csp == nil {
		return strings.Join([]string{
			"default-src 'none'",
			"script-src 'self' 'unsafe-inline'",
			"style-src 'self' 'unsafe-inline'",
			"img-src 'self' data:",
			"media-src 'self' data:",
			"connect-src 'none'",
			"frame-src 'none'",
			"object-src 'none'",
			"base-uri 'self'",
			trustedTypes,
		}, "; ")
	}
	resource := origins(csp.ResourceDomains)
	directive := func(head string, more []string) string {
		return strings.Join(append([]string{head}, more...), " ")
	}
	instead := func(name, otherwise string, declared []string) string {
		if len(declared) == 0 {
			return name + " " + otherwise
		}
		return directive(name, declared)
	}
	return strings.Join([]string{
		"default-src 'none'",
		directive("script-src 'self' 'unsafe-inline'", resource),
		directive("style-src 'self' 'unsafe-inline'", resource),
		directive("connect-src 'self'", origins(csp.ConnectDomains)),
		directive("img-src 'self' data:", resource),
		directive("font-src 'self'", resource),
		directive("media-src 'self' data:", resource),
		instead("frame-src", "'none'", origins(csp.FrameDomains)),
		"object-src 'none'",
		instead("base-uri", "'self'", origins(csp.BaseURIDomains)),
		trustedTypes,
	}, "; ")
}

var originForm = regexp.MustCompile(`^(https?|wss?)://(\*\.)?[A-Za-z0-9.-]+(:[0-9]{1,5})?$`)

// origins keeps what is an origin. Anything else could end the directive and
// begin another.
func origins(declared []string) []string {
	return slices.DeleteFunc(slices.Clone(declared), func(s string) bool { return !originForm.MatchString(s) })
}

// pagePolicy is the policy of the host's own pages.
func pagePolicy(sandboxOrigin string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src " + sandboxOrigin +
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " + trustedTypes
}

// proxyPolicy is the policy of the sandbox proxy, which only the host may frame.
func proxyPolicy(hostOrigin string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'" +
		"; base-uri 'none'; form-action 'none'; frame-ancestors " + hostOrigin + "; " + trustedTypes
}
