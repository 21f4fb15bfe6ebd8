package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/bb-mcp/bb/server"
	"github.com/bb-mcp/bb/server/bitbucket"
)

// connection holds the flags that say which Bitbucket to read and what of it
// to serve. Credentials come from the environment: no flag carries a secret.
type connection struct {
	url         string
	fake        string
	allowHTTP   bool
	tokenFile   string
	caFile      string
	clientCert  string
	clientKey   string
	callTimeout time.Duration
	logLevel    string

	views           string
	tools, exclude  []string
	projects, repos []string
	readOnly        bool

	given func(flag string) bool // whether a flag was given; nil without exposure flags
}

// addBitbucketFlags adds the flags that say which Bitbucket to read.
func (c *connection) addBitbucketFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.url, "url", "", "Bitbucket's base URL (default: $BITBUCKET_URL)")
	f.StringVar(&c.fake, "fake", "", "run on invented data: a scenario's name or, with =, a scenario file")
	f.Lookup("fake").NoOptDefVal = fakebb.OrchardName
	f.BoolVar(&c.allowHTTP, "allow-http", false, "allow plain http to hosts other than this machine")
	f.StringVar(&c.tokenFile, "token-file", "", "file that holds an HTTP access token; read again when the token is refused (default: the token in $BITBUCKET_TOKEN)")
	f.StringVar(&c.caFile, "ca-file", "", "certificates of authorities, in PEM form, to trust beside the system's (default: $BB_CA_FILE)")
	f.StringVar(&c.clientCert, "client-cert", "", "client certificate, in PEM form; alone or beside a token (default: $BB_CLIENT_CERT)")
	f.StringVar(&c.clientKey, "client-key", "", "key of the client certificate, in PEM form (default: $BB_CLIENT_KEY)")
	f.DurationVar(&c.callTimeout, "request-timeout", server.DefaultCallTimeout, "how long one call may take")
	f.StringVar(&c.logLevel, "log-level", "warn", "debug, info, warn or error; logs go to stderr")
}

// flagsOnly refuses arguments, which are mostly a flag's value after a space
// where it takes none.
func flagsOnly(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %q; a value of --fake is written behind an equals sign, as in --fake=%s", args[0], fakebb.OrchardName)
}

// addExposureFlags adds the flags that say what to serve.
func (c *connection) addExposureFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	c.given = f.Changed
	f.StringVar(&c.views, "views", server.ViewsAuto, "auto believes what the client declares; always and never are for clients that declare wrongly")
	f.StringSliceVar(&c.tools, "tools", nil, "expose only these tools")
	f.StringSliceVar(&c.exclude, "exclude", nil, "do not expose these tools; wins over --tools")
	f.BoolVar(&c.readOnly, "read-only", false, "expose only tools that change nothing")
	f.StringSliceVar(&c.projects, "project", nil, "limit everything to this project; may be given again")
	f.StringSliceVar(&c.repos, "repo", nil, "limit everything to this repository, KEY/slug; may be given again")
}

// exposure reads the flags that say what to serve.
func (c *connection) exposure() (server.Options, error) {
	for flag, values := range map[string][]string{"tools": c.tools, "exclude": c.exclude, "project": c.projects, "repo": c.repos} {
		// A variable that is not set must not lift a limit.
		if c.given != nil && c.given(flag) && len(values) == 0 {
			return server.Options{}, fmt.Errorf("--%s is empty: give it a value, or leave it out", flag)
		}
	}
	o := server.Options{Views: c.views, Tools: c.tools, Exclude: c.exclude, ReadOnly: c.readOnly, Projects: c.projects}
	for _, text := range c.repos {
		place, err := server.ParsePlace(text)
		if err != nil {
			return o, fmt.Errorf("--repo: %w", err)
		}
		o.Repos = append(o.Repos, place)
	}
	return o, nil
}

// backend is a Bitbucket to read from: a real one, or the fake in process.
type backend struct {
	options bitbucket.Options
	fake    *fakebb.Server // nil for a real one
	log     *slog.Logger
}

// errNothingConfigured names both ways to configure a Bitbucket.
var errNothingConfigured = errors.New("no Bitbucket is configured: set BITBUCKET_URL (and BITBUCKET_TOKEN) or pass --url, or try bb on invented data with --fake")

