package service_test

import (
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
)

// A tournament is queued once, played and shown.
func TestTournaments(t *testing.T) {
	s, ctx := open(t), t.Context()
	all := s.Tournaments()
	_, _, err := all.Submit(ctx, service.TournamentRequest{File: "name: cup\n"}, 0, false)
	refuses(t, err, service.Invalid)
	if id, created, err := all.Submit(ctx, service.TournamentRequest{File: cup}, 0, true); err != nil || id != 0 || created {
		t.Errorf("a check: %d, %v, %v", id, created, err)
	}
	id, created, err := all.Submit(ctx, service.TournamentRequest{File: cup}, 0, false)
	if err != nil || !created {
		t.Fatalf("%d, %v, %v", id, created, err)
	}
	if again, created, err := all.Submit(ctx, service.TournamentRequest{File: cup}, 0, false); err != nil || again != id || created {
		t.Errorf("the same again: %d, %v, %v", again, created, err)
	}
	if table, err := all.Played(ctx, id); table != nil || err != nil {
		t.Errorf("before a game: %+v, %v", table, err)
	}
	_, err = s.Experiments().Show(ctx, id)
	refuses(t, err, service.NotFound) // another kind's
	refuses(t, only(s.Queue().Pause(ctx, s.Experiments().Key(id))), service.NotFound)
	must(t, only(s.Queue().Pause(ctx, all.Key(id))))
	must(t, only(s.Queue().Resume(ctx, all.Key(id))))
	must(t, s.Queue().Prioritise(ctx, all.Key(id), 3))
	serve(t, s, daemon.JobKey(daemon.Tournament, id))
	d, err := all.Show(ctx, id)
	if err != nil || d.State != "done" || d.Priority != 3 || d.Result == nil || d.Games != 40 {
		t.Errorf("%+v, %v", d, err)
	}
	table, err := all.Played(ctx, id)
	if err != nil || !table.Whole || len(table.Report.Entrants) != 2 || table.Report.Entrants[table.Report.Ranked()[0]].Name != "RNB" {
		t.Errorf("%+v, %v", table, err)
	}
	refuses(t, only(s.Queue().Resume(ctx, all.Key(id))), service.Conflict)
	must(t, s.Queue().Delete(ctx, all.Key(id)))
	refuses(t, s.Queue().Delete(ctx, all.Key(id)), service.NotFound)
	if list, err := all.List(ctx, store.Filter{Limit: 10}); err != nil || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

// An experiment is asked for within its bounds, run and compared.
func TestExperiments(t *testing.T) {
	s, ctx := open(t), t.Context()
	all := s.Experiments()
	_, _, err := all.Submit(ctx, service.ExperimentRequest{Name: "../figure"}, 0, false)
	refuses(t, err, service.Invalid)
	seed := param.Seed(1)
	_, _, err = all.Submit(ctx, service.ExperimentRequest{Name: "figure", Games: 5, Simulations: 5, Seed: &seed}, 0, false)
	refuses(t, err, service.Invalid)
	if got := err.Error(); strings.Count(got, "\n") != 2 || !strings.Contains(got, "plays no games") {
		t.Errorf("the mistakes are %q", got)
	}
	id, _, err := all.Submit(ctx, service.ExperimentRequest{Name: "figure"}, 0, false)
	must(t, err)
	serve(t, s, daemon.JobKey(daemon.Experiment, id))
	c, whole, err := all.Report(ctx, id)
	if err != nil || !whole || len(c.Rows) != 1 || c.Rows[0].Label != "one" {
		t.Errorf("%+v, %v", c, err)
	}
	lines, err := all.All(ctx)
	if err != nil || len(lines) != 1 || lines[0].Name != "figure" || lines[0].Games != nil || lines[0].Last == nil || lines[0].Last.ID != id {
		t.Errorf("%+v, %v", lines, err)
	}
}

// Blocks of a match are kept once; what cannot be is refused.
func TestBlocks(t *testing.T) {
	s, ctx := open(t), t.Context()
	p := service.PlayedBlocks{Game: "battleship", Rules: "r", Signatures: "s", Entrants: []string{"a", "b"}, Seed: "7", Blocks: 1,
		BlockDetail: service.BlockDetail{Seats: 2, Components: 4, Rotations: 1, Digests: []string{"1"}, Values: []int64{2, 0, 17, 17, 17, 0, 0, 0, 9, 9, 0, 0}}}
	must(t, p.Check())
	must(t, s.Blocks().Save(ctx, p))
	must(t, s.Blocks().Save(ctx, p))
	p.Digests = []string{"2"}
	refuses(t, s.Blocks().Save(ctx, p), service.Conflict)
	p.Game = "nothing"
	refuses(t, s.Blocks().Save(ctx, p), service.Invalid)
	if pruned, err := s.Blocks().Prune(ctx, 1, true); err != nil || pruned.Blocks != 0 {
		t.Errorf("%+v, %v", pruned, err)
	}
	_, err := s.Blocks().Page(ctx, "none", 0, 1, false)
	refuses(t, err, service.NotFound)
	if games, err := s.Games(); err != nil || len(games) == 0 {
		t.Errorf("%d games, %v", len(games), err)
	}
	_, err = s.Strategies("nothing")
	refuses(t, err, service.NotFound)
	must(t, s.Ready(ctx))
}
