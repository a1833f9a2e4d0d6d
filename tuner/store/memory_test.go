package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store"
)

func TestRecord(t *testing.T) {
	ctx, r := context.Background(), store.NewMemory()
	var _ tuner.Record = r
	for want := range 3 {
		err := r.Append(ctx, entry.Entry{Kind: entry.KindAsk, Payload: json.RawMessage(`{}`)},
			func(trials tuner.Trials) error { return trials.Create(want) })
		if err != nil {
			t.Fatal(err)
		}
	}
	if entries, err := r.Entries(ctx); err != nil || len(entries) != 3 || len(r.Log()) != 3 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	if n, _ := r.Attempt(ctx, tuner.Question{}); n != 1 {
		t.Errorf("attempt %d", n)
	}
	// A failed change leaves nothing.
	failed := errors.New("failed")
	err := r.Append(ctx, entry.Entry{}, func(trials tuner.Trials) error { return errors.Join(trials.Create(3), failed) })
	if !errors.Is(err, failed) || len(r.Log()) != 3 {
		t.Errorf("%v, %d entries", err, len(r.Log()))
	}
	err = r.Append(ctx, entry.Entry{Kind: entry.KindTell, Payload: json.RawMessage(`{}`)}, func(trials tuner.Trials) error {
		if trials.Create(5) == nil {
			t.Error("trial 5 was created as the fourth")
		}
		if state, err := trials.State(3); err == nil {
			t.Errorf("trial 3 of the failed change is %s", state)
		}
		if trials.SetValue(3, 1) == nil {
			t.Error("trial 3 does not exist and has a value")
		}
		if err := errors.Join(trials.SetValue(2, 1), trials.SetState(2, entry.TrialPruned)); err != nil {
			return err
		}
		if state, err := trials.State(2); err != nil || state != entry.TrialPruned {
			t.Errorf("trial 2 is %s, %v", state, err)
		}
		if trials.SetValue(2, 2) == nil || trials.SetState(2, entry.TrialComplete) == nil {
			t.Error("a finished trial changed")
		}
		return trials.Create(3)
	})
	if err != nil || len(r.Log()) != 4 {
		t.Errorf("%v, %d entries", err, len(r.Log()))
	}
}
