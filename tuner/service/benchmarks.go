package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"sakusen/bench"
	"sakusen/bench/ledger"
	"sakusen/engines/arena"
	"sakusen/tuner/contest"
	"sakusen/tuner/stats"
	"sakusen/tuner/store/sqlitedb"
)

// Benchmarks is what is recorded of go test -bench in an open database: runs,
// their names, accepted changes, and how series went.
type Benchmarks struct {
	ledger *ledger.Ledger
	branch string // on which baselines are measured
}

// OpenBenchmarks is the benchmarks of a database.
func OpenBenchmarks(ctx context.Context, db *sqlitedb.DB) (*Benchmarks, error) {
	l, err := ledger.Open(ctx, db)
	if err != nil {
		return nil, err
	}
	return &Benchmarks{ledger: l}, nil
}

// mostCauses bounds the causes of a run.
const mostCauses = 100

// Record keeps runs; baseline, unless empty, becomes the name of the first. What
// was recorded before is not recorded again. On an error the answer is what was
// recorded until then.
func (b *Benchmarks) Record(ctx context.Context, runs []BenchRun, baseline string) ([]BenchRecorded, error) {
	read := make([]*bench.Run, len(runs))
	for i, given := range runs {
		var err error
		if read[i], err = bench.Read(strings.NewReader(given.Text), given.Name, bench.ReadOptions{Machine: given.Machine}); err != nil {
			return nil, Wrap(Invalid, fmt.Errorf("runs[%d].text: %w", i, err))
		}
		if len(given.Causes) > mostCauses {
			return nil, Wrap(Invalid, fmt.Errorf("runs[%d].causes: expected at most %d, got %d", i, mostCauses, len(given.Causes)))
		}
		for k := range given.Causes {
			if err := given.Causes[k].Check(); err != nil {
				return nil, Wrap(Invalid, fmt.Errorf("runs[%d].causes[%d]: %w", i, k, err))
			}
		}
	}
	out := []BenchRecorded{}
	for i, run := range read {
		given := runs[i]
		e, fresh, err := b.ledger.Record(ctx, run, ledger.Origin{Commit: given.Commit, Branch: given.Branch, Dirty: given.Dirty, GoVersion: given.Go, Dated: given.Dated})
		if err == nil && i == 0 && baseline != "" {
			err = b.ledger.SetBaseline(ctx, baseline, e.ID)
		}
		if err == nil && len(given.Causes) > 0 {
			err = b.ledger.Explain(ctx, e.ID, given.Against, given.Causes)
		}
		if err != nil {
			return out, err
		}
		out = append(out, BenchRecorded{
			Run: e.ID, New: fresh, Name: e.Name, Commit: e.Commit, Branch: e.Branch, Dirty: e.Dirty, Machine: e.Machine, Go: e.GoVersion,
			Series: len(run.Order), Samples: e.Samples, SHA256: e.Digest,
		})
	}
	return out, nil
}

// SetBaseline gives the recorded run that source means a name.
func (b *Benchmarks) SetBaseline(ctx context.Context, name, source string) (BenchNamed, error) {
	e, err := b.find(ctx, source)
	if err != nil {
		return BenchNamed{}, err
	}
	return BenchNamed{Name: name, Run: e.ID, Title: e.Title()}, b.ledger.SetBaseline(ctx, name, e.ID)
}

// RemoveBaseline takes a name away; its run stays.
func (b *Benchmarks) RemoveBaseline(ctx context.Context, name string) error {
	return b.ledger.RemoveBaseline(ctx, name)
}

// Baselines are the names, each with its run.
func (b *Benchmarks) Baselines(ctx context.Context) ([]BenchBaseline, error) {
	list, err := b.ledger.Baselines(ctx)
	out := []BenchBaseline{}
	for _, n := range list {
		out = append(out, BenchBaseline{n.Name, n.Run.ID, n.Run.Commit, n.Run.Branch, n.Run.Machine, n.Run.Recorded, n.Updated, n.Run.Title()})
	}
	return out, err
}

