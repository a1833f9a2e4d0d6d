package experiment_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"sakusen/tuner/contest/experiment"
)

// drawer is pieces in memory.
type drawer map[string]json.RawMessage

func (d drawer) Find(name string) (json.RawMessage, bool) { v, ok := d[name]; return v, ok }

func (d drawer) Keep(name string, value json.RawMessage) error {
	if name == "full" {
		return errors.New("no room")
	}
	d[name] = value
	return nil
}

// A part is done once, in its turn, and found again; what fails or is cut short
// is not kept.
func TestPart(t *testing.T) {
	d := drawer{}
	turns, made := 0, 0
	o := experiment.Options{Pieces: d, Acquire: func(ctx context.Context, work func()) error {
		turns++
		work()
		return ctx.Err()
	}}
	work := func() ([]float64, error) { made++; return []float64{0.1, float64(made)}, nil }
	for range 2 {
		v, err := experiment.RunCached(t.Context(), o, "a", work)
		if err != nil || len(v) != 2 || v[0] != 0.1 || v[1] != 1 {
			t.Errorf("%v, %v", v, err)
		}
	}
	if turns != 1 || made != 1 {
		t.Errorf("%d turns, made %d times", turns, made)
	}
	broken := errors.New("broken")
	if _, err := experiment.RunCached(t.Context(), o, "b", func() (int, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, o := range []experiment.Options{o, {Pieces: d}} {
		if _, err := experiment.RunCached(ended, o, "c", func() (int, error) { return 1, nil }); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if _, err := experiment.RunCached(t.Context(), o, "full", func() (int, error) { return 1, nil }); err == nil {
		t.Error("what cannot be kept is taken for kept")
	}
	if len(d) != 1 {
		t.Errorf("kept: %v", d)
	}
	if v, err := experiment.RunCached(t.Context(), experiment.Options{}, "a", func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Errorf("%d, %v", v, err)
	}
	running, stop := context.WithCancel(t.Context())
	hang := make(chan struct{})
	defer close(hang)
	if _, err := experiment.RunCached(running, experiment.Options{}, "a", func() (int, error) { stop(); <-hang; return 7, nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
