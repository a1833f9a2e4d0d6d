package study

import (
	"math"

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

// resolution is nil where the blocks say nothing of it: none, or all alike.
func resolution(b stats.Blocks) *tuner.Resolution {
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

// duelResolution is that of the duels of a study, between equals: their
// variance is that about the mean of each duel. It is nil where there are none.
func duelResolution(st *Study) *tuner.Resolution {
	squares, free := 0.0, 0.0
	for i := range st.duels {
		d := &st.duels[i]
		if d.Blocks < 2 || !(d.Noise >= 0) {
			continue
		}
		squares += d.Noise * d.Noise * float64(d.Blocks) * float64(d.Blocks-1)
		free += float64(d.Blocks - 1)
	}
	seats := st.Setup.Ruleset.Seats
	if free == 0 {
		return nil
	}
	return resolutionOf(1/float64(seats), squares/free, seats)
}
