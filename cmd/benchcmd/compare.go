package benchcmd

import (
	"fmt"
	"io"
	"sakusen/bench"
	"sakusen/cmd/cmdline"

	"github.com/spf13/cobra"
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

// print prints a comparison in the form that was asked for.
func (f *compareFlags) print(p *Program, c *bench.Comparison) error {
	format := f.format
	if *p.JSON {
		format = "json"
	}
	write := map[string]func(io.Writer) error{"text": c.WriteText, "markdown": c.WriteMarkdown, "csv": c.WriteCSV, "json": c.WriteJSON}[format]
	if write == nil {
		return cmdline.Usage(fmt.Errorf("--format: expected text, markdown, csv or json, got %q", format))
	}
	if err := write(p.Out); err != nil {
		return err
	}
	if c.Paired == 0 {
		return cmdline.Verdict(cmdline.Nothing)
	}
	return nil
}

// CompareCommand returns the command compare.
func CompareCommand(p *Program) *cobra.Command {
	var f compareFlags
	c := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Compare two runs: median, interval, change, p, q and verdict of each series",
		Long: `Compares two SOURCES, series by series. Centre, interval, change and p are those
of benchstat on the same files; q is p corrected for the number of series
(Benjamini and Hochberg). Series are paired if package, name, unit, goos, goarch and
machine class are equal; exact metrics (allocations, nodes,
signatures, units declared assume=exact) are also paired across machine classes.

Verdicts: better, worse, same (a change that matters is ruled out),
undecided (inconclusive in JSON and CSV), new, missing, exact-changed.

Exit code: 0, or 4 if no series is on both sides.`,
		Example: `  sakusen bench compare old.txt new.txt
  sakusen bench compare baseline:main - --format markdown < new.txt`,
		RunE: func(c *cobra.Command, args []string) error {
			o, err := f.options()
			if err != nil {
				return cmdline.Usage(err)
			}
			if args[0] == "-" && args[1] == "-" {
				return cmdline.Usage(fmt.Errorf("OLD and NEW cannot both be standard input (-)"))
			}
			var runs [2]*bench.Run
			for i, arg := range args {
				if runs[i], err = p.Source(c.Context(), arg); err != nil {
					return err
				}
			}
			return f.print(p, bench.Compare(runs[0], runs[1], o))
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.format, "format", "text", "text, markdown, csv or json")
	fs.Float64Var(&f.alpha, "alpha", 0.05, "level at which q counts")
	fs.Float64Var(&f.confidence, "confidence", 0.95, "of the intervals")
	fs.Float64Var(&f.threshold, "threshold", 0.05, "relative change that matters")
	fs.BoolVar(&f.exact, "exact", false, "exact metrics only")
	return p.called(c)
}
