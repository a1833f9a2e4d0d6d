package service

import (
	"context"
	"strings"

	"sakusen/bench"
	"sakusen/bench/runner"
)

// BenchOrigin fills in where a run was measured: commit, branch and Go version of
// a folder, "" for the current one, from its git repository where there is one. A
// commit or branch that is given is kept, the commit with its whole hash. env is
// the environment: on GitHub's runners no branch is checked out, and two variables
// name it.
func BenchOrigin(ctx context.Context, dir, commit, branch string, env func(name string) (string, bool)) (BenchRun, error) {
	o := BenchRun{Commit: commit, Branch: branch, Go: runner.GoVersion(ctx, dir)}
	repo := runner.Repo{Dir: dir}
	ref := commit
	if ref == "" {
		ref = "HEAD"
	}
	if whole, err := repo.Commit(ctx, ref); err == nil {
		o.Commit = whole
		if commit == "" {
			if o.Dirty, err = repo.Dirty(ctx); err != nil {
				return o, err
			}
		}
	} else if ctx.Err() != nil {
		return o, ctx.Err()
	}
	if o.Branch == "" {
		o.Branch = repo.Branch(ctx)
	}
	for _, name := range []string{"GITHUB_HEAD_REF", "GITHUB_REF_NAME"} {
		if value, ok := env(name); ok && o.Branch == "" {
			o.Branch = value
		}
	}
	return o, nil
}

// Measured is a run as it is recorded, with the origin that is given.
func Measured(run *bench.Run, origin BenchRun) BenchRun {
	origin.Name, origin.Text = run.Name, run.Raw
	if plain, err := bench.Read(strings.NewReader(run.Raw), run.Name, bench.ReadOptions{}); err != nil || plain.Machine() != run.Machine() {
		origin.Machine = run.Machine() // the text alone would have another
	}
	return origin
}
