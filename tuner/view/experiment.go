package view

import (
	"fmt"
	"io"

	"sakusen/tuner/contest/experiment"
)

// Experiment writes what was printed beside what was measured, row by row.
func Experiment(w io.Writer, r *experiment.Report) error {
	return Table(w, func(line func(cells ...any)) {
		line("row", "metric", "printed", "measured", "agrees", "note")
		for _, row := range r.Rows {
			printed, measured := row.Texts()
			line(row.Label, row.Metric, printed, measured, row.Verdict(), row.Note)
		}
		line(fmt.Sprintf("%d rows, %d agree", r.Summary.Rows, r.Summary.Agree))
	})
}
