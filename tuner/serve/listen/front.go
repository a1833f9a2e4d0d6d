package listen

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime"
	"strings"

	"sakusen/tuner/config"
	"sakusen/tuner/serve/role"
)

// Front is how the daemon may be reached.
type Front struct {
	Tokens    role.Tokens    // one of which askers must show; none where anybody may come in
	Cert, Key string         // files of the TLS certificate; empty for none
	Proxied   bool           // a proxy in front of the daemon ends TLS
	Proxies   []netip.Prefix // whose word about clients counts, where Proxied
	Further   []string       // names of the daemon beside its addresses
	Profile   string         // address of Go's profiles; empty for none
	Warnings  []string       // secret files that others may read
}

// NewFront reads the settings for an address such as 127.0.0.1:7171, and refuses
// one that is open to others without a token and TLS. Its errors name the
// setting that is wrong and what was expected of it.
func NewFront(settings *config.Config, address string) (*Front, error) {
	f := &Front{
		Cert: settings.Text("tls_cert"), Key: settings.Text("tls_key"),
		Proxied: settings.Switch("behind_proxy"), Profile: settings.Text("pprof_listen"),
	}
	if f.Profile != "" {
		if host, _, err := net.SplitHostPort(f.Profile); err != nil || !loopback(host) {
			return nil, fmt.Errorf("pprof_listen: expected an address on the loopback interface such as 127.0.0.1:6060, got %q", f.Profile)
		}
	}
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("listen: expected an address such as 127.0.0.1:7171, got %q", address)
	}
	if (f.Cert == "") != (f.Key == "") {
		return nil, errors.New("tls_cert, tls_key: expected both or neither")
	}
	for text := range strings.SplitSeq(settings.Text("proxies"), ",") {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		network, err := netip.ParsePrefix(text)
		if a, bad := netip.ParseAddr(text); err != nil && bad == nil {
			network, err = netip.PrefixFrom(a, a.BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("proxies: expected addresses or networks such as 10.0.0.5, 172.16.0.0/12, got %q", text)
		}
		f.Proxies = append(f.Proxies, network.Masked())
	}
	for name := range strings.SplitSeq(settings.Text("hosts"), ",") {
		if name = strings.ToLower(strings.TrimSpace(name)); name != "" {
			f.Further = append(f.Further, name)
		}
	}
	tokenFile := settings.Text("token_file")
	if tokenFile != "" {
		if f.Tokens, err = role.ReadFile(tokenFile); err != nil {
			return nil, fmt.Errorf("token_file: %w", err)
		}
	}
	f.Warnings = append(exposed("token_file", tokenFile), exposed("tls_key", f.Key)...)
	if f.Proxied && len(f.Tokens) == 0 {
		return nil, errors.New("behind_proxy: expected a token (token_file), as anybody who reaches the proxy reaches the daemon")
	}
	if loopback(host) {
		return f, nil
	}
	if len(f.Tokens) == 0 {
		return nil, fmt.Errorf("listen: %s is open to others: expected a token (token_file)", address)
	}
	if f.Cert == "" && !f.Proxied {
		return nil, fmt.Errorf("listen: %s is open to others: expected TLS (tls_cert and tls_key), or behind_proxy where a proxy ends it", address)
	}
	return f, nil
}

// exposed is a warning if users other than the owner may read a secret file of a setting.
// Windows has no such permissions.
func exposed(setting, file string) []string {
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: %s can be read by others (mode %04o): chmod 600", setting, file, info.Mode().Perm())}
}

// Secure tells whether browsers reach the daemon over TLS.
func (f *Front) Secure() bool { return f.Cert != "" || f.Proxied }

// Scheme is that of the daemon's own address.
func (f *Front) Scheme() string {
	if f.Cert != "" {
		return "https"
	}
	return "http"
}

// Hosts are the names under which the daemon may be reached at an address.
func (f *Front) Hosts(address net.Addr) []string {
	return append(namesOf(address), f.Further...)
}
