package comment_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"sakusen/bench"
	"sakusen/bench/comment"
)

// A report is read in any form in which shells and servers keep text, and what is no report
// of a gate is refused.
func TestReportForms(t *testing.T) {
	text, err := json.Marshal(failed("A-2"))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	wide := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(string(text) + "\r\n")) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	want := comment.Body(failed("A-2"), comment.Options{})
	for name, text := range map[string]string{"plain": string(text), "mark": "\ufeff" + string(text), "gzip": packed.String(), "UTF-16": string(wide)} {
		r, err := bench.ReadGateReport(strings.NewReader(text), name)
		if got := comment.Body(r, comment.Options{}); err != nil || got != want {
			t.Errorf("%s: %v %q", name, err, got)
		}
	}
	for text, want := range map[string]string{
		`{"verdict":"good"}`:         `verdict: expected pass, regression, inconclusive or nothing, got "good"`,
		`{}`:                         "without a verdict",
		string(text) + string(text):  "after top-level value",
		string(text[:len(text)/2]):   "unexpected end",
		"BenchmarkA 1 1 ns/op\nPASS": "expected the JSON of a gate",
	} {
		if _, err := bench.ReadGateReport(strings.NewReader(text), "r.json"); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "r.json: ") {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

// A module's path may have a comment behind it.
func TestAnnotationsOfACommentedModule(t *testing.T) {
	for _, mod := range []string{"module example.com/m // the old place\n", "module `example.com/m`\n", "module \"example.com/m\" //x\n"} {
		dir := t.TempDir()
		for file, text := range map[string]string{"go.mod": mod, "deep/a_test.go": "package deep\n\nfunc BenchmarkA(b *testing.B) {}\n"} {
			file = filepath.Join(dir, file)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got := comment.Annotations(failed("A-2"), dir, dir); len(got) != 1 || !strings.HasPrefix(got[0], "::error file=deep/a_test.go,line=3,") {
			t.Errorf("%q: %q", mod, got)
		}
	}
}
