package service_test

import (
	"bytes"
	"context"
	"database/sql"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/studyfile"
)

// A study is queued once, held and taken up again; mistakes say whose they are.
func TestStudies(t *testing.T) {
	s, ctx := open(t).Studies(), t.Context()
	name, err := s.Submit(ctx, service.Submission{Spec: small, Name: "small.yaml", Priority: 2})
	if err != nil || name != "small" {
		t.Fatalf("%q, %v", name, err)
	}
	if _, err := s.Submit(ctx, service.Submission{Spec: small}); err != nil {
		t.Errorf("the same study again: %v", err)
	}
	_, err = s.Submit(ctx, service.Submission{Spec: strings.Replace(small, "seed: 3", "seed: 4", 1)})
	refuses(t, err, service.Conflict)
	_, err = s.Submit(ctx, service.Submission{Spec: "name: x\ngame: chess\n", Check: true})
	if refuses(t, err, service.Invalid); len(service.ErrorOf(err).Details) == 0 {
		t.Errorf("%v lists no mistakes", err)
	}
	list, err := s.List(ctx, 0, 10)
	if err != nil || len(list) != 1 || list[0].Study != "small" || list[0].State != "queued" || list[0].Priority != 2 || list[0].Progress != nil {
		t.Errorf("%+v, %v", list, err)
	}
	for _, c := range []struct {
		do    func(context.Context, string) (string, error)
		state string
	}{{s.Pause, "paused"}, {s.Resume, "queued"}, {s.Resume, "queued"}, {s.Stop, "stopped"}} {
		if told, err := c.do(ctx, "small"); err != nil || told != c.state {
			t.Errorf("%q, %v, want %s", told, err, c.state)
		}
		if d, err := s.Show(ctx, "small"); err != nil || d.State != c.state {
			t.Errorf("%+v, %v, want %s", d, err, c.state)
		}
	}
	refuses(t, only(s.Pause(ctx, "small")), service.Conflict)
	refuses(t, only(s.Resume(ctx, "small@1")), service.Conflict)
	_, err = s.Export(ctx, "small", "yaml", false)
	if e := service.ErrorOf(err); e.Code != service.Conflict || e.Reason != service.Nothing {
		t.Errorf("%+v", e)
	}
	_, err = s.Export(ctx, "small", "xml", false)
	refuses(t, err, service.Invalid)
	must(t, s.Delete(ctx, "small"))
	_, err = s.Show(ctx, "small")
	refuses(t, err, service.NotFound)
	for _, err := range []error{only(s.Pause(ctx, "small")), only(s.Stop(ctx, "small")), only(s.Resume(ctx, "small")), s.Delete(ctx, "small"), s.Prioritise(ctx, "small", 1)} {
		refuses(t, err, service.NotFound)
	}
	_, err = s.Trials(ctx, "small", 0, 1)
	refuses(t, err, service.NotFound)
	_, err = s.Log(ctx, "small", 0, 1)
	refuses(t, err, service.NotFound)
	_, err = s.Drop(ctx, "small", "w")
	refuses(t, err, service.NotFound)
}

// A study whose budget was edited behind the program's back is neither taken up again nor
// moved in the queue, which would write a hash that fits the other budget; it can be deleted.
func TestEditedStudyStays(t *testing.T) {
	whole, ctx := open(t), t.Context()
	s := whole.Studies()
	_, err := s.Submit(ctx, service.Submission{Spec: small})
	must(t, err)
	must(t, only(s.Pause(ctx, "small")))
	must(t, whole.Store().DB().Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE study_records SET budget_games = budget_games + 64")
		return err
	}))
	_, shown := s.Show(ctx, "small")
	for _, err := range []error{only(s.Resume(ctx, "small")), only(s.Stop(ctx, "small")), s.Prioritise(ctx, "small", 1), shown} {
		if !sqlitedb.Damaged(err) {
			t.Errorf("%v, want a damaged row", err)
		}
	}
	list, err := s.List(ctx, 0, 10)
	if err != nil || len(list) != 1 || list[0].State != "paused" {
		t.Errorf("%+v, %v", list, err)
	}
	c, err := service.CheckDatabase(ctx, whole.Store().DB(), "x.db")
	if err != nil || c.OK || !strings.Contains(strings.Join(c.Studies, "\n"), "study small: its row") {
		t.Errorf("%+v, %v", c, err)
	}
	must(t, s.Delete(ctx, "small"))
}

