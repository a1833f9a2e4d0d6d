package solving

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"sakusen/engines/daifugo"
	"sakusen/engines/suite"
	strategies "sakusen/strategies/daifugo"
)

// Layers that are kept on disk give the same, also when the run is stopped after every
// layer; nothing is left behind.
func TestOnDisk(t *testing.T) {
	dir := t.TempDir()
	request := strategies.Request{Rules: daifugo.Rules{Seats: 4, Cards: 3, Ranks: 4}, Method: strategies.Positions, Memory: 1}
	job := func() *Job {
		return &Job{Request: request, Workers: 2, Checkpoint: filepath.Join(dir, "layer")}
	}
	refused := &Job{Request: request}
	if err := refused.validate(); err == nil || !strings.Contains(err.Error(), "with --checkpoint FILE the layers are kept on disk") {
		t.Errorf("without a file: %v", err)
	}
	want, err := strategies.Request{Rules: request.Rules, Method: strategies.Positions, Memory: 1 << 30}.Run(nil)
	if err != nil {
		t.Fatal(err)
	}
	stops := 0
	for {
		j := job()
		if err := j.validate(); err != nil {
			t.Skip(err) // not under this system
		}
		if err := j.open(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		before := j.Saved()
		j.Layer = func(s strategies.Solver) {
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

// A run on disk keeps to the memory allowed, also while it saves and reads layers.
func TestMemoryAllowed(t *testing.T) {
	suite.All(t)
	const status, mib = "/proc/self/status", 1 << 20
	peak := func() uint64 {
		text, err := os.ReadFile(status)
		if err != nil {
			t.Skip(err)
		}
		_, text, _ = bytes.Cut(text, []byte("VmHWM:"))
		var kib uint64
		if _, err := fmt.Sscan(string(text), &kib); err != nil {
			t.Fatal(err)
		}
		return kib << 10
	}
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // what the layers do not take stays small
	debug.FreeOSMemory()
	allowed := resident() + 32*mib // two layers need 45 MiB
	j := &Job{
		Request: strategies.Request{Rules: daifugo.Rules{Seats: 3, Cards: 8, Ranks: 3}, Method: strategies.Positions, Memory: allowed, OnDisk: true},
		Workers: 2, Checkpoint: filepath.Join(t.TempDir(), "layer"),
	}
	if err := j.open(); err != nil {
		t.Skip(err)
	}
	for stop := range 3 { // after layers, each of which is then saved, read and gone on from
		if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
			t.Skip(err) // the peak cannot be set back
		}
		ctx, cancel := context.WithCancel(t.Context())
		layers := 0
		j.Layer = func(strategies.Solver) {
			if layers++; layers == 8 && stop < 2 {
				cancel()
			}
		}
		_, err := j.Run(ctx)
		cancel()
		if got := peak(); got > allowed+4*mib {
			t.Errorf("run %d: a peak of %d MiB, expected at most %d", stop, got/mib, allowed/mib)
		}
		if stop == 2 {
			if err != nil {
				t.Error(err)
			}
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if err := j.open(); err != nil {
			t.Fatal(err)
		}
		if j.Saved() == 0 {
			t.Error("nothing was saved")
		}
	}
}
