package experiment

import (
	"context"
	"fmt"

	"sakusen/tuner/contest/tournament"
	"sakusen/tuner/stats"
)

// FromFile is the experiment of a tournament file: its printed values against
// what its games measure.
func FromFile(f *tournament.File) Experiment {
	return Experiment{
		Name: f.Name, Doc: f.Doc, Source: f.Source, Games: f.Blocks, Seed: &f.Seed,
		Run: func(ctx context.Context, o Options, add func(Row)) error {
			played := *f
			if o.Seed != nil {
				played.Seed = *o.Seed
			}
			r, err := played.Play(ctx, tournament.Options{Host: o.Host, Blocks: o.Games, Progress: func(blocks, of, games int64, _ string) {
				if o.Progress != nil {
					o.Progress(blocks, of, games)
				}
			}, Each: func(r *tournament.Result) {
				// A row may be an average over pairings: all of them must have begun.
				if o.Interim != nil && len(r.Played) == len(f.Pairings) {
					o.Interim(func() ([]Row, error) { return rowsOf(r) })
				}
			}})
			if err != nil {
				return err
			}
			rows, err := rowsOf(r)
			for _, row := range rows {
				add(row)
			}
			return err
		},
	}
}

// rowsOf compares every expectation with what was played so far.
func rowsOf(r *tournament.Result) ([]Row, error) {
	var rows []Row
	for _, e := range r.File.Expect {
		row, err := rowOf(r, e)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// rowOf compares an expectation with what was played.
func rowOf(r *tournament.Result, e tournament.Expectation) (Row, error) {
	m := r.Measure(e.Metric, e.Label)
	row := Row{Label: e.Label, Metric: e.Metric.Name, Measured: Number(m.Mean), CI: m.CI95}
	if s := r.SingleSided(e.Metric, e.Label); s.Mean.Defined {
		v := Number(s.Mean)
		row.SingleSided, row.SingleSidedCI = &v, s.CI95
	}
	if e.Printed == "" {
		row.Note = e.Note
		return row, nil
	}
	p, err := ParsePrinted(e.Printed, e.HalfWidth)
	if err != nil {
		return row, fmt.Errorf("%s, %s: %w", e.Label, e.Metric.Name, err)
	}
	note := e.Note
	if note == "" {
		note = r.File.Note
	}
	row.compare(p, m, note)
	return row, nil
}

// compare fills in what is printed and the verdict; note is told where the
// values differ.
func (row *Row) compare(p Printed, m stats.MeanInterval, note string) {
	row.Printed = JSON(p.Text)
	if p.HalfWidth > 0 {
		row.PrintedCI = stats.Around(p.Value, p.HalfWidth)
	}
	agrees := false
	switch p.Compare(m) {
	case Agrees:
		agrees = true
		row.Agrees = &agrees
	case Differs:
		row.Agrees, row.Note = &agrees, note
	case TooFewGames:
		row.Note = p.takes(m)
	}
}

// Compare is a row of a printed value and a measured one with an error; note is
// told where they differ.
func Compare(label, metric string, p Printed, m stats.MeanInterval, note string) Row {
	row := Row{Label: label, Metric: metric, Measured: Number(m.Mean), CI: m.CI95}
	row.compare(p, m, note)
	return row
}

// Exact is a row of a value that is known without error: printed to so many
// digits, it agrees where it rounds to them.
func Exact(label, metric, printed string, measured float64) (Row, error) {
	p, err := ParsePrinted(printed, 0)
	row := Row{Label: label, Metric: metric, Measured: Number(stats.Known(measured))}
	row.compare(p, stats.MeanInterval{Mean: stats.Known(measured), SE: stats.Known(0)}, "")
	return row, err
}
