package view

import (
	"fmt"
	"io"
	"time"

	"sakusen/bench"
	"sakusen/tuner/service"
)

// Histories writes recorded benchmarks: one series run by run, several as a line
// each, and where their level changed.
func Histories(w io.Writer, reports []service.BenchHistory) error {
	if len(reports) == 1 {
		return runs(w, &reports[0])
	}
	err := Table(w, func(line func(...any)) {
		for _, r := range reports {
			medians := make([]float64, len(r.Runs))
			for i, p := range r.Runs {
				medians[i] = p.Center
			}
			line(r.Title, fmt.Sprintf("%d runs", len(medians)), bench.Show(medians[len(medians)-1], r.Unit), bench.Sparkline(medians, 40))
		}
	})
	if err != nil {
		return err
	}
	for _, r := range reports {
		if err := levelChanges(w, &r, r.Title+": "); err != nil {
			return err
		}
	}
	return nil
}

// runs writes a series run by run, as bars.
func runs(w io.Writer, r *service.BenchHistory) error {
	fmt.Fprintf(w, "%s\n", r.Title)
	largest := 0.0
	for _, p := range r.Runs {
		largest = max(largest, p.Center)
	}
	err := Table(w, func(line func(...any)) {
		for i, p := range r.Runs {
			commit := p.Commit[:min(10, len(p.Commit))]
			if p.Dirty {
				commit += "-dirty"
			}
			mark := ""
			for _, c := range r.Changes {
				if c.Index == i {
					mark = "<- change"
				}
			}
			if r.Start == i && i > 0 {
				mark = "<- accepted"
			}
			line(fmt.Sprintf("run:%d", p.Run), p.Recorded.Format(time.DateOnly), commit, bench.Show(p.Center, r.Unit), fmt.Sprintf("n=%d", p.N), bench.Bar(p.Center, largest, 40), mark)
		}
	})
	if err != nil {
		return err
	}
	return levelChanges(w, r, "")
}

// levelChanges writes where the level of a series changed.
func levelChanges(w io.Writer, r *service.BenchHistory, prefix string) error {
	for _, c := range r.Changes {
		alarm := "alarm"
		if !c.Alarm {
			alarm = "too few runs since for an alarm"
		}
		if _, err := fmt.Fprintf(w, "%s%s at run:%d %s: %s -> %s (%s, p=%.2g), %s\n", prefix, c.What(), c.Run, c.Commit[:min(10, len(c.Commit))],
			bench.Show(c.Before, r.Unit), bench.Show(c.After, r.Unit), bench.Moved(c.Before, c.After), c.P, alarm); err != nil {
			return err
		}
	}
	return nil
}

// Recorded says of runs as what they were recorded.
func Recorded(w io.Writer, runs []service.BenchRecorded) error {
	for _, r := range runs {
		what := "recorded"
		if !r.New {
			what = "was recorded before as"
		}
		if _, err := fmt.Fprintf(w, "%s: %s run:%d, %d series, %d samples\n", r.Name, what, r.Run, r.Series, r.Samples); err != nil {
			return err
		}
	}
	return nil
}
