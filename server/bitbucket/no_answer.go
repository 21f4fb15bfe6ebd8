package bitbucket

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// noAnswer says in plain words why no answer came to o.
func (c *Client) noAnswer(o outgoing, req *http.Request, err error) *Error {
	// The url.Error around it repeats the method and the whole address.
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	e := &Error{Kind: Unreachable, Method: o.method, Path: o.target}
	var moved *redirectRefusal
	if errors.As(err, &moved) {
		e.Kind, e.Cause = Unsupported, moved.cause
		if moved.cause == MovedOutOfScope {
			e.Kind = Denied
		}
		e.say(moved.words)
		return e
	}
	words := ""
	e.Cause, words = c.whyNone(req, err)
	if words == "" {
		words = err.Error()
	}
	e.say(words)
	return e
}

// whyNone is the cause of a transport's error and, where the error's own words
// do not say it plainly, better ones.
func (c *Client) whyNone(req *http.Request, err error) (Cause, string) {
	host := c.base.Hostname()
	if cause, words := c.whyProxy(req, err); cause != "" {
		return cause, words
	}
	if cause, words := whyTLS(host, err); cause != "" {
		return cause, words
	}
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return NameUnknown, fmt.Sprintf("the host name %s is not known", dns.Name)
	case errors.Is(err, http.ErrSchemeMismatch):
		return PlainHTTPAnswered, fmt.Sprintf("%s answers in plain http on the port that was asked with https", c.base.Host)
	case strings.Contains(err.Error(), `malformed HTTP response "\x15\x03`): // a TLS alert
		return TLSWanted, fmt.Sprintf("%s wants https on the port that was asked with http", c.base.Host)
	case errors.Is(err, syscall.ECONNREFUSED):
		return ConnectionRefused, fmt.Sprintf("nothing accepts connections at %s (connection refused)", c.base.Host)
	case errors.As(err, &timeout) && timeout.Timeout():
		return TimedOut, fmt.Sprintf("%s could not be reached in time: %v", c.base.Host, err)
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF),
		strings.Contains(err.Error(), "server closed idle connection"):
		return CutOff, fmt.Sprintf("%s closed the connection before it answered: %v", c.base.Host, err)
	}
	return "", ""
}

// whyProxy is the cause when it lies with the proxy.
func (c *Client) whyProxy(req *http.Request, err error) (Cause, string) {
	var refusal *proxyRefusal
	var op *net.OpError
	switch {
	case errors.Is(err, errProxySetting):
		return ProxySettingInvalid, errProxySetting.Error()
	case errors.As(err, &refusal) && refusal.code == http.StatusProxyAuthRequired:
		return ProxySignIn, refusal.Error()
	case errors.As(err, &refusal):
		return ProxyRefused, fmt.Sprintf("%s to a connection to %s", refusal.Error(), c.base.Host)
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return ProxyUnreachable, fmt.Sprintf("the proxy %s cannot be reached: %v", c.proxyOf(req), op.Err)
	}
	return "", ""
}

// proxyOf is the host of the proxy that a request goes through, or "".
func (c *Client) proxyOf(req *http.Request) string {
	if req == nil {
		return ""
	}
	proxy, err := c.proxy(req)
	if err != nil || proxy == nil {
		return ""
	}
	return proxy.Host
}

// whyTLS is the cause when the server's certificate is not accepted, or ours
// is missing.
func whyTLS(host string, err error) (Cause, string) {
	var failed *tls.CertificateVerificationError
	var leaf *x509.Certificate
	sent := 0
	if errors.As(err, &failed) && len(failed.UnverifiedCertificates) > 0 {
		leaf, sent = failed.UnverifiedCertificates[0], len(failed.UnverifiedCertificates)
	}
	var unknown x509.UnknownAuthorityError
	var wrongName x509.HostnameError
	var invalid x509.CertificateInvalidError
	var remote *net.OpError
	switch {
	case errors.As(err, &wrongName):
		names := wrongName.Certificate.DNSNames
		for _, ip := range wrongName.Certificate.IPAddresses {
			names = append(names, ip.String())
		}
		if len(names) > 5 {
			names = append(names[:5:5], "…")
		}
		return WrongHostName, fmt.Sprintf("the certificate of %s is for another host (it names %s)", host, strings.Join(names, ", "))
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return CertificateExpired, fmt.Sprintf("the certificate %s, by which %s shows itself, is valid from %s to %s", quoted(invalid.Cert.Subject.String()), host,
			invalid.Cert.NotBefore.UTC().Format(time.DateOnly), invalid.Cert.NotAfter.UTC().Format(time.DateOnly))
	case errors.As(err, &unknown), leaf != nil:
		if leaf == nil {
			leaf, sent = unknown.Cert, 1
		}
		if leaf == nil {
			return AuthorityUnknown, fmt.Sprintf("the certificate of %s is not trusted: %v", host, err)
		}
		words := fmt.Sprintf("the certificate of %s is issued by %s, which is not trusted here", host, quoted(leaf.Issuer.String()))
		if sent == 1 && leaf.Issuer.String() != leaf.Subject.String() {
			words += "; the server sends no certificate between its own and the root's"
		}
		return AuthorityUnknown, words
	case errors.As(err, &remote) && remote.Op == "remote error" && strings.Contains(remote.Err.Error(), "certificate"),
		errors.As(err, &remote) && remote.Op == "remote error" && strings.Contains(remote.Err.Error(), "handshake failure"):
		return CertificateWanted, fmt.Sprintf("%s ends the TLS handshake (%v): it may want a client certificate, or another one", host, remote.Err)
	}
	return "", ""
}
