package ledger

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sakusen/bench"
)

// Causes come back with their runs, the latest first; a run that is removed takes
// its own with it, and one that is explained again has the new ones alone.
func TestCauses(t *testing.T) {
	ctx := context.Background()
	l := open(t)
	cause := func(kind string, gained float64) bench.Cause {
		return bench.Cause{Pkg: "example.com/m", Name: "A-2", Kind: kind, Files: [2]string{"a", "b"},
			Functions: []bench.FunctionPart{{Function: "m.f", Old: 1, New: 1 + gained}}}
	}
	var runs []RecordedRun
	for i := range 4 {
		run, err := bench.Read(strings.NewReader(fmt.Sprintf("pkg: example.com/m\nBenchmarkA-2 1 %d ns/op\n", 10+i)), "r", bench.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		e, _, err := l.Record(ctx, run, Origin{Commit: fmt.Sprint("c", i)})
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, e)
		if i == 2 {
			continue
		}
		for range 2 { // the second time in place of the first
			if err := l.Explain(ctx, e.ID, "base", []bench.Cause{cause(bench.CauseTime, float64(i)), cause(bench.CauseAllocated, 9)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	got, err := l.Causes(ctx, "example.com/m", "A-2", 2)
	if err != nil || len(got) != 4 || got[0].Run != runs[3].ID || got[2].Run != runs[1].ID || got[0].Against != "base" || got[0].Commit != "c3" ||
		!reflect.DeepEqual(got[0].Cause, cause(bench.CauseTime, 3)) || got[1].Kind != bench.CauseAllocated {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := l.Causes(ctx, "example.com/m", "B", 2); err != nil || len(got) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
