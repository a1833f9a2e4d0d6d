package web_test

import (
	"regexp"
	"testing"
)

// Every page names the version and the commit of the program.
func TestFooterNamesTheCommit(t *testing.T) {
	_, h := serve(t, newTestService(t), "")
	footer := regexp.MustCompile(`<footer><p>Sakusen \d+\.\d+\.\d+, commit (.*?) ·`)
	for _, path := range []string{"/", "/studies/first", "/new", "/watch", "/bench", "/tournaments", "/experiments"} {
		_, body, _ := ask(t, "GET", h.URL+path, "")
		if found := footer.FindStringSubmatch(body); found == nil || found[1] != "test" {
			t.Errorf("%s: the footer does not name the commit: %q", path, found)
		}
	}
}
