package runner_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sakusen/bench/runner"
	"sakusen/engines/suite"
)

// Interrupted after two rounds, the same measurement goes on with the third and
// ends with a text of all rounds; then nothing is kept any more.
func TestMeasureResumes(t *testing.T) {
	suite.All(t)
	dir := module(t)
	write(t, filepath.Join(dir, "toy.go"), toy(1000, 2))
	var said []string
	o := runner.Options{Dir: dir, Base: "main", Bench: "Work", BenchTime: "20x", Rounds: 4}
	o.Say = func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	ctx, stop := context.WithCancel(context.Background())
	o.Look = func(r *runner.Result) (func(pkg, benchmark string) bool, error) {
		if r.Rounds == 2 {
			stop()
		}
		return func(string, string) bool { return true }, nil
	}
	r, err := runner.Measure(ctx, o)
	if err == nil || r == nil || !r.Resumable {
		t.Fatalf("interrupted: %+v, %v", r, err)
	}
	kept := func() []string {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(filepath.Dir(dir), ".git", "sakusen-bench", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	if len(kept()) != 4 { // the rounds, and three binaries, of which two packages are in both sides
		t.Fatalf("kept %q", kept())
	}
	// Another measurement begins by itself.
	other := o
	other.Seed, other.Look, other.Rounds = 9, nil, 1
	if r, err := runner.Measure(context.Background(), other); err != nil || r.Rounds != 1 {
		t.Fatalf("another: %+v, %v", r, err)
	}
	said, o.Look = nil, nil
	// One with other data, or another environment, does so too.
	for _, change := range []func() func(){
		func() func() {
			write(t, filepath.Join(dir, "data.bin"), "x")
			return func() { _ = os.Remove(filepath.Join(dir, "data.bin")) }
		},
		func() func() { t.Setenv("TOY_SIZE", "57"); return func() { os.Unsetenv("TOY_SIZE") } },
	} {
		back := change()
		other := o
		other.Rounds = 1
		if _, err := runner.Measure(context.Background(), other); err != nil || slices.Contains(said, "round 1 of 1 was measured before the interrupt") {
			t.Errorf("a change: %v; said %q", err, said)
		}
		back()
	}
	said = nil
	r, err = runner.Measure(context.Background(), o)
	if err != nil || r.Rounds != 4 || r.Resumable {
		t.Fatalf("resumed: %+v, %v", r, err)
	}
	for _, want := range []string{"example.com/toy (base) is built already, by an earlier measurement", "example.com/toy (head) is built already, by an earlier measurement", "round 2 of 4 was measured before the interrupt", "round 3 of 4"} {
		if !slices.Contains(said, want) {
			t.Errorf("no %q in %q", want, said)
		}
	}
	if slices.Contains(said, "building example.com/toy (head)") || slices.Contains(said, "round 2 of 4") || slices.Contains(said, "warming up 1 benchmarks") {
		t.Errorf("measured again: %q", said)
	}
	for name, text := range map[string]string{"base": r.Base, "head": r.Head, "noise": r.Noise} {
		if n := strings.Count(text, "\nBenchmarkWork"); n != 4 {
			t.Errorf("%s: %d samples, want 4: %s", name, n, text)
		}
	}
	if len(kept()) != 0 {
		t.Errorf("kept %q", kept())
	}
}

// Interrupted while it builds, the same measurement does not build again what it has,
// unless its source has changed since.
func TestBuildResumes(t *testing.T) {
	suite.All(t)
	dir := module(t)
	write(t, filepath.Join(dir, "toy.go"), toy(1000, 2))
	var said []string
	ctx, stop := context.WithCancel(context.Background())
	o := runner.Options{Dir: dir, Base: "main", Bench: "Work", BenchTime: "20x", Rounds: 1}
	o.Say = func(format string, args ...any) {
		said = append(said, fmt.Sprintf(format, args...))
		if said[len(said)-1] == "building example.com/toy (base)" {
			stop()
		}
	}
	r, err := runner.Measure(ctx, o)
	if err == nil || r == nil || !r.Resumable {
		t.Fatalf("interrupted: %+v, %v", r, err)
	}
	write(t, filepath.Join(dir, "toy.go"), toy(1001, 2))
	said = nil
	if r, err = runner.Measure(context.Background(), o); err != nil || r.Resumable {
		t.Fatalf("resumed: %+v, %v", r, err)
	}
	for want, there := range map[string]bool{
		"example.com/toy/other (head) is built already, by an earlier measurement": true,
		"building example.com/toy (head)":                                          true, // another source
		"building example.com/toy (base)":                                          true,
	} {
		if slices.Contains(said, want) != there {
			t.Errorf("%q: %q", want, said)
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), ".git", "sakusen-bench", "*")); err != nil || len(left) > 0 {
		t.Errorf("left %q, %v", left, err)
	}
}
