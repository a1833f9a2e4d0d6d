package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"sakusen/bench"
	"sakusen/engines/arena"
	"sakusen/tuner/contest"
	"sakusen/tuner/stats"
)

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

// summarise writes the judgement of both in Markdown, for the summary of a build.
func (s *Strength) summarise(w io.Writer, g bench.Gate, c *bench.Comparison) error {
	fmt.Fprintf(w, "## Benchmarks: %s\n\n", s.Joint(g))
	err := errors.Join(g.WriteMarkdown(w, c), s.Write(w, s.Joint(g)))
	fmt.Fprintln(w)
	tables := *c
	tables.Warnings = nil // the gate told them
	return errors.Join(err, tables.WriteMarkdown(w))
}

// Append appends the judgement of both in Markdown to a file.
func (s *Strength) Append(file string, g bench.Gate, c *bench.Comparison) error {
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("summary: %w", err)
	}
	return errors.Join(s.summarise(out, g, c), out.Close())
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
