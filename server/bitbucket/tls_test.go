package bitbucket_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// issued is a certificate with its key, and what they are as PEM.
type issued struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	certPEM     string
	keyPEM      string
}

func (i *issued) pair() tls.Certificate {
	return tls.Certificate{Certificate: [][]byte{i.certificate.Raw}, PrivateKey: i.key}
}

// issue makes a certificate that by has signed, or nil itself.
func issue(t *testing.T, name string, by *issued, adjust func(*x509.Certificate)) *issued {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(48 * time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	parent, signer := c, key
	if by == nil {
		c.IsCA, c.BasicConstraintsValid, c.KeyUsage = true, true, x509.KeyUsageCertSign
	} else {
		parent, signer = by.certificate, by.key
	}
	if adjust != nil {
		adjust(c)
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	made := &issued{key: key,
		certPEM: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		keyPEM:  string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}))}
	if made.certificate, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return made
}

// serveTLS is a Bitbucket that shows a certificate; accepts is the authority
// whose client certificates it wants, nil for none.
func serveTLS(t *testing.T, shows *issued, accepts *issued) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"id":1}`)
	}))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{shows.pair()}}
	if accepts != nil {
		s.TLS.ClientCAs, s.TLS.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
		s.TLS.ClientCAs.AddCert(accepts.certificate)
	}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// read reads something with o and gives the error.
func read(t *testing.T, o bitbucket.Options) *bitbucket.Error {
	t.Helper()
	_, err := client(t, o).PullRequest(t.Context(), "X", "y", 1)
	if err == nil {
		return nil
	}
	var failed *bitbucket.Error
	if !errors.As(err, &failed) {
		t.Fatalf("%v is no Error", err)
	}
	return failed
}

// T8, TLS-03
func TestAnAuthorityIsAddedByFile(t *testing.T) {
	root := issue(t, "Orchard Root", nil, nil)
	web := serveTLS(t, issue(t, "bitbucket", root, nil), nil)
	if err := read(t, bitbucket.Options{URL: web.URL, CAFile: write(t, "# ours\n"+issue(t, "Another", nil, nil).certPEM+root.certPEM)}); err != nil {
		t.Error(err)
	}
	if err := read(t, bitbucket.Options{URL: web.URL, CAFile: write(t, string(root.certificate.Raw))}); err != nil {
		t.Errorf("a certificate in DER form: %v", err)
	}
	for _, o := range []bitbucket.Options{{}, {CAFile: write(t, issue(t, "Another", nil, nil).certPEM)}} {
		o.URL = web.URL
		err := read(t, o)
		if err == nil || err.Cause != bitbucket.AuthorityUnknown || !strings.Contains(err.Error(), "127.0.0.1") || !strings.Contains(err.Error(), "CN=Orchard Root") {
			t.Errorf("%v; want AuthorityUnknown with the host and the issuer", err)
		}
	}
}

func TestACertificateThatDoesNotFitIsNamed(t *testing.T) {
	root := issue(t, "Orchard Root", nil, nil)
	for name, test := range map[string]struct {
		adjust func(*x509.Certificate)
		cause  bitbucket.Cause
		want   string
	}{
		"other host": {func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"bitbucket.example.com"} }, bitbucket.WrongHostName, "bitbucket.example.com"},
		"expired": {func(c *x509.Certificate) {
			c.NotBefore, c.NotAfter = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
		}, bitbucket.CertificateExpired, "from 2020-01-01 to 2021-01-01"},
		"not yet valid": {func(c *x509.Certificate) { c.NotBefore = time.Now().Add(24 * time.Hour) }, bitbucket.CertificateExpired, "is valid from"},
	} {
		web := serveTLS(t, issue(t, "bitbucket", root, test.adjust), nil)
		err := read(t, bitbucket.Options{URL: web.URL, CAFile: write(t, root.certPEM)})
		if err == nil || err.Kind != bitbucket.Unreachable || err.Cause != test.cause || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v; want %s and %q", name, err, test.cause, test.want)
		}
	}
}

// TLS-01: a client certificate may be all there is, or stand beside a token.
func TestAClientCertificateIsShown(t *testing.T) {
	root, clients := issue(t, "Orchard Root", nil, nil), issue(t, "Orchard People", nil, nil)
	web := serveTLS(t, issue(t, "bitbucket", root, nil), clients)
	mine, stranger := issue(t, "amara", clients, nil), issue(t, "mallory", root, nil)
	o := bitbucket.Options{URL: web.URL, CAFile: write(t, root.certPEM), ClientCert: write(t, mine.certPEM), ClientKey: write(t, mine.keyPEM)}
	if err := read(t, o); err != nil {
		t.Errorf("alone: %v", err)
	}
	o.Token = "t"
	if err := read(t, o); err != nil {
		t.Errorf("beside a token: %v", err)
	}
	o.ClientCert, o.ClientKey = "", ""
	if err := read(t, o); err == nil || err.Cause != bitbucket.CertificateWanted {
		t.Errorf("none: %v", err)
	}
	o.ClientCert, o.ClientKey = write(t, stranger.certPEM), write(t, stranger.keyPEM)
	if err := read(t, o); err == nil || err.Cause != bitbucket.CertificateWanted {
		t.Errorf("another authority's: %v", err)
	}
}

// What is wrong with a file is said when bb starts, and which file it is.
func TestACertificateFileThatIsNoneIsRefused(t *testing.T) {
	one, other := issue(t, "one", nil, nil), issue(t, "other", nil, nil)
	missing := filepath.Join(t.TempDir(), "nothing.pem")
	cert, key := write(t, one.certPEM), write(t, one.keyPEM)
	for name, test := range map[string]struct {
		o    bitbucket.Options
		want string
	}{
		"CA missing":           {bitbucket.Options{CAFile: missing}, "nothing.pem"},
		"CA empty":             {bitbucket.Options{CAFile: write(t, "")}, "holds no certificate"},
		"CA a key":             {bitbucket.Options{CAFile: key}, "holds a private key"},
		"CA text":              {bitbucket.Options{CAFile: write(t, "hello")}, "holds no certificate"},
		"CA damaged":           {bitbucket.Options{CAFile: write(t, one.certPEM+strings.Replace(other.certPEM, "MII", "!!!", 1))}, "damaged"},
		"CA no certificate":    {bitbucket.Options{CAFile: write(t, one.certPEM+"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")}, "certificate 2"},
		"certificate alone":    {bitbucket.Options{ClientCert: cert}, "--client-key"},
		"key alone":            {bitbucket.Options{ClientKey: key}, "--client-cert"},
		"certificate missing":  {bitbucket.Options{ClientCert: missing, ClientKey: key}, "nothing.pem"},
		"key missing":          {bitbucket.Options{ClientCert: cert, ClientKey: missing}, "nothing.pem"},
		"key of another":       {bitbucket.Options{ClientCert: cert, ClientKey: write(t, other.keyPEM)}, "does not match"},
		"key that is no key":   {bitbucket.Options{ClientCert: cert, ClientKey: cert}, filepath.Base(cert)},
		"key with passphrase":  {bitbucket.Options{ClientCert: cert, ClientKey: write(t, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n")}, "passphrase"},
		"user name with colon": {bitbucket.Options{Username: "a:b", Password: "c"}, "colon"},
	} {
		test.o.URL = "https://bitbucket.example.com"
		if _, err := bitbucket.New(test.o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

func TestTheWrongProtocolIsNamed(t *testing.T) {
	secure := serveTLS(t, issue(t, "bitbucket", nil, nil), nil)
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	if err := read(t, bitbucket.Options{URL: strings.Replace(plain.URL, "http:", "https:", 1)}); err == nil || err.Cause != bitbucket.PlainHTTPAnswered {
		t.Errorf("https to a port of http: %v", err)
	}
	if err := read(t, bitbucket.Options{URL: strings.Replace(secure.URL, "https:", "http:", 1)}); err == nil || err.Cause != bitbucket.TLSWanted || err.Kind != bitbucket.Unreachable {
		t.Errorf("http to a port of https: %v", err)
	}
	// A server that answers a TLS alert instead of words.
	alert, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer alert.Close()
	go func() {
		for {
			conn, err := alert.Accept()
			if err != nil {
				return
			}
			conn.Read(make([]byte, 4096)) // what comes before the request is no answer to it
			conn.Write([]byte("\x15\x03\x03\x00\x02\x02\x46"))
			conn.Close()
		}
	}()
	if err := read(t, bitbucket.Options{URL: "http://" + alert.Addr().String()}); err == nil || err.Cause != bitbucket.TLSWanted {
		t.Errorf("http to a port that sends an alert: %v", err)
	}
}

func TestWhatKeepsBitbucketFromBeingReachedIsNamed(t *testing.T) {
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := gone.Addr().String()
	gone.Close()
	if err := read(t, bitbucket.Options{URL: "http://" + address}); err == nil || err.Cause != bitbucket.ConnectionRefused || !strings.Contains(err.Error(), address) {
		t.Errorf("%v", err)
	}
	fail := func(err error) bitbucket.Options {
		return bitbucket.Options{Transport: answers(func(*http.Request) (*http.Response, error) { return nil, err })}
	}
	if err := read(t, fail(&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "bitbucket.example.com", IsNotFound: true}})); err.Cause != bitbucket.NameUnknown {
		t.Errorf("%v is %s", err, err.Cause)
	}
	if err := read(t, fail(&net.OpError{Op: "dial", Err: timeout{}})); err.Cause != bitbucket.TimedOut {
		t.Errorf("%v is %s", err, err.Cause)
	}
}

type timeout struct{}

func (timeout) Error() string   { return "i/o timeout" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

// T7: a proxy's own refusals are told from Bitbucket's.
func TestAProxyIsNamed(t *testing.T) {
	root := issue(t, "Orchard Root", nil, nil)
	target := serveTLS(t, issue(t, "bitbucket", root, func(c *x509.Certificate) { c.DNSNames = []string{"bitbucket.example.com"} }), nil)
	var status int
	seen := ""
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Method + " " + r.Host
		if status != 200 {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			io.WriteString(w, "<html><title>Squid says no</title></html>")
			return
		}
		up, err := net.Dial("tcp", target.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		w.WriteHeader(200)
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		go func() { io.Copy(up, conn); up.Close() }()
		io.Copy(conn, up)
		conn.Close()
	}))
	defer proxy.Close()
	through, err := url.Parse(strings.Replace(proxy.URL, "http://", "http://amara:hunter2@", 1))
	if err != nil {
		t.Fatal(err)
	}
	o := bitbucket.Options{URL: "https://bitbucket.example.com", CAFile: write(t, root.certPEM), Proxy: http.ProxyURL(through)}
	status = 200
	if err := read(t, o); err != nil || seen != "CONNECT bitbucket.example.com:443" {
		t.Errorf("through a proxy: %v, which saw %q", err, seen)
	}
	for _, test := range []struct {
		url    string
		status int
		cause  bitbucket.Cause
		want   string
	}{
		{"https://bitbucket.example.com", 407, bitbucket.ProxySignIn, "407 Proxy Authentication Required"},
		{"https://bitbucket.example.com", 403, bitbucket.ProxyRefused, "403 Forbidden to a connection to bitbucket.example.com"},
		{"http://bitbucket.example.com", 407, bitbucket.ProxySignIn, through.Host},
	} {
		status = test.status
		o.URL, o.AllowHTTP = test.url, true
		err := read(t, o)
		if err == nil || err.Kind != bitbucket.Unreachable || err.Cause != test.cause || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s, %d: %v; want %s and %q", test.url, test.status, err, test.cause, test.want)
		}
	}
	o.URL = "https://bitbucket.example.com"
	proxy.Close()
	if err := read(t, o); err == nil || err.Cause != bitbucket.ProxyUnreachable || !strings.Contains(err.Error(), through.Host) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a proxy that is gone: %v", err)
	}
	o.Proxy = func(*http.Request) (*url.URL, error) { return nil, errors.New("invalid proxy address amara:hunter2@") }
	if err := read(t, o); err == nil || err.Cause != bitbucket.ProxySettingInvalid || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("a proxy setting that is none: %v", err)
	}
}
