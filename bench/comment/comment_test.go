package comment_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/bench"
	"sakusen/bench/comment"
)

// failed returns a report of one failed series of a benchmark with a name.
func failed(name string) bench.GateReport {
	lo, hi := 3.0, 3.0
	return bench.GateReport{
		Verdict: bench.Regression, Exit: 1, Paired: 2,
		Failures: []bench.FindingReport{{
			Name: name, Unit: "allocs/op", Config: map[string]string{"pkg": "example.com/m/deep"},
			Old: &bench.SideReport{Center: 3, Lo: &lo, Hi: &hi}, New: &bench.SideReport{Center: 4},
			Reason: "exact metric changed from 3 to 4, for the worse",
		}},
		Doubts: []bench.FindingReport{{Name: "B-2", Unit: "sec/op", Reason: "too noisy"}},
	}
}

func TestBody(t *testing.T) {
	got := comment.Body(failed("A-2"), comment.Options{Key: "linux", Commit: "0123456789abcdef"})
	want := "<!-- sakusen-bench: linux -->\n### Benchmarks: regression\n\n" +
		"| benchmark | unit | old | new | why |\n|---|---|---|---|---|\n" +
		"| `deep.A-2` | `allocs/op` | 3 | 4.000 | exact metric changed from 3 to 4, for the worse |\n\n" +
		"<details><summary>1 in doubt</summary>\n\n" +
		"| benchmark | unit | old | new | why |\n|---|---|---|---|---|\n" +
		"| `B-2` | `sec/op` | - | - | too noisy |\n\n</details>\n\n" +
		"2 series compared, 1 failed, 1 in doubt, at `0123456789`.\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, c := range []struct {
		verdict bench.Outcome
		when    comment.When
		speaks  bool
	}{
		{bench.Pass, "", false},
		{bench.Undecided, "", false},
		{bench.NothingToDo, comment.Undecided, false},
		{bench.Undecided, comment.Undecided, true},
		{bench.Pass, comment.Always, true},
		{bench.Regression, comment.Undecided, true},
	} {
		if got := comment.Body(bench.GateReport{Verdict: c.verdict}, comment.Options{When: c.when}); (got != "") != c.speaks {
			t.Errorf("%s, %s: %q", c.verdict, c.when, got)
		}
	}
}

