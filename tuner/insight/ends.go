package insight

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// mostTried is how many values of a program's parameters are tried before a study.
const mostTried = 40

// Ends plays a block of a program with each tuned parameter at each end of its range, or with the
// first and the last of its choices, the others at their defaults. It returns a sentence for each
// value with which the program fails, and how many values could not be tried in the time that
// there is. Strategies of Go are not tried.
func Ends(ctx context.Context, s *tuner.Setup, host arena.Host, patience time.Duration, trying func(done, of int)) (out []string) {
	if !s.Ruleset.Game.Outside(s.Tune.Strategy) || len(s.Tune.Declare) > 0 {
		return nil
	}
	all := endValues(s.Tune.Params)
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tried := 0
	for _, v := range all[:min(len(all), mostTried)] {
		trying(tried, min(len(all), mostTried))
		why, ok := fails(limited, s, host, v)
		if limited.Err() != nil {
			break
		}
		if tried++; ok && why != "" {
			out = append(out, fmt.Sprintf("%s=%s: %s", v.Name, v.Text, why))
		}
	}
	if left := len(all) - tried; left > 0 && ctx.Err() == nil {
		out = append(out, fmt.Sprintf("of %d ends of ranges %d were tried; games with the others may still fail", len(all), tried))
	}
	return out
}

// Repeats returns an error where a program whose games must be the same is found to play them otherwise,
// with its parameters at one end of all ranges or at the other: before a study, since the values
// between are tried only when they are met.
func Repeats(s *tuner.Setup) error {
	if !s.Ruleset.Game.Outside(s.Tune.Strategy) || len(s.Tune.Declare) > 0 {
		return nil
	}
	for _, high := range []int{0, 1} {
		var point param.Values
		for i := range s.Tune.Params {
			d := &s.Tune.Params[i]
			point = append(point, param.Value{Name: d.Name, Text: ends(d)[high]})
		}
		e, err := s.Candidate(-1, s.Tune.Params.Activate(s.Tune.Fix, point))
		if err != nil {
			return nil // a condition or a rule of the program: the trial that meets it tells it
		}
		if unlike, ok := errors.AsType[*arena.UnlikeError](s.Ruleset.Try(slices.Repeat([]arena.Entrant{e}, s.Ruleset.Seats))); ok {
			return fmt.Errorf("with its parameters at the ends of their ranges: %w", unlike)
		}
	}
	return nil
}

// endValues returns the ends of all ranges.
func endValues(space tuner.Space) (all param.Values) {
	for i := range space {
		d := &space[i]
		for _, text := range slices.Compact(ends(d)) {
			if text != d.Default {
				all = append(all, param.Value{Name: d.Name, Text: text})
			}
		}
	}
	return all
}

// ends returns the ends of a parameter's range, of a choice its first and last value.
func ends(d *tuner.Dimension) []string {
	switch d.Kind {
	case param.Bool:
		return []string{"false", "true"}
	case param.Choice:
		return []string{d.Choices[0], d.Choices[len(d.Choices)-1]}
	}
	return []string{d.Text(d.Domain.Low), d.Text(d.Domain.Top())}
}

// fails reports why a program fails with a value, empty where it does not; ok is false where a
// condition switches the parameter off.
func fails(ctx context.Context, s *tuner.Setup, host arena.Host, v param.Value) (why string, ok bool) {
	var point param.Values
	for i := range s.Tune.Params {
		d := &s.Tune.Params[i]
		text := d.Default
		if d.Name == v.Name {
			text = v.Text
		}
		point = append(point, param.Value{Name: d.Name, Text: text})
	}
	point = s.Tune.Params.Activate(s.Tune.Fix, point)
	if _, active := point.Get(v.Name); !active {
		return "", false
	}
	candidate, err := s.Candidate(-1, point)
	if err != nil {
		return err.Error(), true
	}
	opponent := candidate
	if all := s.Opponents(); len(all) > 0 {
		opponent = all[0]
	}
	series := s.Series(candidate, opponent, s.Sampler.Seed, arena.Tune, 0, 1)
	tally, err := host.Play(ctx, series, nil)
	if err != nil {
		return err.Error(), true
	}
	if f := entry.NewEvidence(series, tally).Faults; f != nil && f.Own.Sum() > 0 {
		var kinds []string
		for kind, n := range f.Own {
			if n > 0 {
				kinds = append(kinds, kind)
			}
		}
		slices.Sort(kinds)
		return fmt.Sprintf("%d of its %d games ended by a fault of the program (%s)", f.Own.Sum(), tally.Games, strings.Join(kinds, ", ")), true
	}
	return "", true
}
