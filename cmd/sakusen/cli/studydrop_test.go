package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/store"
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
	writeFile(t, dir, "small.yaml", smallStudy)
	clean := tuneWith(t, filepath.Join(t.TempDir(), "clean.db"), smallStudy, crew{arena.NewPool(2), ""})
	spoiled := tuneWith(t, filepath.Join(dir, "sakusen.db"), smallStudy, crew{arena.NewPool(2), "w3"})
	if clean == spoiled {
		t.Fatal("the liar changed nothing")
	}
	out, _ := exits(t, dir, exitDone, "db", "check", "--json")
	c := decode[service.Check](t, out)
	if len(c.Workers) != 4 || c.Workers[0].Worker != "w3" || !c.Workers[0].Suspicious {
		t.Errorf("%s", out)
	}
	for _, w := range c.Workers[1:] {
		if w.Suspicious || w.Blocks < 20 {
			t.Errorf("%+v", w)
		}
	}
	if _, errs := exits(t, dir, exitDone, "db", "check"); strings.Count(errs, "suspicious: the ") != 1 || !strings.Contains(errs, "of worker w3 differ") {
		t.Error(errs)
	}
	show, _ := exits(t, dir, exitDone, "study", "show", "small")
	if !strings.Contains(show, "suspicious: ") || !strings.Contains(show, "sakusen study drop small --worker w3") {
		t.Error(show)
	}
	exits(t, dir, exitUsage, "study", "drop", "small")
	exits(t, dir, exitUsage, "study", "drop", "smal", "--worker", "w3")
	exits(t, dir, exitNothing, "study", "drop", "small", "--worker", "w9")
	writeFile(t, dir, "other.yaml", strings.Replace(smallStudy, "name: small", "name: other", 1))
	// The same seed: it meets the stored blocks, and plays some of them again.
	if _, errs := exits(t, dir, exitUsage, "tune", "other.yaml", "--quiet"); !strings.Contains(errs, "play is not the same twice: block ") {
		t.Error(errs)
	}
	out, _ = exits(t, dir, exitDone, "study", "drop", "small", "--worker", "w3", "--json")
	d := decode[struct {
		Archived string
		Blocks   int64
		Others   []string
	}](t, out)
	if d.Archived != "small@1" || d.Blocks != c.Workers[0].Blocks || strings.Join(d.Others, " ") != "other" {
		t.Error(out)
	}
	exits(t, dir, exitNothing, "study", "drop", "small", "--worker", "w3") // nothing is left of it
	exits(t, dir, exitUsage, "study", "drop", "small@1", "--worker", "w0")
	exits(t, dir, exitNothing, "export", "small")
	if _, errs := exits(t, dir, exitNegative, "export", "small@1", "--force"); !strings.Contains(errs, "void: the blocks of worker w3 were dropped") {
		t.Error(errs)
	}
	out, _ = exits(t, dir, exitDone, "tune", "small.yaml", "--json")
	if got := decode[tuner.Result](t, out); got.Digest != clean || got.Validation.Attempt != 1 {
		t.Errorf("digest %s of attempt %d, want %s of the first", got.Digest, got.Validation.Attempt, clean)
	}
	if old, _ := exits(t, dir, exitDone, "study", "show", "small@1", "--json"); !strings.Contains(old, spoiled) {
		t.Error("the former log's result is lost")
	}
	if list, _ := exits(t, dir, exitDone, "study", "list"); !strings.Contains(list, "small@1") || !strings.Contains(list, "stopped") {
		t.Error(list)
	}
	out, _ = exits(t, dir, exitDone, "db", "check", "--json")
	if c := decode[service.Check](t, out); !c.OK || len(c.Workers) != 3 {
		t.Error(out)
	}
}

// Blocks of a match that was played with a study's seed are none of the study's:
// nobody who played them is named among its workers, or dropped from it.
func TestMatchIsNoEvidenceOfStudy(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sakusen.db")
	digest := tuneWith(t, path, smallStudy, arena.NewPool(2))
	spec, err := studyfile.Read("small.yaml", []byte(smallStudy), strategies.Catalogue(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlitedb.Open(t.Context(), path, sqlitedb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.New(t.Context(), db, store.Options{})
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
	if out, _ := exits(t, dir, exitDone, "db", "check", "--json"); !strings.Contains(out, `"worker":"posted"`) {
		t.Errorf("the match's blocks are not there: %s", out)
	}
	if show, _ := exits(t, dir, exitDone, "study", "show", "small", "--json"); strings.Contains(show, "posted") {
		t.Errorf("the match's blocks are counted among the study's: %s", show)
	}
	exits(t, dir, exitNothing, "study", "drop", "small", "--worker", service.PostedBy)
	show, _ := exits(t, dir, exitDone, "study", "show", "small", "--json")
	if !strings.Contains(show, digest) || !strings.Contains(show, `"state":"done"`) {
		t.Errorf("the finished study was thrown back: %s", show)
	}
}
