package service_test

import (
	"encoding/json"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner/contest"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
)

// tweak is a test of a patch of some seconds.
const tweak = `version: 1
name: tweak
game: battleship
test: {new: MP70, base: RNB}
stages:
  - {bounds: [0, 20]}
  - {bounds: [0, 40], max_games: 4000}
`

// A test of a patch is queued once, played and shown; another database, and none, find the same.
func TestPatches(t *testing.T) {
	s, ctx := open(t), t.Context()
	all := s.Patches()
	_, _, err := all.Submit(ctx, service.PatchRequest{File: "name: tweak\n"}, 0, false)
	refuses(t, err, service.Invalid)
	if id, created, err := all.Submit(ctx, service.PatchRequest{File: tweak}, 0, true); err != nil || id != 0 || created {
		t.Errorf("a check: %d, %v, %v", id, created, err)
	}
	id, created, err := all.Submit(ctx, service.PatchRequest{File: tweak}, 2, false)
	if err != nil || !created {
		t.Fatalf("%d, %v, %v", id, created, err)
	}
	if again, created, err := all.Submit(ctx, service.PatchRequest{File: tweak}, 0, false); err != nil || again != id || created {
		t.Errorf("the same again: %d, %v, %v", again, created, err)
	}
	if r, err := all.Report(ctx, id); r != nil || err != nil {
		t.Errorf("before a game: %+v, %v", r, err)
	}
	_, err = s.Tournaments().Show(ctx, id)
	refuses(t, err, service.NotFound) // another kind's
	must(t, only(s.Queue().Pause(ctx, all.Key(id))))
	must(t, only(s.Queue().Resume(ctx, all.Key(id))))
	f, err := contest.ReadPatch("tweak.yaml", []byte(tweak), strategies.Catalogue())
	must(t, err)
	late := f.Stages[0].Series() // a block that a worker has played ahead, and that no verdict counts
	late.From, late.To = 1900, 1901
	_, err = arena.NewPool(1).Play(ctx, late, func(r *arena.Run) error {
		r.Worker = "ahead"
		return s.Blocks().Keep(ctx, &late, r)
	})
	must(t, err)
	serve(t, s, daemon.JobKey(daemon.Test, id))
	d, err := all.Show(ctx, id)
	if err != nil || d.State != "done" || d.Priority != 2 || service.JobPath(daemon.Test, id) != "/tests/1" {
		t.Fatalf("%+v, %v", d, err)
	}
	if again, created, err := all.Submit(ctx, service.PatchRequest{File: tweak}, 0, false); err != nil || again != id || created {
		t.Errorf("the same after its end: %d, %v, %v", again, created, err)
	}
	if other, created, err := all.Submit(ctx, service.PatchRequest{File: tweak + "seed: 2\n"}, 0, false); err != nil || other == id || !created {
		t.Errorf("another seed: %d, %v, %v", other, created, err)
	}
	r, err := all.Report(ctx, id)
	if err != nil || r.Verdict != contest.PatchPasses || r.Replayed == nil || d.Games != r.Games {
		t.Fatalf("%+v, %v", r, err)
	}
	must(t, f.Play(ctx, contest.PatchOptions{Host: arena.NewPool(2)}))
	alone, err := f.Report()
	must(t, err)
	alone.Replayed = r.Replayed
	if a, _ := json.Marshal(alone); string(a) != string(d.Result) {
		t.Errorf("alone it found\n%s\nin the queue\n%s", a, d.Result)
	}
}
