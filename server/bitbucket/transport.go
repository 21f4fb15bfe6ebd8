package bitbucket

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// NewTransport is what carries the requests of a client with these options: the
// Transport in them, or one made from CAFile, ClientCert, ClientKey and Proxy.
// It is for a recorder that stands between a client and it. An error names the
// file and what is wrong with it.
func NewTransport(o Options) (http.RoundTripper, error) {
	if o.Transport != nil {
		return o.Transport, nil
	}
	config, err := tlsConfig(o)
	if err != nil {
		return nil, err
	}
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.TLSClientConfig = config
	t.Proxy = o.proxy()
	t.OnProxyConnectResponse = func(_ context.Context, proxy *url.URL, _ *http.Request, res *http.Response) error {
		if res.StatusCode != http.StatusOK {
			return &proxyRefusal{proxy.Host, res.StatusCode, res.Status}
		}
		return nil
	}
	// By default two idle connections are kept, and the others of a burst
	// would shake hands anew each time.
	t.MaxIdleConnsPerHost = max(o.Concurrency, DefaultConcurrency)
	return t, nil
}

// proxy is what chooses the proxy. What is wrong with a setting is said without
// its value, which may hold a password.
func (o Options) proxy() func(*http.Request) (*url.URL, error) {
	choose := o.Proxy
	if choose == nil {
		choose = http.ProxyFromEnvironment
	}
	return func(r *http.Request) (*url.URL, error) {
		proxy, err := choose(r)
		if err != nil || proxy != nil && proxy.Hostname() == "" {
			return nil, errProxySetting
		}
		return proxy, nil
	}
}

var errProxySetting = errors.New("HTTPS_PROXY or HTTP_PROXY is not the address of a proxy")

// proxyRefusal is a proxy's refusal to open a tunnel.
type proxyRefusal struct {
	host   string
	code   int
	status string // such as "407 Proxy Authentication Required"
}

// Error names the proxy and its answer.
func (p *proxyRefusal) Error() string {
	return fmt.Sprintf("the proxy %s answers %s", p.host, p.status)
}

// tlsConfig reads the certificates of o.
func tlsConfig(o Options) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	switch {
	case o.ClientCert != "" && o.ClientKey == "":
		return nil, errors.New("the client certificate (--client-cert, BB_CLIENT_CERT) needs its key: set --client-key or BB_CLIENT_KEY")
	case o.ClientKey != "" && o.ClientCert == "":
		return nil, errors.New("the client key (--client-key, BB_CLIENT_KEY) needs its certificate: set --client-cert or BB_CLIENT_CERT")
	case o.ClientCert != "":
		pair, err := clientCertificate(o.ClientCert, o.ClientKey)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if o.CAFile == "" {
		return config, nil
	}
	added, err := readAuthorities(o.CAFile)
	if err != nil {
		return nil, fmt.Errorf("CA file: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a system without any
	}
	for _, certificate := range added {
		pool.AddCert(certificate)
	}
	config.RootCAs = pool
	return config, nil
}

func clientCertificate(certFile, keyFile string) (tls.Certificate, error) {
	cert, err := os.ReadFile(certFile)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("client certificate: %w", err)
	}
	key, err := os.ReadFile(keyFile)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("client key: %w", err)
	}
	if bytes.Contains(key, []byte("BEGIN ENCRYPTED PRIVATE KEY")) || bytes.Contains(key, []byte("Proc-Type: 4,ENCRYPTED")) {
		return tls.Certificate{}, fmt.Errorf("client key %s is encrypted; bb needs it without a passphrase", keyFile)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("client certificate %s with key %s: %w", certFile, keyFile, err)
	}
	return pair, nil
}

// readAuthorities reads a file of certificates, each of which must be one:
// what is skipped silently is missed when a connection fails.
func readAuthorities(path string) ([]*x509.Certificate, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if one, err := x509.ParseCertificate(data); err == nil {
		return []*x509.Certificate{one}, nil
	}
	var all []*x509.Certificate
	for rest := data; ; {
		var block *pem.Block
		block, rest = pem.Decode(rest)
		switch {
		case block == nil && len(all) == 0:
			return nil, fmt.Errorf("%s holds no certificate in PEM form that can be read", path)
		case block == nil && bytes.Count(data, []byte("-----BEGIN ")) > len(all):
			return nil, fmt.Errorf("%s: what follows certificate %d is damaged", path, len(all))
		case block == nil:
			return all, nil
		case block.Type != "CERTIFICATE":
			return nil, fmt.Errorf("%s holds a %s where a certificate is expected", path, strings.ToLower(block.Type))
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("%s: certificate %d: %w", path, len(all)+1, err)
		}
		all = append(all, certificate)
	}
}

// logged writes a line for each request, redirects and further tries included:
// never a query, a header that was sent, or a body.
type logged struct {
	http.RoundTripper
	log     *slog.Logger
	context string // the context path, which the line leaves out
}

// RoundTrip carries r and writes its line.
func (l logged) RoundTrip(r *http.Request) (*http.Response, error) {
	start := time.Now()
	res, err := l.RoundTripper.RoundTrip(r)
	line := []any{"method", r.Method, "path", strings.TrimPrefix(r.URL.EscapedPath(), l.context)}
	if err == nil {
		line = append(line, "status", res.StatusCode)
	}
	line = append(line, "ms", time.Since(start).Milliseconds())
	if err != nil {
		line = append(line, "error", err.Error())
	} else {
		line = append(line, "request", requestID(res.Header))
	}
	l.log.DebugContext(r.Context(), "bitbucket", line...)
	return res, err
}