// Where profiles were taken, a line says which functions gained, and tables to be
// opened say all; what a match said stands beside it.
func TestBodyCauses(t *testing.T) {
	r := failed("A-2")
	r.Strength = "chess: new against old, 32 blocks, SPRT(-5, 0): H0, weaker"
	r.Causes = []bench.Cause{
		{Pkg: "example.com/m/p", Name: "A-2", Kind: bench.CauseTime, Files: [2]string{"/tmp/x/old.pprof", "/tmp/x/new.pprof"}, Functions: []bench.FunctionPart{
			{Function: "p.slow", Old: .1, New: .3}, {Function: "p.gone", Old: .2, New: .1}}},
		{Pkg: "example.com/m/p", Name: "A-2", Kind: bench.CauseAllocated, Functions: []bench.FunctionPart{{Function: "p.alloc", Old: 16, New: 48}}},
	}
	got := comment.Body(r, comment.Options{})
	for _, want := range []string{
		"`p.A-2`, time: more in `p.slow` (+20.0 %)\n", "`p.A-2`, allocated: more in `p.alloc` (+32.0 B/op)\n",
		"| 10.0 % | 30.0 % | +20.0 % | `p.slow` |\n| 20.0 % | 10.0 % | -10.0 % | `p.gone` |\n", "(profiles `old.pprof` and `new.pprof`)",
		"chess: new against old, 32 blocks, SPRT(-5, 0): H0, weaker",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for range 1000 {
		r.Causes = append(r.Causes, r.Causes[0])
		r.Causes[0].Functions = append(r.Causes[0].Functions, bench.FunctionPart{Function: strings.Repeat("`|@x", 100)})
	}
	if got := comment.Body(r, comment.Options{}); len(got) > 60000 {
		t.Errorf("%d characters", len(got))
	}
}

// A regression ends with the command that finds its commit, unless the report has words in it
// that a shell might read.
func TestBodyBisect(t *testing.T) {
	r := failed("A-2")
	const good, bad = "0123456789abcdef", "fedcba9876543210"
	for _, c := range []struct{ series, good, bad, flag, want string }{
		{"example.com/m/p.A/size=1-2 sec/op", good, bad, "50ms", "sakusen-bench bisect 'example.com/m/p.A/size=1-2 sec/op' 0123456789abcdef..fedcba9876543210 --benchtime 50ms"},
		{"example.com/m/p.A-2 sec/op", good, bad, "$(x)", "sakusen-bench bisect 'example.com/m/p.A-2 sec/op' 0123456789abcdef..fedcba9876543210"},
		{"A'; curl example.com | sh; '", good, bad, "1x", ""},
		{"A\n```", good, bad, "1x", ""},
		{"-C /", good, bad, "1x", ""},
		{"A", "--prepare=x", bad, "1x", ""},
		{"A", good, "$HOME", "1x", ""},
	} {
		r.Bisect = &bench.Bisect{Program: "rm -rf", Series: c.series, Good: c.good, Bad: c.bad, Flags: []string{"--benchtime", c.flag, "--prepare", "x"}}
		got := comment.Body(r, comment.Options{})
		if want := "\nWhich commit:\n\n```sh\n" + c.want + "\n```\n"; c.want != "" && !strings.HasSuffix(got, want) || c.want == "" && strings.Contains(got, "Which commit") {
			t.Errorf("%+v:\n%s", c, got)
		}
	}
}

// What a report says was measured in foreign code.
func TestBodyHostile(t *testing.T) {
	r := failed("A`|@team <img src=x>\n\n# hello")
	r.Failures[0].Reason = "see [here](https://example.com) http:///a HTTPS://b WWW.example.com ftp://c @team <b>"
	r.Failures[0].Unit = "x -->"
	got := comment.Body(r, comment.Options{Key: "a --> <b>"})
	for _, no := range []string{"\n# hello", "](", "<b>", "://", ":/", "WWW."} {
		if strings.Contains(got, no) {
			t.Errorf("%q in %s", no, got)
		}
	}
	for line := range strings.Lines(got) {
		if strings.HasPrefix(line, "| ") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != 6 {
			t.Errorf("a row with other cells: %s", line)
		}
	}
	many := failed("A")
	for range 5000 {
		many.Failures = append(many.Failures, many.Failures[0])
	}
	if got := comment.Body(many, comment.Options{}); len(got) > 60000 || !strings.Contains(got, "and 4961 more") {
		t.Errorf("%d characters", len(got))
	}
}

// A report of any length makes a comment that GitHub takes, the worst first, and says what it
// leaves out.
func TestBodyOfMany(t *testing.T) {
	for _, filler := range []string{"x", "`", "|", "<", "é", "\U0001F600"} {
		r := failed("first")
		r.Notes, r.Strength = r.Doubts, strings.Repeat(filler, 5000)
		for i := range 10_000 {
			f := bench.FindingReport{Name: fmt.Sprintf("B%05d%s", i, strings.Repeat(filler, 300)), Unit: strings.Repeat(filler, 300), Reason: strings.Repeat(filler, 300)}
			r.Failures, r.Doubts, r.Notes = append(r.Failures, f), append(r.Doubts, f), append(r.Notes, f)
			c := bench.Cause{Pkg: filler, Name: f.Name, Kind: bench.CauseTime}
			for k := range 20 {
				c.Functions = append(c.Functions, bench.FunctionPart{Function: strings.Repeat(filler, 300), New: float64(k)})
			}
			r.Causes = append(r.Causes, c)
		}
		got := comment.Body(r, comment.Options{})
		if len(got) > 65_536 || len(got) < 20_000 {
			t.Errorf("%q: %d bytes", filler, len(got))
		}
		for _, want := range []string{"| `deep.first` |", "B00003", "more | | | | |", "10001 failed, 10001 in doubt", "<summary>10001 to note</summary>"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q: no %q", filler, want)
			}
		}
		if open, closed := strings.Count(got, "<details>"), strings.Count(got, "</details>"); open != closed {
			t.Errorf("%q: %d details opened, %d closed", filler, open, closed)
		}
		if lines := comment.Annotations(r, t.TempDir(), "/"); len(lines) != 51 || !strings.HasSuffix(lines[50], "::and 9951 series more failed") {
			t.Errorf("%q: %d annotations, at last %q", filler, len(lines), lines[len(lines)-1])
		}
	}
}

// hub stands in for the API: comments under pull request 7, which fork:change
// heads.
type hub struct {
	*httptest.Server
	notes  []map[string]any
	writes int
	whole  bool // it gives the same comments whatever the page, as Gitea does
}

func newHub(t *testing.T) *hub {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip(err)
	}
	h := &hub{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /repos/o/n/pulls", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("head") != "fork:change" || r.URL.Query().Get("state") != "open" {
			fmt.Fprint(w, "[]")
			return
		}
		fmt.Fprint(w, `[{"number":6,"head":{"sha":"bbb"}},{"number":7,"head":{"sha":"aaa"}}]`)
	})
	mux.HandleFunc("GET /repos/o/n/issues/7/comments", func(w http.ResponseWriter, r *http.Request) {
		var page int
		fmt.Sscan(r.URL.Query().Get("page"), &page)
		from := min(len(h.notes), (page-1)*100)
		if h.whole {
			from = 0
		}
		if err := json.NewEncoder(w).Encode(h.notes[from:min(len(h.notes), from+100)]); err != nil {
			t.Error(err)
		}
	})
	write := func(w http.ResponseWriter, r *http.Request) {
		var note map[string]any
		if err := json.NewDecoder(r.Body).Decode(&note); err != nil || r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, `{"message":"Bad credentials"}`, http.StatusUnauthorized)
			return
		}
		h.writes++
		if id := r.PathValue("id"); id != "" {
			for _, n := range h.notes {
				if fmt.Sprint(n["id"]) == id {
					n["body"] = note["body"]
				}
			}
			return
		}
		h.add("bot", note["body"].(string))
		w.WriteHeader(http.StatusCreated)
		if err := json.NewEncoder(w).Encode(h.notes[len(h.notes)-1]); err != nil {
			t.Error(err)
		}
	}
	mux.HandleFunc("POST /repos/o/n/issues/7/comments", write)
	mux.HandleFunc("PATCH /repos/o/n/issues/comments/{id}", write)
	h.Server = httptest.NewServer(mux)
	t.Cleanup(h.Close)
	return h
}