// What runs from the stored spec ends as what runs from the file: the same digest
// and the same trials.
func TestRunStored(t *testing.T) {
	ctx := t.Context()
	queued := open(t)
	if _, err := queued.Studies().Submit(ctx, service.Submission{Spec: small}); err != nil {
		t.Fatal(err)
	}
	serve(t, queued, daemon.StudyKey("small"))
	d, err := queued.Studies().Show(ctx, "small")
	must(t, err)
	if d.Result == nil || d.State != "done" || d.Result.Commit != "test" {
		t.Fatalf("%+v", d)
	}
	setup, err := studyfile.Read("small.yaml", []byte(small), strategies.Catalogue(), sampler.Kinds{})
	must(t, err)
	signatures, err := setup.Ruleset.Signatures(ctx, setup.Strategies()...)
	must(t, err)
	here := open(t)
	created := false
	r, err := here.Studies().Tune(ctx, service.StudyFile{Setup: setup, Signatures: signatures}, arena.NewPool(1), func(tuner.Progress) {}, func(c bool) { created = c })
	must(t, err)
	if r.Digest != d.Result.Digest || !created {
		t.Errorf("digest %s from the file, %s from the record; created %v", r.Digest, d.Result.Digest, created)
	}
	both := [2][]service.Trial{}
	for i, s := range []*service.Service{queued, here} {
		for trial, err := range s.Studies().AllTrials(ctx, "small") {
			must(t, err)
			both[i] = append(both[i], trial)
		}
	}
	if len(both[0]) == 0 || len(both[0]) != len(both[1]) || both[0][1].Params["place.height"] != both[1][1].Params["place.height"] {
		t.Errorf("%d trials from the record, %d from the file", len(both[0]), len(both[1]))
	}
	// The trials can always be had where the result is not asked for.
	doc, err := queued.Studies().Export(ctx, "small", "optuna", true)
	if err != nil || doc.Name != "small.optuna.json" || !bytes.Contains(doc.Body, []byte("place.height")) {
		t.Errorf("%s, %v", doc.Name, err)
	}
	refuses(t, only(queued.Studies().Resume(ctx, "small")), service.Conflict)
	if page, err := queued.Blocks().Page(ctx, "small", 0, 5, true); err != nil || len(page) == 0 || page[0].Detail == nil {
		t.Errorf("%d runs of blocks, %v", len(page), err)
	}
	if _, err := queued.Studies().Drop(ctx, "small", "nobody"); service.ErrorOf(err).Reason != service.Nothing {
		t.Errorf("dropping a worker without blocks: %v", err)
	}
}

// A study whose file the record does not keep runs from its spec, with a seed of
// its own.
func TestRunWithoutFile(t *testing.T) {
	s, ctx := open(t), t.Context()
	setup, err := studyfile.Read("small.yaml", []byte(small), strategies.Catalogue(), sampler.Kinds{})
	must(t, err)
	setup.Sampler.Seed = 99
	signatures, err := setup.Ruleset.Signatures(ctx, setup.Strategies()...)
	must(t, err)
	must(t, s.Studies().Add(ctx, service.StudyFile{Setup: setup, Signatures: signatures}, 0))
	serve(t, s, daemon.StudyKey("small"))
	if d, err := s.Studies().Show(ctx, "small"); err != nil || d.Result == nil {
		t.Errorf("%+v, %v", d, err)
	}
}
