package bisect

import (
	"fmt"
	"io"

	"sakusen/bench"
)

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	if r.Commit == nil {
		_, err := fmt.Fprintf(w, "not reproducible: %s (%s)\n", r.Reason, r.levels())
		return err
	}
	word := "first on the new level"
	if !r.Reproducible {
		word = "not reproducible, but perhaps"
	}
	_, err := fmt.Fprintf(w, "%s: %.12s %s\nlast on the old level: %.12s\n%s, %d steps for %d commits, %d skipped\n",
		word, *r.Commit, r.Subject, r.Before, r.levels(), r.Steps, r.Commits, len(r.Skipped))
	if err == nil && r.Reason != "" {
		_, err = fmt.Fprintln(w, r.Reason)
	}
	return err
}

// levels are both levels, and the relative change.
func (r *Report) levels() string {
	if r.Old == nil {
		return "nothing was measured"
	}
	text := bench.Show(*r.Old, r.Unit) + " -> " + bench.Show(*r.New, r.Unit) + " " + r.Unit
	if r.Delta != nil {
		text += fmt.Sprintf(", %+.1f %%", 100**r.Delta)
	}
	return text
}
