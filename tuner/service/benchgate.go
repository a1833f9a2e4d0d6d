package service

import (
	"context"
	"fmt"
	"strings"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/bench/runner"
	"sakusen/engines/arena"
	"sakusen/tuner/contest"
	"sakusen/tuner/stats"
)

// BenchOrigin fills in where a run was measured: commit, branch and Go version of
// a folder, "" for the current one, from its git repository where there is one. A
// commit or branch that is given is kept, the commit with its whole hash. baseline is the
// baseline branch, env the environment, in which build servers name the branch.
func BenchOrigin(ctx context.Context, dir, commit, branch, baseline string, env runner.Env) (ledger.Origin, error) {
	o := ledger.Origin{Commit: commit, Branch: branch, Go: runner.GoVersion(ctx, dir)}
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
	o.Subject, o.Author, o.Committed = repo.Described(ctx, o.Commit)
	if o.Branch == "" {
		o.Branch = repo.BuiltBranch(ctx, baseline, env)
	}
	return o, nil
}

// Measured returns a run as it is recorded.
func Measured(run *bench.Run, origin ledger.Origin) BenchRun {
	out := BenchRun{Name: run.Name, Text: run.Raw, Origin: origin}
	if plain, err := bench.Read(strings.NewReader(run.Raw), run.Name, bench.ReadOptions{}); err != nil || plain.Machine() != run.Machine() {
		out.Machine = run.Machine() // the text alone would have another
	}
	return out
}

// BenchSides returns the sides of a measurement as they are recorded, the head last. The
// noise is a second run of the base. branch is that of the head, "" for the one that is
// checked out, baseline the name of the baseline branch, env the environment.
func BenchSides(ctx context.Context, o runner.Options, d *runner.Decided, branch, baseline string, env runner.Env) ([]BenchRun, error) {
	head, err := BenchOrigin(ctx, o.Dir, d.Result.HeadCommit, branch, baseline, env)
	if err != nil {
		return nil, err
	}
	base := ledger.Origin{Commit: d.Result.BaseCommit, Go: head.Go}
	base.Subject, base.Author, base.Committed = runner.Repo{Dir: o.Dir}.Described(ctx, base.Commit)
	if o.Base == baseline || o.Base == "origin/"+baseline {
		base.Branch = baseline
	}
	var sides []BenchRun
	for i, name := range []string{"noise", "base", "head"} {
		if d.Sides[name] != nil {
			sides = append(sides, Measured(d.Sides[name], []ledger.Origin{base, base, head}[i]))
		}
	}
	if n := len(sides) - 1; d.Sides["head"] != nil {
		sides[n].Causes, sides[n].Against = d.Gate.Causes, d.Result.BaseCommit
	}
	return sides, nil
}

// BenchPast returns measured commits of a range as they are recorded, on the baseline
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
		o := ledger.Origin{Commit: p.Commit, Branch: baseline, Go: runner.GoVersion(ctx, dir), Dated: p.Dated}
		o.Subject, o.Author, o.Committed = runner.Repo{Dir: dir}.Described(ctx, p.Commit)
		runs = append(runs, Measured(run, o))
	}
	return runs, nil
}

// gateMatch is the match of a gate, in its JSON.
type gateMatch struct {
	Game      string        `json:"game"`
	Candidate string        `json:"candidate"`
	Baseline  string        `json:"baseline"`
	Blocks    int64         `json:"blocks"`
	Elo0      float64       `json:"elo0"`
	Elo1      float64       `json:"elo1"`
	LLR       stats.Number  `json:"llr"`
	Verdict   stats.Verdict `json:"verdict"` // H1: not weaker; H0: weaker
	Reason    string        `json:"reason"`
	Digest    string        `json:"digest"`
}

// strength returns what the match says to the gate.
func (s *gateMatch) strength() *bench.Strength {
	said := fmt.Sprintf("%s: %s against %s, %d blocks, SPRT(%g, %g): %s, %s", s.Game, s.Candidate, s.Baseline, s.Blocks, s.Elo0, s.Elo1, s.Verdict, s.Reason)
	outcome := bench.Undecided
	switch s.Verdict {
	case stats.H0:
		outcome = bench.Regression
	case stats.H1:
		outcome = bench.Pass
	}
	return &bench.Strength{Match: s, Said: said, Outcome: outcome}
}

// PlayStrength plays the match of a gate. A candidate that is the baseline is not
// weaker, and nothing is played.
func PlayStrength(ctx context.Context, m *contest.Match, host arena.Host) (*bench.Strength, error) {
	s := &gateMatch{
		Game: m.Series.Ruleset.Game.Name, Candidate: m.Series.Entrants[0].Name, Baseline: m.Series.Entrants[1].Name,
		Elo0: m.Test.Elo0, Elo1: m.Test.Elo1,
	}
	if m.Mirror() {
		s.Verdict, s.Reason = stats.H1, "both are the same entrant: nothing was played"
		return s.strength(), nil
	}
	err := m.Play(ctx, host)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	s.Blocks, s.LLR, s.Digest = m.Tally.Blocks, stats.Known(m.Look.LLR), m.Digest()
	s.Verdict, s.Reason = m.Look.Verdict, m.Look.Reason
	return s.strength(), nil
}
