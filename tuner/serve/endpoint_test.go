package serve_test

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sakusen/tuner/config"
	"sakusen/tuner/serve"
)

// settings returns the defaults with some values in their place.
func settings(t *testing.T, given map[string]string) *config.Config {
	t.Helper()
	c, err := config.Load(config.Source{Env: func(string) (string, bool) { return "", false }, Flags: given})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A token file that others may read is a warning; the names of an address and
// of the settings are the daemon's.
func TestEndpoint(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("0123456789abcdef\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := serve.NewEndpoint(settings(t, map[string]string{"token_file": file, "hosts": "Sakusen.example, ,b.example", "behind_proxy": "true"}), "0.0.0.0:7171")
	if err != nil {
		t.Fatal(err)
	}
	if f.Tokens.Find("0123456789abcdef") == nil || !f.Secure() || f.Scheme() != "http" || len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], "mode 0644") {
		t.Errorf("%+v", f)
	}
	at := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 7171}
	if got, want := f.Hosts(at), []string{"localhost", "127.0.0.1", "::1", "192.0.2.1", "sakusen.example", "b.example"}; !slices.Equal(got, want) {
		t.Errorf("hosts %v, want %v", got, want)
	}
	if got := f.Hosts(&net.TCPAddr{IP: net.IPv4zero}); slices.Contains(got, "0.0.0.0") {
		t.Errorf("hosts of any address: %v", got)
	}
	if _, err := serve.NewEndpoint(settings(t, nil), "0.0.0.0:7171"); err == nil || !strings.Contains(err.Error(), "expected a token (token_file)") {
		t.Errorf("open to others without a token: %v", err)
	}
}

// Commands of this machine reach a listener that listens everywhere by the
// loopback interface of its kind.
func TestReachable(t *testing.T) {
	for _, c := range []struct {
		asked string
		ip    net.IP
		want  string
	}{
		{"0.0.0.0:1", net.IPv4zero, "127.0.0.1:1"},
		{":1", net.IPv6unspecified, "127.0.0.1:1"},
		{"[::]:1", net.IPv6unspecified, "[::1]:1"},
		{"192.0.2.1:1", net.IPv4(192, 0, 2, 1), "192.0.2.1:1"},
	} {
		if got := serve.Reachable(c.asked, &net.TCPAddr{IP: c.ip, Port: 1}); got != c.want {
			t.Errorf("%s: %s, want %s", c.asked, got, c.want)
		}
	}
}
