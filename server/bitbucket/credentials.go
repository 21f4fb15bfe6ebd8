package bitbucket

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode"
)

// maxTokenFile is how much of a token file is read, in bytes. Bitbucket's
// tokens have under a hundred; what is larger is another file.
const maxTokenFile = 64 << 10

// credentials are what a client shows with each request. Those from a file
// can change while it runs.
type credentials struct {
	file string // "" when they do not come from a file

	mu     sync.Mutex
	header string // the Authorization header; "" for none
}

// credentialsOf reads those of o.
func credentialsOf(o Options) (*credentials, error) {
	c := &credentials{file: o.TokenFile}
	switch {
	case o.TokenFile != "":
		token, err := readToken(o.TokenFile)
		if err != nil {
			return nil, err
		}
		c.header = "Bearer " + token
	case o.Token != "":
		token, err := cleanToken(o.Token)
		if err != nil {
			return nil, fmt.Errorf("the token %w", err)
		}
		c.header = "Bearer " + token
	case o.Username == "" && o.Password != "":
		return nil, errors.New("a password needs a user name: set BITBUCKET_USERNAME")
	case o.Username != "" && o.Password == "":
		return nil, errors.New("a user name needs a password: set BITBUCKET_PASSWORD")
	case o.Username != "":
		if strings.Contains(o.Username, ":") {
			return nil, errors.New("a user name with a colon cannot be sent with a password; use a token")
		}
		c.header = "Basic " + base64.StdEncoding.EncodeToString([]byte(o.Username+":"+o.Password))
	}
	return c, nil
}

// authorization is the header to send now; "" for none.
func (c *credentials) authorization() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.header
}

// renew reads the token file again after Bitbucket refused the header that was
// sent. It says whether there is another to try; of several calls that were
// refused together the first one reads and the others find its result.
func (c *credentials) renew(refused string) (bool, error) {
	if c.file == "" {
		return false, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.header != refused {
		return true, nil
	}
	token, err := readToken(c.file)
	if err != nil {
		return false, err
	}
	c.header = "Bearer " + token
	return c.header != refused, nil
}

// readToken reads a token from a file. Its errors never hold what the file
// does.
func readToken(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("token file: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxTokenFile+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("token file: %w", err)
	case len(data) > maxTokenFile:
		return "", fmt.Errorf("token file %s is larger than %d KiB; it should hold a token and nothing else", path, maxTokenFile>>10)
	}
	token, err := cleanToken(strings.TrimPrefix(string(data), "\uFEFF")) // some editors begin a file with it
	if err != nil {
		return "", fmt.Errorf("token file %s %w", path, err)
	}
	return token, nil
}

// cleanToken takes the white space around a token away. A token is otherwise
// not judged by its shape (AUTH-05); but what could end the header or the line
// it stands in is no token.
func cleanToken(text string) (string, error) {
	token := strings.TrimSpace(text)
	switch {
	case token == "":
		return "", errors.New("is empty")
	case strings.ContainsFunc(token, unicode.IsControl):
		return "", errors.New("has a line break or another control character inside; it should hold a token and nothing else")
	}
	return token, nil
}
