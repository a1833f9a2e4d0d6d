package web_test

import (
	"regexp"
	"testing"
)

// Every page says what it was served by, and no page shows anything else there.
func TestFooterNamesTheCommit(t *testing.T) {
	_, h := serve(t, newShelf(t), "")
	footer := regexp.MustCompile(`<footer><p>Sakusen, commit (.*?) ·`)
	for _, path := range []string{"/", "/studies/first", "/new", "/watch", "/bench", "/tournaments", "/experiments"} {
		_, body, _ := ask(t, "GET", h.URL+path, "")
		if found := footer.FindStringSubmatch(body); found == nil || found[1] != "test" {
			t.Errorf("%s: the footer does not name the commit: %q", path, found)
		}
	}
}
