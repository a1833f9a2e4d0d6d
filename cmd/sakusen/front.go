package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
)

// front is how the daemon may be reached.
type front struct {
	token     string
	cert, key string // files; empty for none
	proxied   bool
	further   []string // names
	profile   string   // address of the profiles; empty for none
	warnings  []string // files that others may read
}

// leastToken is the least length of a token, in bytes.
const leastToken = 16

// front reads the settings, and refuses an address that is open to others
// without a token and TLS.
func (a *app) front(listen string) (*front, error) {
	f := &front{cert: a.settings.Text("tls_cert"), key: a.settings.Text("tls_key"), proxied: a.settings.Switch("behind_proxy")}
	if f.profile = a.settings.Text("pprof_listen"); f.profile != "" {
		if host, _, err := net.SplitHostPort(f.profile); err != nil || !loopback(host) {
			return nil, fmt.Errorf("pprof_listen: expected an address on the loopback interface such as 127.0.0.1:6060, got %q", f.profile)
		}
	}
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
		if strings.ContainsFunc(f.token, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return nil, fmt.Errorf("token_file: %s: expected one word of printable ASCII characters", file)
		}
	}
	for key, file := range map[string]string{"token_file": a.settings.Text("token_file"), "tls_key": f.key} {
		if info, err := os.Stat(file); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			f.warnings = append(f.warnings, fmt.Sprintf("%s: %s can be read by others (mode %04o): chmod 600", key, file, info.Mode().Perm()))
		}
	}
	if f.proxied && f.token == "" {
		return nil, errors.New("behind_proxy: whoever reaches the proxy comes in: expected a token (token_file)")
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
	ip := net.ParseIP(host) // an IPv4 address in an IPv6 one is what it maps to
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
	host, _, err := net.SplitHostPort(address.String())
	if ip := net.ParseIP(host); err == nil && ip != nil && !ip.IsUnspecified() && !slices.Contains(names, host) {
		names = append(names, host)
	}
	return names
}

// reachable is where commands on this machine reach a listener: one that listens
// everywhere, on the loopback interface.
func reachable(listen string, address net.Addr) string {
	host, port, err := net.SplitHostPort(address.String())
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsUnspecified() {
		return address.String()
	}
	if strings.HasPrefix(listen, "[") {
		return net.JoinHostPort("::1", port)
	}
	return net.JoinHostPort("127.0.0.1", port)
}
