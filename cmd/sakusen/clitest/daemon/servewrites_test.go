package daemon

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

const servedBench = `goos: linux
goarch: amd64
pkg: example/x
cpu: A
BenchmarkA-2 	 100 	 %d ns/op 	 3 allocs/op
BenchmarkB-2 	 100 	 %d ns/op 	 4 allocs/op
`

// postedWords is what a match says of blocks that clients have posted.
var postedWords = regexp.MustCompile(`"posted_blocks":60,|,"notes":\["60 of 90 blocks were not played here or by the daemon[^"]*"\]`)

// recordedWhen is when a run came into the file, which differs.
var recordedWhen = regexp.MustCompile(`"recorded":"[^"]*"`)

// What writes to the database writes through a daemon that holds it, and says and
// does there what it does without one.
func TestServeWrites(t *testing.T) {
	type step struct {
		args []string
		code int
		want string
	}
	steps := func(dir string) []step {
		return []step{
			{[]string{"bench", "record", "one.txt", "two.txt", "--commit", "c1", "--branch", "main"}, 0, "run:2, 4 series, 4 samples"},
			{[]string{"bench", "record", "one.txt", "--commit", "c1", "--branch", "main", "--json"}, 0, `"new":false`},
			{[]string{"bench", "record", "empty.txt"}, 2, "no benchmark result"},
			{[]string{"bench", "baseline", "set", "gold", "run:1"}, 0, "baseline gold is run:1"},
			{[]string{"bench", "baseline", "set", "from file/with #?", "three.txt"}, 0, "is run:3"},
			{[]string{"bench", "baseline", "set", "gold", "run:99"}, 2, "not in the database"},
			{[]string{"bench", "baseline", "set", "gold", "nonsense:1"}, 2, ""},
			{[]string{"bench", "baseline", "promote", "gold", "silver"}, 0, "baseline silver is run:1"},
			{[]string{"bench", "baseline", "rm", "from file/with #?"}, 0, ""},
			{[]string{"bench", "baseline", "rm", "nobody"}, 2, "not in the database"},
			{[]string{"bench", "baseline", "list"}, 0, "silver"},
			{[]string{"bench", "accept", "example/x.A-2 sec/op", "--reason", "so be it"}, 0, "begins anew with run:"},
			{[]string{"bench", "accept", "sec/op", "--reason", "which"}, 2, "expected a whole title"},
			{[]string{"bench", "accept", "nothing", "--reason", "none"}, 2, "expected a series"},
			{[]string{"bench", "prune", "--days", "1", "--dry-run"}, 0, "0 runs would be removed"},
			{[]string{"bench", "prune", "--days", "1"}, 0, "0 runs removed"},
			{[]string{"bench", "prune", "--days", "0"}, 2, "--days"},
			{[]string{"bench", "history", "--all-branches"}, 0, "example/x"},
			{[]string{"match", "battleship", "MP70", "RNB", "--blocks", "60", "--seed", "7", "--record", "--json"}, 0, `"digest"`},
			{[]string{"match", "battleship", "MP70", "RNB", "--blocks", "90", "--seed", "7", "--record", "--json"}, 0, `"digest"`},
			{[]string{"tournament", "cup.yaml", "--record", "--json"}, 0, `"digest"`},
			{[]string{"study", "drop", "served-0", "--worker", "nobody"}, 4, "played none"},
			{[]string{"study", "drop", "nobody", "--worker", "x"}, 2, "no study named"},
			{[]string{"db", "prune", "--days", "30"}, 4, ""},
			{[]string{"db", "prune", "--days", "30", "--dry-run"}, 4, "0 blocks"},
			{[]string{"db", "check"}, 0, "ok"},
		}
	}
	results, said := map[bool][]string{}, 0
	for _, daemon := range []bool{false, true} {
		dir := t.TempDir()
		clitest.ServedStudies(t, dir)
		for i, name := range []string{"one", "two", "three"} {
			clitest.WritePrivate(t, dir, name+".txt", fmt.Sprintf(servedBench, 100+i, 200+i))
		}
		clitest.WritePrivate(t, dir, "empty.txt", "nothing\n")
		clitest.WritePrivate(t, dir, "cup.yaml", "version: 1\nname: cup\ngame: battleship\nentrants: [MP70, RNB, R]\nblocks: 20\nseed: 3\n")
		if out, errs, err := clitest.Program(t, dir, nil, "study", "submit", "served-0.yaml"); err != nil {
			t.Fatal(err, out, errs)
		}
		if out, errs, err := clitest.Program(t, dir, nil, "study", "pause", "served-0"); err != nil {
			t.Fatal(err, out, errs)
		}
		run := func(args ...string) (string, string, int) { return (&clitest.Daemon{T: t, Dir: dir}).Run(args...) }
		if daemon {
			clitest.Serve(t, dir)
		}
		for _, s := range steps(dir) {
			out, errs, code := run(s.args...)
			if code != s.code || !strings.Contains(out+errs, s.want) {
				t.Errorf("daemon %v, %v: exit code %d, %s%s; want %d and %q", daemon, s.args, code, out, errs, s.code, s.want)
			}
			// What a client has posted is said to be so, and is else the same.
			plain := postedWords.ReplaceAllString(out, "")
			if plain != out {
				said++
			}
			results[daemon] = append(results[daemon], fmt.Sprint(s.args, code, recordedWhen.ReplaceAllString(plain, `"recorded"`)))
		}
		out, errs, code := run("db", "check", "--json")
		if code != 0 || daemon != strings.Contains(out, `"worker":"posted"`) {
			t.Errorf("daemon %v: %d %s%s", daemon, code, out, errs)
		}
		if daemon {
			if out, errs, code := run("study", "drop", "served-0", "--worker", "posted"); code != 4 {
				t.Errorf("blocks of a match are no study's: %d %s%s", code, out, errs)
			}
		}
	}
	if said != 1 {
		t.Errorf("%d results say that blocks were posted, expected that of the match which goes on with one through the daemon", said)
	}
	for i := range results[false] {
		if results[false][i] != results[true][i] {
			t.Errorf("without a daemon %s\nwith one %s", results[false][i], results[true][i])
		}
	}
}

