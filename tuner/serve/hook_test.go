package serve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/tuner/config"
)

// The settings of the webhook are checked before anything is served.
func TestOpenHook(t *testing.T) {
	short := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(short, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ address, file, wrong string }{
		{"", "", ""}, {"https://example.org/h", "", ""}, {"http://example.org/h", "", "webhook_url: expected https"},
		{"https://example.org", "/nowhere/at/all", "webhook_secret_file"}, {"https://example.org", short, "at least 16 bytes"}, {"", short, "webhook_url: expected an address"},
	} {
		settings, err := config.Load(config.Source{
			Env: func(string) (string, bool) { return "", false }, Flags: map[string]string{"webhook_url": c.address, "webhook_secret_file": c.file},
		})
		if err != nil {
			t.Fatal(err)
		}
		h, err := openHook(settings, nil)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) || err == nil && (h != nil) != (c.address != "") {
			t.Errorf("%+v: %v, %v", c, h, err)
		}
		if h != nil {
			h.Close(t.Context())
		}
	}
}