// Accept lets a series begin anew with the values of a run.
func (b *Benchmarks) Accept(ctx context.Context, given BenchAccept) (BenchAccepted, error) {
	e, err := b.find(ctx, given.Source)
	if err != nil {
		return BenchAccepted{}, err
	}
	run, err := b.ledger.Run(ctx, e.ID)
	if err != nil {
		return BenchAccepted{}, err
	}
	s, err := run.Find(given.Series)
	if err != nil {
		return BenchAccepted{}, Wrap(Invalid, err)
	}
	return BenchAccepted{Series: s.Title(), Run: e.ID, Title: e.Title()}, b.ledger.Accept(ctx, s, e.ID, given.Reason)
}

// Prune removes runs recorded more than so many days ago that nothing names, or,
// dry, counts them.
func (b *Benchmarks) Prune(ctx context.Context, days int, dry bool) (int64, error) {
	return b.ledger.Prune(ctx, time.Now().AddDate(0, 0, -days), dry)
}

// Compared is a recorded run as the side to compare with: series that were
// accepted later have the values with which they began anew.
type Compared struct {
	*bench.Run
	Title   string // of the recorded run
	Renewed int    // series with later values
}

// Compared reads the recorded run that source means.
func (b *Benchmarks) Compared(ctx context.Context, source string) (*Compared, error) {
	e, err := b.find(ctx, source)
	if err != nil {
		return nil, err
	}
	return b.renewed(ctx, e)
}

// ForkPoint is the first of the commits that was recorded as it was committed, on
// a machine class unless that is empty; nil where none was.
func (b *Benchmarks) ForkPoint(ctx context.Context, commits []string, machine string) (*Compared, error) {
	for _, commit := range commits {
		e, err := b.ledger.OfCommit(ctx, commit, machine)
		if errors.Is(err, ledger.ErrNotFound) || err == nil && e.Dirty { // not what was committed
			continue
		}
		if err != nil {
			return nil, err
		}
		return b.renewed(ctx, e)
	}
	return nil, nil
}

func (b *Benchmarks) renewed(ctx context.Context, e ledger.RecordedRun) (*Compared, error) {
	run, err := b.ledger.Run(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	n, err := b.ledger.Renew(ctx, run, e.ID)
	return &Compared{run, e.Title(), n}, err
}

// IsRecorded tells whether a source of benchmarks means something in the
// database: latest, run:N, baseline:NAME or commit:HASH.
func IsRecorded(source string) bool {
	kind, _, found := strings.Cut(source, ":")
	return source == "latest" || found && (kind == "run" || kind == "baseline" || kind == "commit")
}

// find finds the recorded run that a source means.
func (b *Benchmarks) find(ctx context.Context, source string) (ledger.RecordedRun, error) {
	kind, name, _ := strings.Cut(source, ":")
	switch kind {
	case "latest":
		return b.ledger.Latest(ctx)
	case "run":
		id, err := strconv.ParseInt(name, 10, 64)
		if err != nil {
			return ledger.RecordedRun{}, New(Invalid, fmt.Sprintf("%s: expected the number of a run", source))
		}
		return b.ledger.Entry(ctx, id)
	case "commit":
		return b.ledger.OfCommit(ctx, name, "")
	case "baseline":
		return b.ledger.OfBaseline(ctx, name)
	}
	return ledger.RecordedRun{}, New(Invalid, fmt.Sprintf("%s: expected run:N, latest, baseline:NAME or commit:HASH", source))
}

// Run reads the recorded run that a source means.
func (b *Benchmarks) Run(ctx context.Context, source string) (*bench.Run, error) {
	e, err := b.find(ctx, source)
	if err != nil {
		return nil, err
	}
	return b.ledger.Run(ctx, e.ID)
}

// Text is the recorded run that a source means as it was recorded, in the format
// of go test -bench.
func (b *Benchmarks) Text(ctx context.Context, source string) (string, error) {
	e, err := b.find(ctx, source)
	if err != nil {
		return "", err
	}
	return b.ledger.Export(ctx, e.ID)
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