// Stored blocks are served a page at a time, and are all there are.
func TestServeBlocks(t *testing.T) {
	dir := t.TempDir()
	clitest.ServedStudies(t, dir)
	if _, errs, code := (&clitest.Daemon{T: t, Dir: dir}).Run("tune", "served-1.yaml", "--quiet"); code > 3 || code == 2 {
		t.Fatal(code, errs)
	}
	s := clitest.Serve(t, dir)
	games, blocks, pages, phases := int64(0), int64(0), 0, map[string]bool{}
	for after := int64(0); ; pages++ {
		status, text := s.Answer("GET", fmt.Sprintf("/api/v1/studies/served-1/blocks?limit=7&after=%d", after), "")
		var page struct {
			Blocks []struct {
				Blocks, Games, From int64
				Phase               string
				Scores              []float64
			}
			Next *int64
		}
		if err := json.Unmarshal([]byte(text), &page); err != nil || status != 200 || len(page.Blocks) > 7 {
			t.Fatalf("%v %d %.300s", err, status, text)
		}
		for _, b := range page.Blocks {
			games, blocks, phases[b.Phase] = games+b.Games, blocks+b.Blocks, true
			if len(b.Scores) != 2 || b.Scores[0]+b.Scores[1] < 0.999 || b.Scores[0]+b.Scores[1] > 1.001 {
				t.Errorf("scores %v", b.Scores)
			}
		}
		if page.Next == nil {
			break
		}
		after = *page.Next
	}
	var d struct{ Games int64 }
	_, text := s.Answer("GET", "/api/v1/studies/served-1", "")
	if err := json.Unmarshal([]byte(text), &d); err != nil || games != d.Games || blocks < 100 || pages < 2 || !phases["tune"] || !phases["final"] || !phases["validation"] {
		t.Errorf("%v: %d games in %d blocks of %v over %d pages, the study has %d", err, games, blocks, phases, pages, d.Games)
	}
	if status, text := s.Answer("GET", "/api/v1/studies/served-1/blocks?detail=true&limit=1", ""); status != 200 || !strings.Contains(text, `"digests":["`) {
		t.Errorf("detail: %d %.200s", status, text)
	}
	for path, want := range map[string]int{
		"?limit=0": 400, "?limit=1001": 400, "?detail=true&limit=21": 400, "?after=-1": 400, "?after=1e3": 400, "?detail=yes": 400, "?after=99999999": 200,
	} {
		if status, text := s.Answer("GET", "/api/v1/studies/served-1/blocks"+path, ""); status != want {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if status, _ := s.Answer("GET", "/api/v1/studies/nobody/blocks", ""); status != 404 {
		t.Errorf("no study: %d", status)
	}
	// What is posted must make sense, and never is a study's.
	good := `{"game":"battleship","rules":"r","signatures":"s","entrants":["a","b"],"seed":"1","from":0,"blocks":1,"seats":2,"components":4,"rotations":2,"digests":["1","2"],"values":[2,0,17,17,17,0, 0,0,9,9,0,0, 0,0,9,9,0,0, 2,0,17,17,17,0]}`
	for from, to := range map[string]string{
		`"battleship"`: `"shogi"`, `"seed":"1"`: `"seed":"x"`, `"blocks":1`: `"blocks":1000000`, `"from":0`: `"from":-1`, `"seats":2`: `"seats":65`,
		`["1","2"]`: `["1"]`, `"values":[2,`: `"values":[3,`, `"rotations":2`: `"rotations":0`, `"components":4`: `"components":9223372036854775807`, `["a","b"]`: `["a"]`,
		`"game"`: `"phase":"tune","game"`,
	} {
		if status, text := s.Answer("POST", "/api/v1/blocks", strings.Replace(good, from, to, 1)); status != 400 {
			t.Errorf("%s: %d %s", to, status, text)
		}
	}
	if status, text := s.Answer("POST", "/api/v1/blocks", good); status != 200 {
		t.Errorf("%d %s", status, text)
	}
	if status, text := s.Answer("POST", "/api/v1/blocks", strings.Replace(good, `["1","2"]`, `["1","3"]`, 1)); status != 409 {
		t.Errorf("other blocks under the same key: %d %s", status, text)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "sakusen.db.lock")); err != nil || !strings.Contains(string(text), s.URL) {
		t.Error(err)
	}
}
