package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"sakusen/engines/external/uci/ucitest"
	"sakusen/strategies"
	"sakusen/tuner/store"
)

// The test binary is also the program: with this variable set it runs its
// arguments as sakusen would, so that a whole process can be killed.
const asProgram = "SAKUSEN_TEST_PROGRAM"

// killAt names a point and its occurrence, tracePoints a file for all points
// reached.
const (
	killAt      = "SAKUSEN_TEST_KILL"
	tracePoints = "SAKUSEN_TEST_TRACE"
)

func TestMain(m *testing.M) {
	ucitest.Become()
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	a := &app{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		env: os.LookupEnv, games: strategies.All(), catalogue: strategies.Catalogue(),
	}
	if text := os.Getenv(killAt); text != "" {
		kill, err := store.KillAt(text)
		if err != nil {
			panic(err)
		}
		a.hook = kill
	}
	if file := os.Getenv(tracePoints); file != "" {
		f, err := os.Create(file)
		if err != nil {
			panic(err)
		}
		a.hook = func(point string) { fmt.Fprintln(f, point) }
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(a.run(ctx, os.Args[1:]))
}

// program runs the program in a process of its own.
func program(t *testing.T, dir string, env []string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Dir = dir
	c.Env = append(append(os.Environ(), asProgram+"=1"), env...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err = c.Run()
	return out.String(), errs.String(), err
}

// killStudy has a conditional space of two branches (the packing rectangle only
// where place.kind is packed), racing with the incumbent re-played and tested
// against, a limit relative to the baseline, a final and a validation.
const killStudy = `version: 1
name: killed
game: battleship
tune:
  strategy: neighbour
  params: [{name: place.kind, choices: [random, packed]}, {name: place.height}, {name: place.width}]
baseline: RNB
objective: {limits: [{metric: shots, max_ratio: 2}]}
sampler: {name: %s, seed: 3, batch: 4}
race: {rungs: [2, 16, 18]}
budget: {trials: 12, games: 900}
final: {top: 3, blocks: 10}
validation: {gain_elo: [0, 30], max_blocks: 40}
`

// killDuels has duels and an answer, of the sampler surface.
const killDuels = `version: 1
name: killed
game: battleship
tune:
  strategy: neighbour
  fix: [{name: place.kind, value: packed}]
  params: [{name: place.height}, {name: place.width}]
baseline: RNB
evaluate: {mode: duels}
sampler: {name: %s, seed: 3, batch: 4}
race: {rungs: [4]}
budget: {trials: 24, games: 600}
validation: {gain_elo: [0, 30], max_blocks: 40}
`

// digestOf runs the study to its end and returns its digest.
func digestOf(t *testing.T, dir string, env ...string) (string, error) {
	t.Helper()
	out, errs, err := program(t, dir, env, "tune", "killed.yaml", "--json")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() && (exit.ExitCode() == exitNegative || exit.ExitCode() == exitInconclusive) {
		err = nil // a verdict
	}
	if err != nil {
		if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
			return "", errKilled
		}
		t.Fatalf("%v: %s", err, errs)
	}
	var r struct{ Digest string }
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return r.Digest, nil
}

var errKilled = errors.New("killed")

// A study killed at any named point, any number of times, ends exactly as an
// uninterrupted one, and its database is whole. Every point of an ask, a rung,
// a tell, an incumbent, the final, the validation and the migrations is met at
// least five times.
func TestKilledStudiesEndTheSame(t *testing.T) {
	rounds, samplers := 2, []string{"uniform", "quasi", "grid", "surface", "tpe", "cmaes", "spsa"}
	if testing.Short() {
		rounds, samplers = 1, samplers[:1]
	}
	kills := map[string]int{}
	total := 0
	for i, sampler := range samplers {
		study, rounds := fmt.Sprintf(killStudy, sampler), rounds
		var only []string // points of the loop that other studies do not have, or that matter to the sampler
		switch sampler {
		case "surface", "spsa":
			study, rounds, only = fmt.Sprintf(killDuels, sampler), 3, []string{"duel", "answer"}
		case "tpe":
			study, rounds, only = fmt.Sprintf(killStudy, "tpe, options: [{name: startup, value: 4}]"), 1, []string{"ask", "tell"}
		case "cmaes":
			study, rounds, only = fmt.Sprintf(killStudy, "cmaes, options: [{name: population, value: 4}]"), 1, []string{"ask", "tell", "answer"}
			study = strings.NewReplacer("rungs: [2, 16, 18]", "rungs: [4]", "final: {top: 3, blocks: 10}\n", "", "trials: 12", "trials: 16").Replace(study)
		}
		whole := newStudyDir(t, study)
		trace := filepath.Join(whole, "trace")
		want, err := digestOf(t, whole, tracePoints+"="+trace)
		if err != nil {
			t.Fatal(err)
		}
		reached := pointsIn(t, trace)
		order := rand.New(rand.NewPCG(11, uint64(i)))
		for round := range rounds {
			// Each round kills at every named point once, in random order and at a
			// random occurrence, in one database after another.
			points := slices.Sorted(maps.Keys(reached))
			points = slices.DeleteFunc(points, func(p string) bool {
				return only != nil && !slices.ContainsFunc(only, func(part string) bool { return strings.Contains(p, part) })
			})
			order.Shuffle(len(points), func(a, b int) { points[a], points[b] = points[b], points[a] })
			dir := newStudyDir(t, study)
			for _, p := range points {
				at := fmt.Sprintf("%s:%d", p, 1+order.IntN(reached[p]))
				got, err := digestOf(t, dir, killAt+"="+at)
				if errors.Is(err, errKilled) {
					kills[p]++
					total++
					continue
				}
				if got != want {
					t.Fatalf("%s, round %d: digest %s after kills, want %s", sampler, round, got, want)
				}
				dir = newStudyDir(t, study) // it ended before that occurrence: begin anew
				if _, err := digestOf(t, dir, killAt+"="+p+":1"); errors.Is(err, errKilled) {
					kills[p]++
					total++
				}
			}
			if got, err := digestOf(t, dir); err != nil || got != want {
				t.Fatalf("%s, round %d: digest %s, want %s (%v)", sampler, round, got, want, err)
			}
			if out, errs, err := program(t, dir, nil, "db", "check"); err != nil || !strings.HasSuffix(out, ": ok\n") {
				t.Fatalf("%s, round %d: %v %s%s", sampler, round, err, out, errs)
			}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(kills)) {
		t.Logf("%3d kills at %s", kills[p], p)
	}
	t.Logf("%d kills in all", total)
	if testing.Short() {
		return
	}
	if total < 100 {
		t.Errorf("%d kills, want at least 100", total)
	}
	for _, kind := range []string{"ask", "rung", "compare", "tell", "duel", "answer", "incumbent", "final", "attempt", "validation", "migration"} {
		n := 0
		for p, k := range kills {
			if !strings.HasPrefix(p, kind+".") && !strings.HasSuffix(p, " "+kind) {
				continue
			}
			n += k
			if k < 5 {
				t.Errorf("%d kills at %s, want at least 5", k, p)
			}
		}
		if n == 0 {
			t.Errorf("no kill at any point of %s", kind)
		}
	}
}

// newStudyDir is a directory with the study file.
func newStudyDir(t *testing.T, study string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "killed.yaml"), []byte(study), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// pointsIn counts the points of a trace.
func pointsIn(t *testing.T, file string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for line := range strings.Lines(string(text)) {
		n[strings.TrimSpace(line)]++
	}
	return n
}
