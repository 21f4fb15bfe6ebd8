package host

import (
	"errors"
	"fmt"
	"net"
	"strconv"
)

// listeners are one port on the machine's loopback addresses.
type listeners struct {
	all  []net.Listener
	port int
}

func (l listeners) close() {
	for _, one := range l.all {
		one.Close()
	}
}

func (l listeners) authority(name string) string {
	return net.JoinHostPort(name, strconv.Itoa(l.port))
}

// loopback takes addr apart. The name it gives is the one the host's URL has:
// never localhost, which is the sandbox's.
func loopback(addr string) (name string, port int, err error) {
	name, digits, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, fmt.Errorf("address %q: want host:port, such as 127.0.0.1:8930", addr)
	}
	port, err = strconv.Atoi(digits)
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("address %q: port %q is no number from 0 to 65535", addr, digits)
	}
	if name == "localhost" {
		return "127.0.0.1", port, nil
	}
	ip := net.ParseIP(name)
	if ip == nil || !ip.IsLoopback() {
		return "", 0, fmt.Errorf("address %q: the host acts for you without asking who calls, so it listens on loopback only, such as 127.0.0.1:8930", addr)
	}
	return ip.String(), port, nil
}

// listen takes port on the address name and on the loopback addresses of both
// families: a browser may look for localhost on either, and a port that only
// half belongs to us would let another program answer in our name.
func listen(name string, port int) (listeners, error) {
	names := []string{name}
	for _, other := range []string{"127.0.0.1", "::1"} {
		if other != name && available(other) {
			names = append(names, other)
		}
	}
	// Of a free port only the first address is certain to be free, so another
	// one is tried when the second address has it already.
	tries := 1
	if port == 0 {
		tries = 20
	}
	var failed error
	for range tries {
		l := listeners{port: port}
		failed = nil
		for _, each := range names {
			one, err := net.Listen("tcp", l.authority(each))
			if err != nil {
				failed = err
				break
			}
			l.all = append(l.all, one)
			l.port = one.Addr().(*net.TCPAddr).Port
		}
		if failed == nil {
			return l, nil
		}
		l.close()
	}
	return listeners{}, failed
}

// listenNext takes the port after the given one, so that what a view stored
// under the sandbox's origin is there again at the next start, or a free one.
func listenNext(after int) (listeners, error) {
	var taken error
	if after < 65535 {
		l, err := listen("127.0.0.1", after+1)
		if err == nil {
			return l, nil
		}
		taken = err
	}
	l, err := listen("127.0.0.1", 0)
	if err != nil {
		return listeners{}, errors.Join(taken, err)
	}
	return l, nil
}

// available says whether the machine has the address at all.
func available(name string) bool {
	one, err := net.Listen("tcp", net.JoinHostPort(name, "0"))
	if err != nil {
		return false
	}
	one.Close()
	return true
}
