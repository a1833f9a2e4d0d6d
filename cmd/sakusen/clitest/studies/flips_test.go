package studies

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sakusen/cmd/sakusen/cli"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

var (
	flips     = flag.Int("flips", 0, "bits that TestFlippedFiles turns over, by default 4, 200 with SAKUSEN_TESTS=all")
	flipsSeed = flag.Uint64("flips-seed", 1, "seed of the bits that TestFlippedFiles turns over")
)

// The database has studies, finished and interrupted, blocks, a recorded match, benchmarks and
// jobs. A bit that turns over anywhere in it is named by the check or by SQLite, or it changes
// no result that is used: no result, no verdict, no export and no study that goes on.
func TestFlippedFiles(t *testing.T) {
	if *flips == 0 {
		if *flips = 200; suite.Few() {
			*flips = 4
		}
	}
	whole, want := library(t)
	rng := rand.New(rand.NewPCG(*flipsSeed, 2))
	counts := map[string]int{}
	for i := range *flips {
		at := rng.IntN(8 * len(whole))
		bad := bytes.Clone(whole)
		bad[at/8] ^= 1 << (at % 8)
		dir := t.TempDir()
		path := filepath.Join(dir, "sakusen.db")
		if err := os.WriteFile(path, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		by := namedBy(path)
		if by == "" {
			by = "nobody, without effect"
			for name, text := range believed(t, dir) {
				if text == want[name] {
					continue
				}
				if by = "the command that meets it"; !strings.HasPrefix(text, "exit code 5") {
					by = "nobody, with an effect"
					t.Errorf("flip %d, of bit %d of byte %d (page %d), is not named and changes %s:\n%s\nwant\n%s", i, at%8, at/8, at/8/4096+1, name, text, want[name])
					break
				}
			}
		}
		counts[by]++
		os.RemoveAll(dir)
	}
	t.Logf("%d flips in %d bytes, named by: %v", *flips, len(whole), counts)
}

// library makes the database, and says what is believed of it.
func library(t *testing.T) ([]byte, map[string]string) {
	t.Helper()
	dir := t.TempDir()
	clitest.WriteFile(t, dir, "small.yaml", clitest.SmallStudy)
	other := strings.NewReplacer("name: small", "name: other", "seed: 3", "seed: 4").Replace(clitest.SmallStudy)
	clitest.WriteFile(t, dir, "other.yaml", other)
	bench := "goos: linux\npkg: example.com/m\ncpu: one\n"
	clitest.WriteFile(t, dir, "old.txt", bench+strings.Repeat("BenchmarkA-2 10 5.25 ns/op\nBenchmarkB-2 10 7 ns/op 3 B/op\n", 6))
	clitest.WriteFile(t, dir, "new.txt", bench+strings.Repeat("BenchmarkA-2 10 6.25 ns/op\nBenchmarkB-2 10 7 ns/op 4 B/op\n", 6))
	for _, args := range [][]string{
		{"tune", "small.yaml"},
		{"match", "battleship", "RNB", "R", "--blocks", "3000", "--record"},
		{"bench", "record", "old.txt", "--commit", "c1", "--branch", "main"},
		{"bench", "record", "new.txt", "--commit", "c2", "--branch", "main"},
		{"bench", "baseline", "set", "before", "run:1"},
		{"bench", "accept", "A-2 sec/op", "--reason", "a test"},
	} {
		clitest.Exits(t, dir, clitest.ExitDone, append(args, "--quiet")...)
	}
	if _, _, err := clitest.Program(t, dir, []string{clitest.KillAt + "=tell.committed:1"}, "tune", "other.yaml"); err == nil {
		t.Fatal("the study was not interrupted")
	}
	clitest.Exits(t, dir, clitest.ExitDone, "study", "try", "other", "place.kind=packed", "place.height=3", "--quiet")
	path := filepath.Join(dir, "sakusen.db")
	if err := addJobs(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if by := namedBy(path); by != "" {
		t.Fatalf("the sound file: %s", by)
	}
	want := believed(t, dir)
	for name, text := range want {
		if strings.HasPrefix(text, "exit code") {
			t.Fatalf("%s: %s", name, text)
		}
	}
	return whole, want
}

// addJobs adds a tournament that is done, an experiment with a finished piece, and blocks that
// a program outside this one is asked to play.
func addJobs(ctx context.Context, path string) error {
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{})
	if err != nil {
		return err
	}
	s, err := store.New(ctx, db)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	done, _, err := s.Jobs.Create(ctx, store.Job{Kind: store.Tournament, Name: "cup", Request: json.RawMessage(`{"entrants":["R","RNB"],"blocks":500}`)})
	open, _, failed := s.Jobs.Create(ctx, store.Job{Kind: store.Experiment, Name: "table", Request: json.RawMessage(`{"games":400}`)})
	err = errors.Join(err, failed, s.Jobs.Finish(ctx, done, json.RawMessage(`{"table":[{"name":"RNB","score":0.75},{"name":"R","score":0.25}]}`)),
		s.Jobs.AddPiece(ctx, open, "row 1", json.RawMessage(`{"mean":44.25}`)), s.Jobs.SetProgress(ctx, open, 12, 40, 96, json.RawMessage(`{"rows":1}`)))
	d, failed := s.Studies.Details(ctx, "other")
	want := []store.Ask{{Phase: arena.Match, Seed: 7, Entrants: []store.AskedEntrant{{Name: "a", Entrant: "R"}, {Name: "b", Entrant: "RNB"}}, To: 40}}
	return errors.Join(err, failed, s.Study(d.ID).Asks().Want(ctx, want), db.Close())
}

// namedBy returns what finds a file damaged, empty where nothing does.
func namedBy(path string) string {
	ctx := context.Background()
	db, err := sqlitedb.OpenReadOnly(ctx, path)
	if err != nil {
		return "SQLite or its opening"
	}
	defer db.Close()
	c, err := service.CheckDatabase(ctx, db, path)
	switch {
	case err != nil:
		return "the check, which cannot read it"
	case len(c.Integrity)+len(c.ForeignKeys) > 0:
		return "SQLite"
	case !c.OK:
		return "the check"
	}
	return ""
}

// believed returns what commands make of the database in a folder, by name. The last ones write,
// to a copy.
func believed(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	run := func(name string, args ...string) {
		text, errs, code := inProcess(t, append(args, "--quiet", "--db", filepath.Join(dir, "sakusen.db"))...)
		if out[name] = text; code != 0 && code != 1 {
			out[name] = fmt.Sprintf("exit code %d: %s%s", code, text, errs)
		}
	}
	for _, format := range []string{"yaml", "json", "csv", "optuna", "study"} {
		run("export as "+format, "export", "small", "--force", "--format", format)
	}
	run("a run of benchmarks", "bench", "export", "run:2")
	run("a comparison of benchmarks", "bench", "compare", "baseline:before", "latest", "--json")
	run("the baselines", "bench", "baseline", "list", "--json")
	run("a gate", "bench", "gate", "baseline:before", "latest", "--json")
	out["the jobs"] = jobs(filepath.Join(dir, "sakusen.db"))
	run("a finished study", "tune", "small.yaml", "--json")
	run("a recorded match", "match", "battleship", "RNB", "R", "--blocks", "3000", "--record", "--json")
	run("a study that goes on", "tune", "other.yaml", "--json")
	run("its export", "export", "other", "--force", "--format", "json")
	return out
}

// inProcess runs a command line of the program in this process.
func inProcess(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	for i, arg := range args {
		if strings.HasSuffix(arg, ".yaml") {
			text := clitest.SmallStudy
			if arg == "other.yaml" {
				text = strings.NewReplacer("name: small", "name: other", "seed: 3", "seed: 4").Replace(text)
			}
			args[i] = clitest.WriteNew(t, arg, text)
		}
	}
	var out, errs bytes.Buffer
	p := cli.Process{In: strings.NewReader(""), Out: &out, Err: &errs, Env: os.LookupEnv, Games: strategies.All()}
	code = p.Run(t.Context(), args)
	return out.String(), errs.String(), code
}

// jobs returns what stands in the database of jobs and of what is to be played elsewhere.
func jobs(path string) string {
	ctx := context.Background()
	db, err := sqlitedb.OpenReadOnly(ctx, path)
	if err != nil {
		return "exit code 5: " + err.Error()
	}
	defer db.Close()
	s, err := store.New(ctx, db)
	if err != nil {
		return "exit code 5: " + err.Error()
	}
	one, err := s.Jobs.Get(ctx, store.Tournament, 1)
	two, failed := s.Jobs.Get(ctx, store.Experiment, 2)
	pieces, broken := s.Jobs.Pieces(ctx, 2)
	d, missing := s.Studies.Details(ctx, "other")
	asks, refused := s.Study(d.ID).Asks().Open(ctx)
	next, uncounted := s.NextAttempt(ctx, tuner.Question{Game: "battleship", Strategy: "neighbour"})
	if err := errors.Join(err, failed, broken, missing, refused, uncounted); err != nil {
		return "exit code 5: " + err.Error()
	}
	one.Updated, two.Updated = time.Time{}, time.Time{}
	return fmt.Sprintf("%+v %+v %s %+v %+v", one, two, pieces, asks, next)
}
