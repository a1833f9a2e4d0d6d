// Package why says where a benchmark's loss comes from: it compares profiles of
// both sides function by function.
//
// Flow: package runner takes profiles of what failed (runner.Options.Suspects);
// [Explain] reads the files and gives a text for each benchmark, which the gate's
// report and the comment under a pull request show.
//
//	texts, err := why.Explain(result.Profiled)
//
// A function's part is its own, without what it calls; inlined functions count as
// themselves.
package why

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/google/pprof/profile"

	"sakusen/bench/runner"
)

// Part is a function's part of what a profile counted.
type Part struct {
	Function string
	Old, New float64 // per operation
}

// shown bounds a table.
const shown = 10

// Explain is a text for each benchmark that was profiled.
func Explain(list []runner.Profiled) ([]string, error) {
	var texts []string
	for _, p := range list {
		var b strings.Builder
		fmt.Fprintf(&b, "%s.%s\n", p.Pkg, p.Name)
		for _, c := range []struct {
			what, kind, unit string
			files            [2]string
			per              [2]float64 // operations
		}{
			{"time", "cpu", "of the old time", p.CPU, [2]float64{}},
			{"allocated", "alloc_space", "B/op", p.Memory, [2]float64{float64(p.Operations), float64(p.Operations)}},
		} {
			parts, err := parts(c.files, c.kind)
			if err != nil {
				return texts, err
			}
			if c.kind == "cpu" {
				shares(parts, p.Slower)
			} else {
				for i := range parts {
					parts[i].Old /= c.per[0]
					parts[i].New /= c.per[1]
				}
			}
			write(&b, c.what, c.unit, parts)
		}
		texts = append(texts, b.String())
	}
	return texts, nil
}

// parts are what each function counted, in both profiles.
func parts(files [2]string, kind string) ([]Part, error) {
	sums := map[string]*Part{}
	for side, file := range files {
		own, err := read(file, kind)
		if err != nil {
			return nil, err
		}
		for function, value := range own {
			if sums[function] == nil {
				sums[function] = &Part{Function: function}
			}
			if side == 0 {
				sums[function].Old = value
			} else {
				sums[function].New = value
			}
		}
	}
	var list []Part
	for _, function := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, *sums[function])
	}
	return list, nil
}

// read sums a profile's values of a kind by the function in which they were
// counted.
func read(file, kind string) (own map[string]float64, err error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	p, err := profile.Parse(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	at := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == kind })
	if at < 0 {
		return nil, fmt.Errorf("%s: expected a profile of %s", file, kind)
	}
	own = map[string]float64{}
	for _, s := range p.Sample {
		function := "unknown"
		if len(s.Location) > 0 && len(s.Location[0].Line) > 0 && s.Location[0].Line[0].Function != nil {
			function = s.Location[0].Line[0].Function.Name
		}
		own[function] += float64(s.Value[at])
	}
	return own, nil
}

// shares turns times into parts of the old time of an operation, of which the new
// one takes so many times as much. Sampled time depends on how long the profile
// ran; the time of an operation was measured better.
func shares(parts []Part, ratio float64) {
	old, now := 0.0, 0.0
	for _, p := range parts {
		old, now = old+p.Old, now+p.New
	}
	for i := range parts {
		if old > 0 {
			parts[i].Old /= old
		}
		if now > 0 {
			parts[i].New *= ratio / now
		}
	}
}

// write writes the functions that gained most, and those that lost most after
// them, as far as they matter.
func write(b *strings.Builder, what, unit string, parts []Part) {
	slices.SortStableFunc(parts, func(x, y Part) int { return cmp.Compare(y.New-y.Old, x.New-x.Old) })
	total := 0.0
	for _, p := range parts {
		total += p.Old
	}
	matters := func(p Part) bool { d := p.New - p.Old; return max(d, -d) > 0.005*total && d != 0 }
	parts = slices.DeleteFunc(parts, func(p Part) bool { return !matters(p) })
	if len(parts) == 0 {
		return
	}
	if len(parts) > shown {
		parts = slices.Concat(parts[:shown-3], parts[len(parts)-3:])
	}
	t := tabwriter.NewWriter(b, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "old\tnew\tgained\t  %s, %s\n", what, unit)
	for _, p := range parts {
		fmt.Fprintf(t, "%s\t%s\t%s\t  %s\n", number(p.Old, unit, ""), number(p.New, unit, ""), number(p.New-p.Old, unit, "+"), p.Function)
	}
	_ = t.Flush() // a builder takes everything
}

func number(v float64, unit, sign string) string {
	if unit == "B/op" {
		return fmt.Sprintf("%"+sign+".1f", v)
	}
	return fmt.Sprintf("%"+sign+".1f %%", 100*v)
}
