package web

import "testing"

// A commit is a link where the package tells its repository, and nothing else is.
func TestCommit(t *testing.T) {
	const hash = "0123456789abcdef0123456789abcdef01234567"
	plain := `<code title="` + hash + `">0123456789ab</code>`
	for pkg, want := range map[string]string{
		"github.com/owner/name":       `<a href="https://github.com/owner/name/commit/` + hash + `" rel="noreferrer">` + plain + `</a>`,
		"github.com/owner/name/v2/in": `<a href="https://github.com/owner/name/commit/` + hash + `" rel="noreferrer">` + plain + `</a>`,
		"gitlab.com/owner/name/in":    `<a href="https://gitlab.com/owner/name/-/commit/` + hash + `" rel="noreferrer">` + plain + `</a>`,
		"sakusen/engines/battleship":  plain,
		"github.com/owner":            plain,
		"":                            plain,
	} {
		if got := string(commit(pkg, hash)); got != want {
			t.Errorf("%q: %s, want %s", pkg, got, want)
		}
	}
	if got := string(commit("github.com/a/b", "<x>")); got != `<code title="&lt;x&gt;">&lt;x&gt;</code>` {
		t.Error(got)
	}
}
