package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	goTest = regexp.MustCompile("go test((?: -[a-z]+=?[^ `]*)*) (\\./[^ `\n]+)([^`\n]*)")
	chosen = regexp.MustCompile(`-(run|bench|fuzz)[ =](?:'([^']+)'|"([^"]+)"|([^ ]+))`)
	test   = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz|Example)\w+)\(`)
)

// A test that a document tells its reader to run is in the package that it names.
func TestDocumentedTests(t *testing.T) {
	tried := 0
	for _, page := range documents(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range goTest.FindAllStringSubmatch(string(text), -1) {
			folder := strings.TrimSuffix(m[2], "/...")
			files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
			if err != nil || len(files) == 0 && folder == m[2] {
				t.Errorf("%s: %s: no tests in %s", page, m[0], folder)
				continue
			}
			if folder != m[2] {
				continue
			}
			var names []string
			for _, file := range files {
				source, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range test.FindAllStringSubmatch(string(source), -1) {
					names = append(names, f[1])
				}
			}
			for _, c := range chosen.FindAllStringSubmatch(m[1]+m[3], -1) {
				pattern := strings.ReplaceAll(c[2]+c[3]+c[4], `\|`, "|") // as a table writes it
				pattern, _, _ = strings.Cut(pattern, "/")
				if strings.Trim(strings.ToLower(pattern), "x^$.") == "" || pattern == "FuzzName" {
					continue // none, or all
				}
				tried++
				for part := range strings.SplitSeq(pattern, "|") {
					found := false
					for _, name := range names {
						ok, err := regexp.MatchString(part, name)
						if err != nil {
							t.Errorf("%s: %s: %v", page, m[0], err)
						}
						found = found || ok
					}
					if !found {
						t.Errorf("%s: %s: no test of %s is %s", page, m[0], folder, part)
					}
				}
			}
		}
	}
	if tried < 40 {
		t.Errorf("%d commands were tried", tried)
	}
}
