package bitbucket

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
)

// parseBase reads a base URL, without its trailing slashes, and refuses what
// cannot be one.
func parseBase(raw string, allowHTTP bool) (*url.URL, error) {
	base, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil && strings.Contains(raw, "@"):
		// What stands before the @ may be a password.
		return nil, errors.New("Bitbucket's URL cannot be read; it should look like https://bitbucket.example.com, without a user name or password")
	case !strings.Contains(raw, "://"): // a port alone is what url.Parse stumbles over
		return nil, fmt.Errorf("Bitbucket's URL %q is not a web address; it should look like https://bitbucket.example.com", raw)
	case err != nil:
		return nil, fmt.Errorf("Bitbucket's URL %q cannot be read: %w", raw, errors.Unwrap(err))
	case base.User != nil:
		return nil, errors.New("Bitbucket's URL holds a user name or password; set BITBUCKET_TOKEN, or BITBUCKET_USERNAME and BITBUCKET_PASSWORD, instead")
	case base.Scheme != "https" && base.Scheme != "http" || base.Hostname() == "":
		return nil, fmt.Errorf("Bitbucket's URL %q is not a web address; it should look like https://bitbucket.example.com", raw)
	case isCloud(base.Hostname()):
		return nil, fmt.Errorf("%s is Bitbucket Cloud, another product; bb reads Bitbucket Data Center", base.Hostname())
	case base.RawQuery != "" || base.Fragment != "":
		return nil, fmt.Errorf("Bitbucket's URL %q has a query or fragment; give the address of its start page", raw)
	case innerPath.MatchString(base.Path):
		return nil, fmt.Errorf("Bitbucket's URL %q is that of a page; leave out %s", raw, innerPath.FindString(base.Path))
	case base.Scheme == "http" && !allowHTTP && !isLoopback(base.Hostname()):
		return nil, fmt.Errorf("%s would send the credentials unencrypted; use https, or pass --allow-http", base.Redacted())
	}
	base.Path, base.RawPath = strings.TrimRight(base.Path, "/"), strings.TrimRight(base.RawPath, "/")
	base.ForceQuery = false
	return base, nil
}

// innerPath is what follows Bitbucket's own address in those of its pages and
// its REST API.
var innerPath = regexp.MustCompile(`(?i)/(rest|projects|users|repos|scm|dashboard|login)(/.*)?$`)

func isCloud(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return host == "bitbucket.org" || strings.HasSuffix(host, ".bitbucket.org")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// origin is scheme, host and port of an address, with the port that its scheme
// implies.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}
