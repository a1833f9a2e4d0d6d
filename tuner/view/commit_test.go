package view

import "testing"

// A commit has an address where the package tells its repository, and nothing else has.
func TestCommitAt(t *testing.T) {
	const hash = "0123456789abcdef0123456789abcdef01234567"
	for pkg, want := range map[string]string{
		"github.com/owner/name":       "https://github.com/owner/name/commit/" + hash,
		"github.com/owner/name/v2/in": "https://github.com/owner/name/commit/" + hash,
		"gitlab.com/owner/name/in":    "https://gitlab.com/owner/name/-/commit/" + hash,
		"sakusen/engines/battleship":  "",
		"github.com/owner":            "",
		"":                            "",
	} {
		if got := commitAt(pkg, hash); got != want {
			t.Errorf("%q: %s, want %s", pkg, got, want)
		}
	}
	if got := commitAt("github.com/a/b", "<x>"); got != "" {
		t.Error(got)
	}
}
