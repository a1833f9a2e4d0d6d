package store

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/engines/suite"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/store/sqlitedb/disktest"
)

var kills = flag.Int("kills", 2, "kills at each named point")

// The test binary runs the toy study as another process, to be killed in it.
const (
	toyPathKey = "STORE_TEST_TOY"
	toyKillKey = "STORE_TEST_KILL"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(toyPathKey); path != "" {
		if err := toyProcess(context.Background(), path, os.Getenv(toyKillKey)); err != nil {
			fmt.Println("toy:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func toyProcess(ctx context.Context, path, kill string) error {
	point := func(string) {}
	if kill != "" {
		var err error
		if point, err = disktest.KillAt(kill); err != nil {
			return err
		}
	}
	_, err := toyOn(ctx, path, point)
	return err
}

func toyOn(ctx context.Context, path string, point func(string)) (verdict string, err error) {
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{Point: point})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	s, err := New(ctx, db)
	if err != nil {
		return "", err
	}
	return runToy(ctx, s)
}

// emptyFile makes a file that has no tables of the store yet.
func emptyFile(t *testing.T, path string) {
	t.Helper()
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// outcome is what two runs of the study must have in common.
type outcome struct {
	entries []entry.Entry
	trials  []goptuna.FrozenTrial
	result  string
	blocks  int64
}

func outcomeOf(t *testing.T, s *Store) outcome {
	t.Helper()
	l, err := s.Studies.Open(t.Context(), "toy")
	if errors.Is(err, ErrStudyNotFound) {
		return outcome{}
	}
	if err != nil {
		t.Fatal(err)
	}
	var o outcome
	o.entries, err = l.Entries(t.Context())
	trials, err2 := s.Study(l.ID()).TrialPage(t.Context(), 0, 1000)
	details, err3 := s.Studies.Details(t.Context(), "toy")
	blocks, err4 := s.Blocks().Count(t.Context())
	if err := errors.Join(err, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	for _, trial := range trials {
		o.trials = append(o.trials, plain(trial))
	}
	o.result, o.blocks = string(details.Result), blocks
	return o
}

// TestKill kills a study again and again at drawn points, and resumes it, and
// holds every state of the file between to what an uninterrupted run does.
func TestKill(t *testing.T) {
	each := *kills
	if suite.Few() || underRace {
		each = 1
	}
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.db")
	emptyFile(t, whole)
	reached := map[string]int{}
	if _, err := toyOn(t.Context(), whole, func(point string) { reached[point]++ }); err != nil {
		t.Fatal(err)
	}
	expected := openOutcome(t, whole)

	// A process that dies at a point's n-th call has passed all before it, so
	// points are drawn with n among those that a run from here still reaches.
	rng := rand.New(rand.NewPCG(11, 13))
	killed := map[string]int{}
	for run := 0; ; run++ {
		wanted := []string{}
		for point := range reached {
			if killed[point] < each {
				wanted = append(wanted, point)
			}
		}
		if len(wanted) == 0 {
			break
		}
		if run > 40*each {
			t.Fatalf("points not reached: %v", wanted)
		}
		slices.Sort(wanted)
		path := filepath.Join(dir, fmt.Sprintf("run%d.db", run))
		emptyFile(t, path)
		killOneStudy(t, path, wanted, reached, killed, each, rng, expected)
		if got := openOutcome(t, path); !reflect.DeepEqual(got, expected) {
			t.Fatalf("run %d ended differently:\n%s", run, difference(got, expected))
		}
	}
	total := 0
	var lines []string
	for point, n := range killed {
		lines = append(lines, fmt.Sprintf("%s %d", point, n))
		total += n
	}
	slices.Sort(lines)
	t.Logf("%d kills: %s", total, strings.Join(lines, ", "))
}

// killOneStudy runs one study to its end through kills at points still wanted.
func killOneStudy(t *testing.T, path string, wanted []string, reached, killed map[string]int, each int, rng *rand.Rand, expected outcome) {
	t.Helper()
	rng.Shuffle(len(wanted), func(i, j int) { wanted[i], wanted[j] = wanted[j], wanted[i] })
	// Each point once, early ones more often reached first: its order in time
	// does not matter, as a point that is not reached any more ends the study.
	for _, point := range wanted {
		if killed[point] >= each {
			continue
		}
		n := 1 + rng.IntN(1+reached[point]/4)
		switch died, err := runKilled(t, path, fmt.Sprintf("%s:%d", point, n)); {
		case err != nil:
			t.Fatal(err)
		case !died:
			return
		}
		killed[point]++
		checkPrefix(t, path, expected)
	}
	if died, err := runKilled(t, path, ""); err != nil || died {
		t.Fatalf("the last run: died %v, %v", died, err)
	}
}

// runKilled runs the study in a process of its own and reports whether it was
// killed before its end.
func runKilled(t *testing.T, path, kill string) (died bool, err error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), toyPathKey+"="+path, toyKillKey+"="+kill)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	if err == nil {
		return false, nil
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && !exit.Exited() {
		return true, nil
	}
	return false, fmt.Errorf("%s: %w\n%s", kill, err, out.Bytes())
}

// checkPrefix looks at the file that a killed process left, as a reader.
func checkPrefix(t *testing.T, path string, expected outcome) {
	t.Helper()
	db, err := sqlitedb.OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if report, err := db.Check(t.Context()); err != nil || !report.OK() {
		t.Fatalf("after a kill: %+v %v", report, err)
	}
	s, err := New(t.Context(), db)
	if older, ok := errors.AsType[*sqlitedb.SchemaError](err); ok && older.Have == 0 {
		return // killed before the tables were made
	}
	if err != nil {
		t.Fatal(err)
	}
	got := outcomeOf(t, s)
	if len(got.entries) > len(expected.entries) || len(got.entries) > 0 && !reflect.DeepEqual(got.entries, expected.entries[:len(got.entries)]) {
		t.Fatalf("after a kill the log is no prefix:\n%s", difference(got, expected))
	}
	asks := 0
	for _, e := range got.entries {
		if e.Kind == entry.KindAsk {
			asks++
		}
	}
	if len(got.trials) != asks*toyBatch {
		t.Fatalf("%d trials after %d asks of %d", len(got.trials), asks, toyBatch)
	}
}

func openOutcome(t *testing.T, path string) outcome {
	t.Helper()
	db, err := sqlitedb.OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if report, err := db.Check(t.Context()); err != nil || !report.OK() {
		t.Fatalf("check: %+v %v", report, err)
	}
	s, err := New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return outcomeOf(t, s)
}

func difference(got, expected outcome) string {
	for i := range min(len(got.entries), len(expected.entries)) {
		if !reflect.DeepEqual(got.entries[i], expected.entries[i]) {
			return fmt.Sprintf("entry %d: %s %s, expected %s %s", i, got.entries[i].Kind, got.entries[i].Payload, expected.entries[i].Kind, expected.entries[i].Payload)
		}
	}
	return fmt.Sprintf("%d entries, %d trials, %d blocks, result %s; expected %d, %d, %d, %s", len(got.entries), len(got.trials), got.blocks, got.result,
		len(expected.entries), len(expected.trials), expected.blocks, expected.result)
}

func TestKillAtText(t *testing.T) {
	for _, text := range []string{"", "ask", "ask:", ":1", "ask:0", "ask:x"} {
		if _, err := disktest.KillAt(text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
}
