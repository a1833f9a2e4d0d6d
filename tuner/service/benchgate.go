package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

// BenchSides are the sides of a measurement as they are recorded, the head last; the
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
		o := ledger.Origin{Commit: p.Commit, Branch: baseline, Go: runner.GoVersion(ctx, dir), Dated: p.Dated}
		o.Subject, o.Author, o.Committed = runner.Repo{Dir: dir}.Described(ctx, p.Commit)
		runs = append(runs, Measured(run, o))
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
	return fmt.Errorf("nothing to compare with: none of the last %d commits of %s was recorded on machine class %q (runs that failed do not count)", len(commits), branch, machine)
}

// Strength is what the match of a gate says; nil where none was played.
type Strength struct {
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

// Write writes the match for people, and the verdict on speed and strength
// together.
func (s *Strength) Write(w io.Writer, both bench.Outcome) error {
	if s == nil {
		return nil
	}
	_, err := fmt.Fprintf(w, "match: %s\n\nspeed and strength: %s\n", s.sentence(), both)
	return err
}

// sentence is the match for people.
func (s *Strength) sentence() string {
	return fmt.Sprintf("%s: %s against %s, %d blocks, SPRT(%g, %g): %s, %s", s.Game, s.Candidate, s.Baseline, s.Blocks, s.Elo0, s.Elo1, s.Verdict, s.Reason)
}

// summary is the judgement of both in Markdown of at most so many bytes, for the summary of
// a build; empty where not even the verdict fits.
func (s *Strength) summary(g bench.Gate, c *bench.Comparison, most int) string {
	head, match := fmt.Sprintf("## Benchmarks: %s\n\n", s.Joint(g)), ""
	if s != nil {
		match = "match: " + s.sentence() + "\n\nspeed and strength: " + string(s.Joint(g)) + "\n"
	}
	room := most - len(head) - len(match) - 1
	if room < 1000 {
		return ""
	}
	findings := g.Markdown(c, min(room/2, bench.MostMarkdown))
	tables := *c
	tables.Warnings = nil // the gate told them
	return head + findings + match + "\n" + tables.Markdown(min(room-len(findings), bench.MostMarkdown))
}

// mostSummary is the most bytes of a step's summary that GitHub shows.
const mostSummary = 1 << 20

// Append appends the judgement of both in Markdown to a file, as much of it as GitHub
// shows behind what is there; full tells that there is no room for any of it.
func (s *Strength) Append(file string, g bench.Gate, c *bench.Comparison) (full bool, err error) {
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return false, fmt.Errorf("summary: %w", err)
	}
	there, err := out.Stat()
	if err != nil {
		return false, errors.Join(err, out.Close())
	}
	text := s.summary(g, c, mostSummary-1-int(min(there.Size(), mostSummary)))
	_, err = io.WriteString(out, text)
	return text == "", errors.Join(err, out.Close())
}

// PlayStrength plays the match of a gate. A candidate that is the baseline is not
// weaker, and nothing is played.
func PlayStrength(ctx context.Context, m *contest.Match, host arena.Host) (*Strength, error) {
	s := &Strength{
		Game: m.Series.Ruleset.Game.Name, Candidate: m.Series.Entrants[0].Name, Baseline: m.Series.Entrants[1].Name,
		Elo0: m.Test.Elo0, Elo1: m.Test.Elo1,
	}
	if m.Mirror() {
		s.Verdict, s.Reason = stats.H1, "both are the same entrant: nothing was played"
		return s, nil
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
	return s, nil
}

// Joint is the verdict on speed and strength together: a regression of either is
// one, and a strength that is not settled keeps a gate from passing.
func (s *Strength) Joint(g bench.Gate) bench.Outcome {
	switch {
	case s == nil:
	case s.Verdict == stats.H0:
		return bench.Regression
	case s.Verdict != stats.H1 && g.Outcome == bench.Pass:
		return bench.Undecided
	}
	return g.Outcome
}

// GateReport is the gate's JSON: the judgement of the benchmarks and of the match,
// where one was played.
type GateReport struct {
	bench.GateReport
	Match *Strength `json:"match,omitempty"`
}

// ReportGate is the report of a gate, with the verdict on both.
func ReportGate(g bench.Gate, c *bench.Comparison, s *Strength) GateReport {
	r := GateReport{g.Report(c), s}
	r.Verdict, r.Exit = s.Joint(g), s.Joint(g).Exit()
	if s != nil {
		r.Strength = s.sentence()
	}
	return r
}
