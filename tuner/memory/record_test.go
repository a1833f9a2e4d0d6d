package memory_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
	"sakusen/tuner/memory"
)

func TestRecord(t *testing.T) {
	ctx, r := context.Background(), memory.New()
	var _ tuner.Record = r
	for want := range 3 {
		err := r.Append(ctx, tuner.Entry{Kind: tuner.KindAsk, Payload: json.RawMessage(`{}`)},
			func(s goptuna.Storage, study int) error {
				id, err := s.CreateNewTrial(study)
				if id != want {
					t.Errorf("trial %d, want %d", id, want)
				}
				return err
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	if entries, err := r.Entries(ctx); err != nil || len(entries) != 3 || len(r.Log()) != 3 {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	if n, _ := r.Attempt(ctx, "", "", ""); n != 1 {
		t.Errorf("attempt %d", n)
	}
	// A failed change leaves nothing.
	if err := r.Append(ctx, tuner.Entry{}, func(goptuna.Storage, int) error { return goptuna.ErrTrialCannotBeUpdated }); err == nil || len(r.Log()) != 3 {
		t.Errorf("%v, %d entries", err, len(r.Log()))
	}
}
