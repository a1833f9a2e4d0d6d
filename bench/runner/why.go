package runner

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/google/pprof/profile"

	"sakusen/bench"
)

// Why says where a benchmark's loss comes from: it compares profiles of
// both sides function by function.
//
// Flow: profiles are taken of what failed (Options.Suspects);
// Explain reads the files; the gate's report, the comment under a pull request and
// the pages show what it finds.
//
//	causes, err := runner.Explain(result.Profiled)
//
// A function's part is its own, without what it calls; inlined functions count as
// themselves.

// Explain returns for each profiled benchmark where its time and its memory
// went.
func Explain(list []Profiled) ([]bench.Cause, error) {
	var causes []bench.Cause
	for _, p := range list {
		for _, c := range []struct {
			kind, counts string
			files        [2]string
		}{{bench.CauseTime, "cpu", p.CPU}, {bench.CauseAllocated, "alloc_space", p.Memory}} {
			parts, samples, err := parts(c.files, c.counts)
			if err != nil {
				return causes, err
			}
			if c.kind == bench.CauseTime {
				shares(parts, p.Slower)
			} else {
				samples = [2]int{}
				for i := range parts {
					parts[i].Old /= float64(p.Operations)
					parts[i].New /= float64(p.Operations)
				}
			}
			causes = append(causes, bench.Cause{Pkg: p.Pkg, Name: p.Name, Kind: c.kind, Functions: bench.Telling(parts, min(samples[0], samples[1])), Files: c.files, Samples: samples})
		}
	}
	return causes, nil
}

// equalMemory notes of causes by what was allocated that the comparison has the same for both sides.
func equalMemory(causes []bench.Cause, c *bench.Comparison) {
	for i := range causes {
		cause := &causes[i]
		cause.Equal = cause.Kind == bench.CauseAllocated && slices.ContainsFunc(c.Rows, func(r bench.Row) bool {
			return r.Series.Pkg == cause.Pkg && r.Series.Name == cause.Name && r.Series.Unit == "B/op" && r.Paired() && r.Old.Center == r.New.Center
		})
		if cause.Equal {
			cause.Functions = nil
		}
	}
}

// parts returns what each function counted, in both profiles, and how many samples these have.
func parts(files [2]string, kind string) ([]bench.FunctionPart, [2]int, error) {
	var samples [2]int
	sums := map[string]*bench.FunctionPart{}
	for side, file := range files {
		own, n, err := read(file, kind)
		if err != nil {
			return nil, samples, err
		}
		samples[side] = n
		for function, value := range own {
			if sums[function] == nil {
				sums[function] = &bench.FunctionPart{Function: function}
			}
			if side == 0 {
				sums[function].Old = value
			} else {
				sums[function].New = value
			}
		}
	}
	var list []bench.FunctionPart
	for _, function := range slices.Sorted(maps.Keys(sums)) {
		list = append(list, *sums[function])
	}
	return list, samples, nil
}

// read sums a profile's values of a kind by the function in which they were
// counted, and counts its samples.
func read(file, kind string) (own map[string]float64, samples int, err error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	whole, err := gzip.NewReader(in)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", file, err)
	}
	text, err := io.ReadAll(whole)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", file, err)
	}
	// Package testing writes no other form; what reads those that profile.Parse knows is large.
	p, err := profile.ParseUncompressed(text)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", file, err)
	}
	if err := p.CheckValid(); err != nil {
		return nil, 0, fmt.Errorf("%s: %w", file, err)
	}
	at := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == kind })
	if at < 0 {
		return nil, 0, fmt.Errorf("%s: expected a profile of %s", file, kind)
	}
	own = map[string]float64{}
	for _, s := range p.Sample {
		function := "unknown"
		if len(s.Location) > 0 && len(s.Location[0].Line) > 0 && s.Location[0].Line[0].Function != nil {
			function = s.Location[0].Line[0].Function.Name
		}
		own[function] += float64(s.Value[at])
		samples += int(s.Value[0]) // the number of samples, whatever the kind
	}
	return own, samples, nil
}

// shares turns times into parts of the old time of an operation, of which the new
// one takes so many times as much. Sampled time depends on how long the profile
// ran; the time of an operation was measured better.
func shares(parts []bench.FunctionPart, ratio float64) {
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
