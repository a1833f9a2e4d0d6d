package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/bench/changepoint"
	"sakusen/tuner/service"
)

// changepointsReport is the JSON of the command.
type changepointsReport struct {
	Changepoints []int                 `json:"changepoints"` // indexes of first values of new levels, from 0
	Points       []service.ChangePoint `json:"points"`
	Strongest    *splitReport          `json:"strongest"` // null for fewer than two values
}

// splitReport is where a series splits best as a whole, a change or not.
type splitReport struct {
	Index  int     `json:"index"`
	Energy float64 `json:"energy"`
}

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
			x, err := readNumbers(a.in)
			if err != nil {
				return usage(err)
			}
			points, err := changepoint.Detect(x, f.o)
			if err != nil {
				return usage(err)
			}
			return a.printJSON(describeChanges(x, points))
		},
	}
	f.add(c)
	return c
}

func describeChanges(x []float64, points []changepoint.Point) changepointsReport {
	r := changepointsReport{Changepoints: []int{}, Points: []service.ChangePoint{}}
	for _, p := range points {
		r.Changepoints = append(r.Changepoints, p.Index)
		r.Points = append(r.Points, service.ChangePoint{Index: p.Index, P: p.P, Before: p.Before, After: p.After, Magnitude: p.Magnitude()})
	}
	if index, energy := changepoint.Strongest(x); index > 0 {
		r.Strongest = &splitReport{index, energy}
	}
	return r
}

// readNumbers reads a list of numbers, also one in the brackets of JSON.
func readNumbers(in io.Reader) ([]float64, error) {
	var x []float64
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for number := 1; lines.Scan(); number++ {
		for field := range strings.FieldsFuncSeq(lines.Text(), func(r rune) bool {
			return r == ',' || r == ' ' || r == '\t' || r == '\r' || r == '[' || r == ']'
		}) {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil || v-v != 0 {
				return nil, fmt.Errorf("standard input:%d: expected a finite number, got %.40q", number, field)
			}
			x = append(x, v)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("standard input: %w", err)
	}
	return x, nil
}
