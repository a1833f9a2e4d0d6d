package studies

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/studyfile"
)

// crew is a host whose blocks are played by four workers in turn, of whom the
// one named says the opposite of what he saw.
type crew struct {
	host arena.Host
	liar string
}

func (c crew) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	told := arena.NewTally(s.Ruleset.Seats, len(s.Ruleset.Components))
	_, err := c.host.Play(ctx, s, func(r *arena.Run) error {
		for at := r.From; at < r.From+int64(r.Blocks); at++ {
			one := r.Slice(at, at+1)
			one.Worker = fmt.Sprintf("w%d", at/2%4)
			if one.Worker == c.liar {
				one.Values = append([]int64(nil), one.Values...)
				for rotation := range one.Rotations {
					a, b := one.Game(0, rotation, 0), one.Game(0, rotation, 1)
					a[0], b[0] = b[0], a[0]
				}
			}
			told.Add(one)
			if err := observe(one); err != nil {
				return err
			}
		}
		return nil
	})
	return told, err
}

// tuneWith runs a study on a host into a database and returns its digest.
func tuneWith(t *testing.T, path, study string, host arena.Host) string {
	t.Helper()
	ctx := t.Context()
	db, err := sqlitedb.Open(ctx, path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := service.Open(ctx, db, service.Options{Catalogue: strategies.Catalogue()})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := studyfile.Read("small.yaml", []byte(study), strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	signatures, err := spec.Ruleset.Signatures(ctx, spec.Strategies()...)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Studies().Tune(ctx, service.StudyFile{Setup: spec, Signatures: signatures}, host, func(tuner.Progress) {}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.Digest
}

// A worker that lies is found out, its blocks go, and the study ends as one that
// it has never touched; what it had led to is kept and cannot be exported.
func TestBadWorkerIsDropped(t *testing.T) {
	dir := t.TempDir()
	// A validation of games as they were played is long enough to play some of them again.
	small := strings.Replace(clitest.SmallStudy, "validation: {", "validation: {pairs: played, ", 1)
	clitest.WriteFile(t, dir, "small.yaml", small)
	clean := tuneWith(t, filepath.Join(t.TempDir(), "clean.db"), small, crew{arena.NewPool(2), ""})
	spoiled := tuneWith(t, filepath.Join(dir, "sakusen.db"), small, crew{arena.NewPool(2), "w3"})
	if clean == spoiled {
		t.Fatal("the liar changed nothing")
	}
	out, _ := clitest.Exits(t, dir, clitest.ExitDone, "db", "check", "--json")
	c := clitest.Decode[service.Check](t, out)
	if len(c.Workers) != 4 || c.Workers[0].Name != "w3" || !c.Workers[0].Suspicious {
		t.Errorf("%s", out)
	}
	for _, w := range c.Workers[1:] {
		if w.Suspicious || w.Blocks < 15 {
			t.Errorf("%+v", w)
		}
	}
	if _, errs := clitest.Exits(t, dir, clitest.ExitDone, "db", "check"); strings.Count(errs, "suspicious: the ") != 1 || !strings.Contains(errs, "of worker w3 differ") {
		t.Error(errs)
	}
	show, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "show", "small")
	if !strings.Contains(show, "suspicious: ") || !strings.Contains(show, "sakusen study drop small --worker w3") {
		t.Error(show)
	}
	clitest.Exits(t, dir, clitest.ExitUsage, "study", "drop", "small")
	clitest.Exits(t, dir, clitest.ExitUsage, "study", "drop", "smal", "--worker", "w3")
	clitest.Exits(t, dir, clitest.ExitNothing, "study", "drop", "small", "--worker", "w9")
	clitest.WriteFile(t, dir, "other.yaml", strings.NewReplacer("name: small", "name: other", "validation: {", "validation: {replay: 1, ").Replace(small))
	// The same seed: it meets the stored blocks, and plays them again.
	if _, errs := clitest.Exits(t, dir, clitest.ExitUsage, "tune", "other.yaml", "--quiet"); !strings.Contains(errs, "the records of worker w3 (") || !strings.Contains(errs, " are not what is played here, the same each time: block ") {
		t.Error(errs)
	}
	out, _ = clitest.Exits(t, dir, clitest.ExitDone, "study", "drop", "small", "--worker", "w3", "--json")
	d := clitest.Decode[struct {
		Archived string
		Blocks   int64
		Others   []string
	}](t, out)
	if d.Archived != "small@1" || d.Blocks != c.Workers[0].Blocks || strings.Join(d.Others, " ") != "other" {
		t.Error(out)
	}
	clitest.Exits(t, dir, clitest.ExitNothing, "study", "drop", "small", "--worker", "w3") // nothing is left of it
	clitest.Exits(t, dir, clitest.ExitUsage, "study", "drop", "small@1", "--worker", "w0")
	clitest.Exits(t, dir, clitest.ExitNothing, "export", "small")
	if _, errs := clitest.Exits(t, dir, clitest.ExitNegative, "export", "small@1", "--force"); !strings.Contains(errs, "void: the blocks of worker w3 were dropped") {
		t.Error(errs)
	}
	out, _ = clitest.Exits(t, dir, clitest.ExitDone, "tune", "small.yaml", "--json")
	if got := clitest.Decode[tuner.Result](t, out); got.Digest != clean || got.Validation.Attempt != 1 {
		t.Errorf("digest %s of attempt %d, want %s of the first", got.Digest, got.Validation.Attempt, clean)
	}
	if old, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "show", "small@1", "--json"); !strings.Contains(old, spoiled) {
		t.Error("the former log's result is lost")
	}
	if list, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "list"); !strings.Contains(list, "small@1") || !strings.Contains(list, "stopped") {
		t.Error(list)
	}
	out, _ = clitest.Exits(t, dir, clitest.ExitDone, "db", "check", "--json")
	if c := clitest.Decode[service.Check](t, out); !c.OK || len(c.Workers) != 3 {
		t.Error(out)
	}
}

// Blocks of a match that was played with a study's seed are none of the study's:
// no worker that played them is named among its workers, or dropped from it.
func TestMatchIsNoEvidenceOfStudy(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sakusen.db")
	digest := tuneWith(t, path, clitest.SmallStudy, arena.NewPool(2))
	spec, err := studyfile.Read("small.yaml", []byte(clitest.SmallStudy), strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	rules := spec.Ruleset
	key := tuner.BlockKey{
		Game: spec.Game, Rules: rules.Hash(), Signatures: "s", Entrants: []string{"a", "b"}, Seed: spec.Sampler.Seed, Phase: arena.Match,
	}
	run := arena.NewRun(rules.Seats, len(rules.Components), rules.Seats, 0, 50)
	run.Blocks, run.Worker = 50, service.PostedBy
	run.Digests, run.Values = run.Digests[:cap(run.Digests)], run.Values[:cap(run.Values)]
	if err := s.Blocks().Save(t.Context(), key, run); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if out, _ := clitest.Exits(t, dir, clitest.ExitDone, "db", "check", "--json"); !strings.Contains(out, `"worker":"posted"`) {
		t.Errorf("the match's blocks are not there: %s", out)
	}
	if show, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "show", "small", "--json"); strings.Contains(show, "posted") {
		t.Errorf("the match's blocks are counted among the study's: %s", show)
	}
	clitest.Exits(t, dir, clitest.ExitNothing, "study", "drop", "small", "--worker", service.PostedBy)
	show, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "show", "small", "--json")
	if !strings.Contains(show, digest) || !strings.Contains(show, `"state":"done"`) {
		t.Errorf("the finished study was thrown back: %s", show)
	}
}
