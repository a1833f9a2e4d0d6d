package cli

import (
	"github.com/spf13/cobra"

	"sakusen/bench/changepoint"
	"sakusen/tuner/service"
)

// changepointFlags are the options of the search.
type changepointFlags struct{ o changepoint.Options }

func (f *changepointFlags) add(c *cobra.Command) {
	fs, d := c.Flags(), service.UsualChanges()
	fs.IntVar(&f.o.Window, "window", d.Window, "values looked at together")
	fs.Float64Var(&f.o.MaxP, "max-p", d.MaxP, "level of significance of a change point")
	fs.Float64Var(&f.o.MinMagnitude, "min-magnitude", d.MinMagnitude, "least relative change")
}

func benchChangepointsCommand(a *app) *cobra.Command {
	var f changepointFlags
	c := &cobra.Command{
		Use:   "changepoints",
		Short: "Find where the level of a series of numbers changed: numbers in, JSON out",
		Long: `Reads numbers from standard input, separated by white space or commas, and
prints where their level changed, as one JSON document: indexes from 0 of the
first value of each new level. The scheme is that of Hunter (Fleming et al.
2023) and Apache Otava; it is deterministic.`,
		Example: `  seq 1 20 | sakusen bench changepoints --max-p 0.0001 --window 30`,
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := f.o.Check(); err != nil {
				return usage(err)
			}
			x, err := changepoint.ReadNumbers(a.in, "standard input")
			if err != nil {
				return usage(err)
			}
			points, err := changepoint.Detect(x, f.o)
			if err != nil {
				return usage(err)
			}
			return a.printJSON(service.DescribeChanges(x, points))
		},
	}
	f.add(c)
	return c
}
