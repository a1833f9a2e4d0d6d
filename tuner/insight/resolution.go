package insight

import (
	"math"
	"slices"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// usualGain is the difference, in Elo, for which a resolution tells the games; it is proved
// at the share of usualAlpha that a first attempt has, with usualChance. They are the same
// for every study, whatever its file asks for, so that studies compare.
const (
	usualGain   = 10
	usualAlpha  = 0.025
	usualChance = 0.8
)

// Resolution returns how well games tell two players apart, nil where the blocks say nothing of it: none, or all alike.
func Resolution(b stats.Blocks) *tuner.Resolution {
	e, m := b.Estimate(), b.Moments()
	if !e.NElo.Defined || !e.NEloErr.Defined {
		return nil
	}
	r := resolutionOf(m.Mean, m.Variance, b.Games)
	if r == nil {
		return nil
	}
	r.NormalizedElo = numeral.Finite(e.NElo.Value)
	r.CI95 = &[2]float64{e.NElo.Value - e.NEloErr.Value, e.NElo.Value + e.NEloErr.Value}
	return r
}

// resolutionOf is that of blocks of so many games with the given mean score and variance of
// a block, nil where these tell nothing.
func resolutionOf(mean, variance float64, games int) *tuner.Resolution {
	unit := 800 / math.Ln10
	slope := math.Ln10 / 400 * mean * (1 - mean) // of the score by Elo
	per := slope / math.Sqrt(float64(games)*variance) * unit
	if !(per > 0) || math.IsInf(per, 1) {
		return nil
	}
	twice := math.Pow(2*unit/(usualGain*per), 2)
	r := &tuner.Resolution{PerElo: numeral.Finite(per), Games: numeral.Finite(twice)}
	if first, err := stats.AttemptAlpha(usualAlpha, 1); err == nil {
		sigmas := stats.Group{Alpha: first}.Errors(usualChance)
		r.Proof = numeral.Finite(math.Pow(float64(sigmas*800/math.Ln10)/(usualGain*per), 2))
	}
	return r
}

// DuelResolution returns that of the duels of a study, between equals: their
// variance is that about the mean of each duel. It is nil where there are none.
func (x *Search) DuelResolution() *tuner.Resolution {
	squares, free := 0.0, 0.0
	for i := range x.Duels {
		d := &x.Duels[i]
		if d.Blocks < 2 || !(d.Noise >= 0) {
			continue
		}
		squares += d.Noise * d.Noise * float64(d.Blocks) * float64(d.Blocks-1)
		free += float64(d.Blocks - 1)
	}
	seats := x.Setup.Ruleset.Seats
	if free == 0 {
		return nil
	}
	return resolutionOf(1/float64(seats), squares/free, seats)
}

// Qualify says of what is known under which condition it counts, and whether it is anything.
func Qualify(k *tuner.Known, s *tuner.Setup, winner *tuner.Trial) {
	at := slices.IndexFunc(s.Tune.Params, func(d tuner.Dimension) bool { return d.Name == k.Name })
	if at < 0 {
		return
	}
	d := &s.Tune.Params[at]
	var conditions []string
	for _, c := range s.Tune.Params.Given(s.Tune.Fix)[at].When {
		conditions = append(conditions, c.String())
	}
	k.When = strings.Join(conditions, " and ")
	_, active := winner.Params.Get(k.Name)
	k.Idle = !active
	k.Untold = k.Importance <= 2*k.Error && k.With == ""
	switch {
	case d.Kind == param.Bool || d.Kind == param.Choice:
		k.Untold = k.Untold && len(k.Same) == d.Points()
	default:
		low, high := d.Number(k.From), d.Number(k.To)
		k.Untold = k.Untold && low <= d.Domain.Low && high >= d.Domain.High
	}
}
