package solving

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"sakusen/engines/daifugo"
	"sakusen/strategies/daifugo/positions"
	"sakusen/strategies/daifugo/solve"
)

// Layers that are kept on disk give the same, also when the run is stopped after every
// layer; nothing is left behind.
func TestOnDisk(t *testing.T) {
	dir := t.TempDir()
	request := solve.Request{Rules: daifugo.Rules{Seats: 4, Cards: 3, Ranks: 4}, Method: solve.Positions, Memory: 1}
	job := func() *Job {
		return &Job{Request: request, Workers: 2, Checkpoint: filepath.Join(dir, "layer")}
	}
	refused := &Job{Request: request}
	if err := refused.Validate(); err == nil || !strings.Contains(err.Error(), "with --checkpoint FILE the layers are kept on disk") {
		t.Errorf("without a file: %v", err)
	}
	want, err := solve.Request{Rules: request.Rules, Method: solve.Positions, Memory: 1 << 30}.Run(nil)
	if err != nil {
		t.Fatal(err)
	}
	stops := 0
	for {
		j := job()
		if err := j.Validate(); err != nil {
			t.Skip(err) // not under this system
		}
		if err := j.Open(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		before := j.Saved()
		j.Layer = func(s positions.Solver) {
			if s.Cards() > before+1 {
				cancel()
			}
		}
		got, err := j.Run(ctx)
		cancel()
		if errors.Is(err, context.Canceled) {
			stops++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Solution, want.Solution) || *got.Positions != *want.Positions || stops < 3 {
			t.Errorf("%v, %s positions after %d stops; want %v, %s", got.Solution, *got.Positions, stops, want.Solution, *want.Positions)
		}
		break
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
