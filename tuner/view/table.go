// Package view writes results as text for people: a study, a match, a
// tournament, and how far a study is. Whoever shows them shows the same words; the
// same results as JSON are the types that are written here.
//
//	err := report.Study(os.Stdout, spec, result)
package view

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// Table writes rows in columns, as wide as their widest cells.
func Table(w io.Writer, rows func(line func(cells ...any))) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	rows(func(cells ...any) {
		for i, c := range cells {
			if i > 0 {
				fmt.Fprint(t, "\t")
			}
			fmt.Fprint(t, c)
		}
		fmt.Fprintln(t)
	})
	return t.Flush()
}
