package workers

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// Every kind of work ends equal to the last bit, whether 1, 2 or 8 games are played at a time,
// here or by workers in other processes, connected by a socket. One of these is killed again
// and again. SAKUSEN_EQUALITY=all tries all kinds with all numbers.
func TestEquality(t *testing.T) {
	all := os.Getenv("SAKUSEN_EQUALITY") == "all"
	for _, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			if !all && (!k.cheap || suite.Few()) {
				t.Skip("SAKUSEN_EQUALITY=all tries it")
			}
			want := local(t, k, 2)
			if all {
				for _, n := range []int{1, 8} {
					if got := local(t, k, n); got != want {
						t.Errorf("%d games at a time end otherwise than 2:\n%s", n, differences(want, got))
					}
				}
			}
			for _, cores := range [][]int{{1}, {1, 1}, {3, 3, 2}} {
				if !all && len(cores) != 2 {
					continue
				}
				// On a busy machine the daemon may have played all before a worker gets a job.
				for games := int64(0); games == 0 && !t.Failed(); {
					var got string
					if got, games = remote(t, k, cores, all); got != want {
						t.Errorf("workers with %d cores end otherwise:\n%s", cores, differences(want, got))
					}
					t.Logf("workers with %d cores played %d games", cores, games)
					if games == 0 && time.Now().After(suite.Deadline(t)) {
						t.Errorf("workers with %d cores have played nothing", cores)
					}
				}
			}
		})
	}
}

// place returns a folder with the work and the settings.
func place(t *testing.T, k kind) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"work.yaml": k.file, "config.yaml": settings()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// outcome does the work in a folder, by the process that holds its database, and returns all that it
// found.
func outcome(t *testing.T, k kind, dir string, prove func()) string {
	t.Helper()
	do := func(args ...string) string {
		out, errs, err := clitest.Program(t, dir, nil, append(args, "--json")...)
		if exit, ok := err.(*exec.ExitError); ok && (exit.ExitCode() == clitest.ExitNegative || exit.ExitCode() == clitest.ExitInconclusive) {
			err = nil // a verdict
		}
		if err != nil || out == "" {
			t.Fatalf("%q: %v %s%s", args, err, out, errs)
		}
		return timeless(t, out)
	}
	if k.prove == "" {
		return do(k.args...)
	}
	first := do(k.args...)
	prove()
	return first + do("study", "show", k.prove+"-proof")
}

// local does the work with so many games at a time.
func local(t *testing.T, k kind, workers int) string {
	t.Helper()
	dir := place(t, k)
	if k.prove == "" {
		k.args = append(append([]string{}, k.args...), "--workers", fmt.Sprint(workers))
		return outcome(t, k, dir, nil)
	}
	s := clitest.Serve(t, dir, "--workers", fmt.Sprint(workers))
	defer end(s)
	return outcome(t, k, dir, func() { further(s, k) })
}

// further proves a study's answer further, and waits for the proof.
func further(s *clitest.Daemon, k kind) {
	s.T.Helper()
	status, answer := s.Call("POST", "/api/v1/studies/"+k.prove+"/prove", nil)
	if status != 201 {
		s.T.Fatalf("%d %v", status, answer)
	}
	for until := suite.Deadline(s.T); s.States()[fmt.Sprint(answer["study"])] != "done"; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			s.T.Fatalf("the proof does not end: %v", s.States())
		}
	}
}

func end(s *clitest.Daemon) {
	s.Cmd.Process.Signal(os.Interrupt)
	s.End()
}

// differences returns the first lines in which two results differ.
func differences(want, got string) string {
	var out strings.Builder
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] && out.Len() < 2000 {
			fmt.Fprintf(&out, "line %d: want %s, got %s\n", i+1, w[i], g[i])
		}
	}
	return out.String() + fmt.Sprintf("%d and %d lines", len(w), len(g))
}

// timeless returns a result without what hangs on the clock.
func timeless(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	strip(v)
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if clocked[key] || strings.Contains(key, "seconds") {
				delete(v, key)
			} else {
				strip(value)
			}
		}
	case []any:
		for _, value := range v {
			strip(value)
		}
	}
}

// clocked are keys of results that are times.
var clocked = map[string]bool{"created": true, "started": true, "ended": true, "finished": true, "updated": true}