// backend reads flags and environment.
func (c *connection) backend(stderr io.Writer) (*backend, error) {
	if c.callTimeout <= 0 {
		return nil, fmt.Errorf("--request-timeout is a time above zero, such as 30s, not %v", c.callTimeout)
	}
	log, err := logger(stderr, c.logLevel)
	if err != nil {
		return nil, err
	}
	b := &backend{log: log, options: bitbucket.Options{AllowHTTP: c.allowHTTP, Logger: log}}
	switch {
	case c.fake != "" && c.url != "":
		return nil, errors.New("--fake and --url exclude each other: one is invented data, the other is real")
	case c.fake != "":
		if os.Getenv("BITBUCKET_URL") != "" {
			fmt.Fprintln(stderr, "bb: --fake: BITBUCKET_URL is not used, the data is invented")
		}
		for _, unused := range []struct{ flag, value string }{
			{"--token-file", c.tokenFile}, {"--ca-file", c.caFile}, {"--client-cert", c.clientCert}, {"--client-key", c.clientKey},
		} {
			if unused.value != "" {
				fmt.Fprintf(stderr, "bb: --fake: %s is not used, the data is invented\n", unused.flag)
			}
		}
		return b, b.useFake(c.fake)
	}
	b.options.URL = cmp.Or(c.url, os.Getenv("BITBUCKET_URL"))
	if b.options.URL == "" {
		return nil, errNothingConfigured
	}
	b.options.CAFile = cmp.Or(c.caFile, os.Getenv("BB_CA_FILE"))
	b.options.ClientCert, b.options.ClientKey = c.clientCert, c.clientKey
	if c.clientCert == "" && c.clientKey == "" { // the halves of a pair come from one place
		b.options.ClientCert, b.options.ClientKey = os.Getenv("BB_CLIENT_CERT"), os.Getenv("BB_CLIENT_KEY")
	}
	if b.options.TokenFile = c.tokenFile; c.tokenFile == "" {
		b.options.Token = os.Getenv("BITBUCKET_TOKEN")
	}
	b.options.Username, b.options.Password = os.Getenv("BITBUCKET_USERNAME"), os.Getenv("BITBUCKET_PASSWORD")
	return b, nil
}

// useFake sets the backend to the fake with a scenario. The caller is the
// scenario's default user, or the one whose token BITBUCKET_TOKEN holds; a
// token of a real Bitbucket is not looked at.
func (b *backend) useFake(name string) error {
	s, err := scenario(name)
	if err != nil {
		return err
	}
	b.fake = fakebb.New(fakebb.Options{Scenario: s, Running: true})
	b.options.URL, b.options.Transport = fakebb.DefaultBaseURL, b.fake.Transport()
	b.options.Token = fakebb.Token(fakebb.DefaultUser)
	if s != nil {
		b.options.Token = fakebb.Token(s.DefaultUser())
	}
	if t := os.Getenv("BITBUCKET_TOKEN"); strings.HasPrefix(t, fakebb.Token("")) {
		b.options.Token = t
	}
	return nil
}

// scenario is the fake's scenario of that name or file. Nil stands for the one
// that comes with the program, which the fake reads when it is first asked.
func scenario(name string) (*fakebb.Scenario, error) {
	if name == fakebb.OrchardName {
		return nil, nil
	}
	s, err := fakebb.Find(name)
	if err != nil {
		return nil, fmt.Errorf("--fake: %w", err)
	}
	return s, nil
}

// server builds the MCP server over the backend. transport, when given, stands
// in for the backend's own.
func (c *connection) server(b *backend, transport http.RoundTripper) (*server.Server, error) {
	options := b.options
	if transport != nil {
		options.Transport = transport
	}
	client, err := bitbucket.New(options)
	if err != nil {
		return nil, err
	}
	o, err := c.exposure()
	if err != nil {
		return nil, err
	}
	o.Bitbucket, o.Version, o.CallTimeout, o.Logger = client, version(), c.callTimeout, b.log
	if b.fake != nil {
		o.Demo, o.Now = true, b.fake.Now
	}
	return server.New(o)
}

func logger(w io.Writer, level string) (*slog.Logger, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(level)); err != nil {
		return nil, fmt.Errorf("--log-level is debug, info, warn or error, not %q", level)
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: l})), nil
}
