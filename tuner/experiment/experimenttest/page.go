// Package experimenttest compares pages of the documentation with the results of
// experiments that they print, for tests.
package experimenttest

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/tuner/experiment"
)

var update = flag.Bool("update-page", false, "write the tables of the page anew")

// Page fails unless a page has, between the comments "results NAME" and "end NAME", the
// table of each result NAME.json in testdata. With -update-page it writes them.
func Page(t *testing.T, page string) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no results in testdata: %v", err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	old := string(text)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var r experiment.Report
		if err := json.Unmarshal(data, &r); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		begin, end := "<!-- results "+name+" -->\n", "<!-- end "+name+" -->\n"
		before, rest, ok := strings.Cut(old, begin)
		had, after, ended := strings.Cut(rest, end)
		if !ok || !ended {
			t.Errorf("%s: no %q with its end", page, strings.TrimSpace(begin))
			continue
		}
		want := r.Markdown()
		if had != want && !*update {
			t.Errorf("%s: the table of %s is not that of %s; run the test with -update-page", page, name, file)
		}
		old = before + begin + want + end + after
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(page, []byte(old), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
