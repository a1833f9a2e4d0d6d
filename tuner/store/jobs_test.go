package store

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"sakusen/tuner"
)

// A job is queued, told of, finished and deleted, and is found again by another
// store of the same file.
func TestJobs(t *testing.T) {
	ctx := context.Background()
	s := openNew(t)
	create := func(kind, name, request string, priority int) int {
		t.Helper()
		id, created, err := s.Jobs.Create(ctx, Job{Kind: kind, Name: name, Request: json.RawMessage(request), Priority: priority})
		if err != nil || !created {
			t.Fatalf("%s: created %v, %v", name, created, err)
		}
		return id
	}
	cup := create(Tournament, "cup", `{"seed":"1"}`, 0)
	table := create(Experiment, "table", `{}`, 2)
	if id, created, err := s.Jobs.Create(ctx, Job{Kind: Tournament, Name: "cup", Request: json.RawMessage(`{"seed":"1"}`)}); err != nil || created || id != cup {
		t.Errorf("the same again: job %d, created %v, %v", id, created, err)
	}
	waiting, err := s.Jobs.Waiting(ctx)
	if err != nil || len(waiting) != 2 || waiting[0].ID != table || waiting[1].ID != cup {
		t.Fatalf("waiting: %+v, %v", waiting, err)
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(s.Jobs.SetState(ctx, cup, tuner.Running, ""))
	check(s.Jobs.SetProgress(ctx, cup, 3, 10, 6, json.RawMessage(`{"a":1}`)))
	check(s.Jobs.SetProgress(ctx, cup, 4, 10, 8, nil))
	check(s.Jobs.SetPriority(ctx, cup, 5))
	check(s.Jobs.AddPiece(ctx, cup, "one", json.RawMessage(`[1]`)))
	check(s.Jobs.AddPiece(ctx, cup, "one", json.RawMessage(`[2]`)))
	j, err := s.Jobs.Get(ctx, Tournament, cup)
	if err != nil || j.State != tuner.Running || j.Blocks != 4 || j.Of != 10 || j.Games != 8 || j.Priority != 5 || string(j.Partial) != `{"a":1}` || j.Result != nil {
		t.Errorf("%+v, %v", j, err)
	}
	if pieces, err := s.Jobs.Pieces(ctx, cup); err != nil || len(pieces) != 1 || string(pieces["one"]) != "[2]" {
		t.Errorf("pieces %v, %v", pieces, err)
	}
	check(s.Jobs.Finish(ctx, cup, json.RawMessage(`{"b":2}`)))
	if j, err = s.Jobs.Get(ctx, Tournament, cup); err != nil || j.State != tuner.Done || string(j.Result) != `{"b":2}` || j.Partial != nil {
		t.Errorf("%+v, %v", j, err)
	}
	if pieces, err := s.Jobs.Pieces(ctx, cup); err != nil || len(pieces) != 0 {
		t.Errorf("pieces of a job that is done: %v, %v", pieces, err)
	}
	patch := create(Test, "patch", `{}`, 0)
	check(s.Jobs.Finish(ctx, patch, json.RawMessage(`{"verdict":"inconclusive"}`)))
	if n, err := s.Jobs.Count(ctx, Test, Filter{}); err != nil || len(n) != 1 || n["undecided"] != 1 {
		t.Errorf("outcomes of tests: %v, %v", n, err)
	}
	for _, outcome := range []string{"undecided", "done"} {
		if found, err := s.Jobs.List(ctx, Test, Filter{Outcome: outcome, Limit: 9}); err != nil || len(found) != 1 {
			t.Errorf("%s: %v, %v", outcome, found, err)
		}
	}
	again := create(Tournament, "cup", `{"seed":"1"}`, 0)
	list, err := s.Jobs.List(ctx, Tournament, Filter{Limit: 10})
	if err != nil || len(list) != 2 || list[0].ID != again || list[1].ID != cup {
		t.Errorf("list: %+v, %v", list, err)
	}
	if list, err = s.Jobs.List(ctx, Tournament, Filter{Beyond: again, Limit: 10}); err != nil || len(list) != 1 || list[0].ID != cup {
		t.Errorf("next page: %+v, %v", list, err)
	}
	if last, err := s.Jobs.LastRuns(ctx, Tournament); err != nil || len(last) != 1 || last["cup"].ID != again {
		t.Errorf("last runs: %+v, %v", last, err)
	}
	check(s.Jobs.SetNote(ctx, cup, "slow #old %"))
	check(s.Jobs.Finish(ctx, again, json.RawMessage(`{"b":2}`)))
	check(s.Jobs.SetNote(ctx, again, ArchivedTag))
	for text, want := range map[string]int{"": 1, "#old": 1, "%": 1, "slow CUP": 1, "nothing": 0} {
		f := Filter{Text: text, Limit: 10}
		list, err := s.Jobs.List(ctx, Tournament, f)
		check(err)
		outcomes, err := s.Jobs.Count(ctx, Tournament, f)
		if err != nil || len(list) != want || outcomes["done"] != want {
			t.Errorf("%q: %+v, %v, %v", text, list, outcomes, err)
		}
	}
	if list, err = s.Jobs.List(ctx, Tournament, Filter{Archived: true, Sort: "name", Outcome: "done", Limit: 10}); err != nil || len(list) != 1 || list[0].ID != again {
		t.Errorf("archived: %+v, %v", list, err)
	}
	if pieces, err := s.Jobs.Pieces(ctx, cup); err != nil || len(pieces) != 0 {
		t.Errorf("a note is handed out as a piece: %v, %v", pieces, err)
	}
	if found, err := s.Check(ctx); err != nil || len(found) != 0 {
		t.Errorf("check: %v, %v", found, err)
	}
	check(s.Jobs.SetNote(ctx, again, ""))
	check(s.Jobs.Delete(ctx, cup))
	for what, err := range map[string]error{
		"delete again": s.Jobs.Delete(ctx, cup), "state": s.Jobs.SetState(ctx, cup, tuner.Paused, ""), "finish": s.Jobs.Finish(ctx, cup, json.RawMessage("{}")),
		"of another kind": func() error { _, err := s.Jobs.Get(ctx, Tournament, table); return err }(),
	} {
		if !errors.Is(err, ErrJobNotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, err := range map[string]error{
		"a state":       s.Jobs.SetState(ctx, table, "asleep", ""),
		"a result":      s.Jobs.Finish(ctx, table, json.RawMessage("{")),
		"a piece":       s.Jobs.AddPiece(ctx, table, "x", json.RawMessage("")),
		"a piece of no": s.Jobs.AddPiece(ctx, cup, "x", json.RawMessage("1")),
	} {
		if err == nil {
			t.Errorf("%s that is none was taken", what)
		}
	}
	if _, _, err := s.Jobs.Create(ctx, Job{Kind: "dream", Name: "x", Request: json.RawMessage("{}")}); err == nil {
		t.Error("a job of an unknown kind was taken")
	}
	if _, _, err := s.Jobs.Create(ctx, Job{Kind: Tournament, Name: "x"}); err == nil {
		t.Error("a job without a request was taken")
	}
}
