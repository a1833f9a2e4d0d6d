package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
)

// front is how the daemon may be reached.
type front struct {
	token     string
	cert, key string // files; empty for none
	proxied   bool
	further   []string // names
}

// leastToken is the least length of a token, in bytes.
const leastToken = 16

// front reads the settings, and refuses an address that is open to others
// without a token and TLS.
func (a *app) front(listen string) (*front, error) {
	f := &front{cert: a.settings.Text("tls_cert"), key: a.settings.Text("tls_key"), proxied: a.settings.Switch("behind_proxy")}
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return nil, fmt.Errorf("listen: expected an address such as 127.0.0.1:7171, got %q", listen)
	}
	if (f.cert == "") != (f.key == "") {
		return nil, errors.New("tls_cert, tls_key: expected both or neither")
	}
	for name := range strings.SplitSeq(a.settings.Text("hosts"), ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			f.further = append(f.further, name)
		}
	}
	if file := a.settings.Text("token_file"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("token_file: %w", err)
		}
		f.token = strings.TrimSpace(string(text))
		if len(f.token) < leastToken {
			return nil, fmt.Errorf("token_file: %s: expected a token of at least %d characters, got %d", file, leastToken, len(f.token))
		}
	}
	if loopback(host) {
		return f, nil
	}
	if f.token == "" {
		return nil, fmt.Errorf("listen: %s is open to others: expected a token (token_file)", listen)
	}
	if f.cert == "" && !f.proxied {
		return nil, fmt.Errorf("listen: %s is open to others: expected TLS (tls_cert and tls_key), or behind_proxy where a proxy ends it", listen)
	}
	return f, nil
}

// loopback tells whether only this machine reaches an address.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// secure tells whether browsers reach the daemon over TLS.
func (f *front) secure() bool { return f.cert != "" || f.proxied }

func (f *front) scheme() string {
	if f.cert != "" {
		return "https"
	}
	return "http"
}

// hosts are the names under which the daemon may be reached.
func (f *front) hosts(address net.Addr) []string {
	names := append([]string{"localhost", "127.0.0.1", "::1"}, f.further...)
	if host, _, err := net.SplitHostPort(address.String()); err == nil && !slices.Contains(names, host) {
		names = append(names, host)
	}
	return names
}