func (h *hub) add(who, body string) {
	h.notes = append(h.notes, map[string]any{"id": len(h.notes) + 1, "body": body, "user": map[string]any{"login": who}})
}

func TestPost(t *testing.T) {
	h := newHub(t)
	mark := comment.Mark("gate")
	for range 150 { // ours comes on the second page
		h.add("somebody", "fine")
	}
	h.add("somebody", mark+" mine")
	post := func(body string) string {
		t.Helper()
		p := &comment.Pull{API: h.URL, Token: "secret", Repo: "o/n", Head: "fork:change", SHA: "aaa", Author: "bot"}
		did, err := p.Post(context.Background(), mark, body, mark+" resolved")
		if err != nil {
			t.Fatal(err)
		}
		return did
	}
	worse := " \"worse\" \\n\n\r\tend\\" // what curl's settings would take for signs of theirs
	for i, c := range []struct {
		body, did, last string
		notes, writes   int
	}{
		{"", "nothing to say", mark + " mine", 151, 0},
		{mark + worse, "commented on #7", mark + worse, 152, 1},
		{mark + worse, "the comment on #7 says so already", mark + worse, 152, 1},
		{mark + " much worse", "edited the comment on #7", mark + " much worse", 152, 2},
		{"", "edited the comment on #7", mark + " resolved", 152, 3},
		{"", "the comment on #7 says so already", mark + " resolved", 152, 3},
	} {
		did := post(c.body)
		if last := h.notes[len(h.notes)-1]["body"]; did != c.did || last != c.last || len(h.notes) != c.notes || h.writes != c.writes {
			t.Errorf("step %d: %q, %q, %d comments, %d writes", i, did, last, len(h.notes), h.writes)
		}
	}
	if h.notes[150]["body"] != mark+" mine" {
		t.Error("somebody else's comment was edited")
	}
	p := &comment.Pull{API: h.URL, Token: "secret", Repo: "o/n", Head: "fork:change", SHA: "ccc"}
	if _, err := p.Post(context.Background(), mark, "x", ""); !errors.Is(err, comment.ErrNoPull) {
		t.Errorf("a head that moved on: %v", err)
	}
	h.notes, h.whole = h.notes[:100], true
	p = &comment.Pull{API: h.URL, Token: "secret", Repo: "o/n", Number: 7, Author: "bot"}
	if did, err := p.Post(context.Background(), mark, "", ""); err != nil || did != "nothing to say" {
		t.Errorf("a hundred comments without pages: %s, %v", did, err)
	}
	h.Close()
	if _, err := p.Post(context.Background(), mark, "", ""); err == nil || !strings.Contains(err.Error(), "connect") {
		t.Errorf("nobody answers: %v", err)
	}
	t.Setenv("PATH", "")
	if _, err := p.Post(context.Background(), mark, "", ""); err == nil || !strings.Contains(err.Error(), "posted by curl") {
		t.Errorf("without curl: %v", err)
	}
}

func TestPostRefused(t *testing.T) {
	p := &comment.Pull{API: newHub(t).URL, Token: "wrong", Repo: "o/n", Number: 7}
	if _, err := p.Post(context.Background(), comment.Mark("gate"), "x", ""); err == nil || !strings.Contains(err.Error(), "401 Bad credentials") {
		t.Errorf("a wrong token: %v", err)
	}
}

func TestAnnotations(t *testing.T) {
	root := t.TempDir()
	put := func(file, text string) {
		t.Helper()
		file = filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("sub/go.mod", "// a module\nmodule example.com/m\n\ngo 1.26\n")
	put("sub/deep/a_test.go", "package deep\n\nfunc BenchmarkAB(b *testing.B) {}\n\nfunc BenchmarkA(b *testing.B) {}\n")
	for name, want := range map[string]string{
		"A-2":       "::error file=sub/deep/a_test.go,line=5,title=deep.A-2 allocs/op::exact metric changed from 3 to 4, for the worse",
		"A/x=1,y:2": "::error file=sub/deep/a_test.go,line=5,title=deep.A/x=1%2Cy%3A2 allocs/op::exact metric changed from 3 to 4, for the worse",
		"Gone":      "::error title=deep.Gone allocs/op::exact metric changed from 3 to 4, for the worse",
	} {
		got := comment.Annotations(failed(name), filepath.Join(root, "sub", "deep"), root)
		if len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	outside := failed("A")
	outside.Failures[0].Config["pkg"] = "example.com/m/../../etc"
	if got := comment.Annotations(outside, filepath.Join(root, "sub"), root); strings.Contains(got[0], "file=") {
		t.Errorf("%q", got)
	}
}
