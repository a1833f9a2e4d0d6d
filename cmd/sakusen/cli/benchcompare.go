package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sakusen/bench"
)

// compareFlags are those of comparisons.
type compareFlags struct {
	format                       string
	alpha, confidence, threshold float64
	exact                        bool
}

func (f *compareFlags) options() (bench.Options, error) {
	if f.alpha <= 0 || f.alpha >= 1 {
		return bench.Options{}, fmt.Errorf("--alpha: expected a number between 0 and 1, got %g", f.alpha)
	}
	if f.confidence <= 0 || f.confidence >= 1 {
		return bench.Options{}, fmt.Errorf("--confidence: expected a number between 0 and 1, got %g", f.confidence)
	}
	if f.threshold <= 0 || f.threshold >= 1 {
		return bench.Options{}, fmt.Errorf("--threshold: expected a number between 0 and 1, got %g", f.threshold)
	}
	return bench.Options{Alpha: f.alpha, Confidence: f.confidence, Threshold: f.threshold, ExactOnly: f.exact}, nil
}

// writer is the form in which a comparison is printed.
func (f *compareFlags) writer(c *bench.Comparison, asJSON bool) (func(io.Writer) error, error) {
	format := f.format
	if asJSON {
		format = "json"
	}
	switch format {
	case "text":
		return c.WriteText, nil
	case "markdown":
		return c.WriteMarkdown, nil
	case "csv":
		return c.WriteCSV, nil
	case "json":
		return c.WriteJSON, nil
	}
	return nil, fmt.Errorf("--format: expected text, markdown, csv or json, got %q", format)
}

func benchCompareCommand(a *app) *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Compare two runs: median, interval, change, p, q and verdict of each series",
		Long: `Compares two SOURCES, series by series. Centre, interval, change and p are those
of benchstat on the same files; q is p corrected for the number of series
(Benjamini and Hochberg). Series are paired by package, name, unit, goos, goarch
and machine class, and by nothing else; exact metrics (allocations, nodes,
signatures, units declared assume=exact) cross machine classes.

Verdicts: better, worse, same (a change that matters is ruled out),
inconclusive, new, missing, exact-changed.

Exit code: 0, or 4 if no series is on both sides.`,
		Example: `  sakusen bench compare old.txt new.txt
  sakusen bench compare baseline:main - --format markdown < new.txt`,
		Args: exactly(2, "OLD and NEW"),
		RunE: func(c *cobra.Command, args []string) error {
			o, err := f.options()
			if err != nil {
				return usage(err)
			}
			if args[0] == "-" && args[1] == "-" {
				return usage(fmt.Errorf("OLD and NEW cannot both be standard input (-)"))
			}
			var runs [2]*bench.Run
			for i, arg := range args {
				if runs[i], err = benchSource(a, c.Context(), arg); err != nil {
					return err
				}
			}
			cmp := bench.Compare(runs[0], runs[1], o)
			write, err := f.writer(cmp, a.flags.asJSON)
			if err != nil {
				return usage(err)
			}
			if err := write(a.out); err != nil {
				return err
			}
			if cmp.Paired == 0 {
				return verdict(exitNothing)
			}
			return nil
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.format, "format", "text", "text, markdown, csv or json")
	fs.Float64Var(&f.alpha, "alpha", 0.05, "level at which q counts")
	fs.Float64Var(&f.confidence, "confidence", 0.95, "of the intervals")
	fs.Float64Var(&f.threshold, "threshold", 0.05, "relative change that matters")
	fs.BoolVar(&f.exact, "exact", false, "exact metrics only")
	return c
}
