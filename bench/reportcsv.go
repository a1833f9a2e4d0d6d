package bench

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"sakusen/engines/plain"
)

// WriteCSV writes the comparison with one line a series. Centres, intervals,
// changes and tests read as those of benchstat -format csv.
func (c *Comparison) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	lines := [][]string{{
		"pkg", "goos", "goarch", "machine", "name", "unit",
		"old", "old_ci", "old_n", "new", "new_ci", "new_n", "delta", "test", "p", "q", "verdict",
	}}
	for i := range c.Rows {
		r := &c.Rows[i]
		s := r.Series
		var line []string
		for _, text := range []string{s.Pkg, s.GOOS, s.GOARCH, s.Machine, s.Name, s.Unit} {
			line = append(line, plain.Cell(text))
		}
		line = append(line, r.Old.cells()...)
		line = append(line, r.New.cells()...)
		line = append(line, r.Printed, r.Test, number(r.P), number(r.Q), string(r.Verdict))
		lines = append(lines, line)
	}
	return out.WriteAll(lines)
}

func (s *Summary) cells() []string {
	if s == nil {
		return []string{"", "", ""}
	}
	return []string{fmt.Sprint(s.Center), s.Range, strconv.Itoa(s.N)}
}

func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
