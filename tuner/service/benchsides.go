package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sakusen/bench"
	"sakusen/bench/decide"
	"sakusen/bench/runner"
)

// BenchSides are the sides of a measurement as they are recorded, the head last; the
// noise is a second run of the base. baseline is the name of the baseline branch, env
// the environment.
func BenchSides(ctx context.Context, o runner.Options, d *decide.Decided, baseline string, env func(name string) (string, bool)) ([]BenchRun, error) {
	head, err := BenchOrigin(ctx, o.Dir, d.Result.HeadCommit, "", env)
	if err != nil {
		return nil, err
	}
	head.Causes, head.Against = d.Gate.Causes, d.Result.BaseCommit
	base := BenchRun{Commit: d.Result.BaseCommit, Go: head.Go}
	if o.Base == baseline {
		base.Branch = o.Base
	}
	var sides []BenchRun
	for i, name := range []string{"noise", "base", "head"} {
		if d.Sides[name] != nil {
			sides = append(sides, Measured(d.Sides[name], []BenchRun{base, base, head}[i]))
		}
	}
	return sides, nil
}

// BenchPast are measured commits of a range as they are recorded, on the baseline
// branch. read reads benchmark text by a name for messages. Commits without text, for
// which there was no time, are left out.
func BenchPast(ctx context.Context, dir string, past []runner.Past, baseline string, read func(text, name string) (*bench.Run, error)) ([]BenchRun, error) {
	var runs []BenchRun
	for _, p := range past {
		if p.Text == "" {
			continue
		}
		run, err := read(p.Text, p.Commit[:10])
		if err != nil {
			return nil, err
		}
		runs = append(runs, Measured(run, BenchRun{Commit: p.Commit, Branch: baseline, Go: runner.GoVersion(ctx, dir), Dated: p.Dated}))
	}
	return runs, nil
}

// KeepGate writes the gate's JSON, gate.json, into a folder; none where that is "".
func KeepGate(folder string, g bench.Gate, c *bench.Comparison) error {
	if folder == "" {
		return nil
	}
	text, err := json.Marshal(ReportGate(g, c, nil))
	return errors.Join(err, os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, "gate.json"), append(text, '\n'), 0o644))
}

// NoForkPoint says why there is no recorded run to compare a change with: the last
// commits of a branch have none on a machine class.
func NoForkPoint(commits []string, branch, machine string) error {
	if len(commits) == 0 {
		return fmt.Errorf("nothing to compare with: HEAD has no ancestor on %s", branch)
	}
	return fmt.Errorf("nothing to compare with: none of the last %d commits of %s was recorded on machine class %q", len(commits), branch, machine)
}
