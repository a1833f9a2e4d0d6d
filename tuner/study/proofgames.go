package study

import (
	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/numeral"
	"sakusen/tuner/stats"
)

// proofGames is what the games of a validation tell beside the scores of their blocks.
type proofGames struct {
	race           *entry.Race // nil unless all pairs are compared
	games          int64
	units, squares int64 // of the winner's score of a game, in 1/arena.Scale
	scale          int64
}

// newProofGames gathers them for the study's validation.
func newProofGames(s *tuner.Setup) *proofGames {
	p := &proofGames{scale: arena.Scale(s.Ruleset.Seats)}
	if s.Validation.Pairs == tuner.AllPairs {
		p.race = entry.NewRace(s.Ruleset)
	}
	return p
}

// add adds the games of a run; nil gathers nothing.
func (p *proofGames) add(r *arena.Run) {
	if p == nil {
		return
	}
	p.race.Add(r)
	for b := range r.Blocks {
		for rotation := range r.Rotations {
			x := r.Game(b, rotation, rotation)[0] // the first entrant sits in the seat of the rotation's number
			p.games++
			p.units += x
			p.squares += x * x
		}
	}
}

// variance is that of the score of one game, nil where there is none.
func (p *proofGames) variance() *float64 {
	if p == nil || p.games < 2 {
		return nil
	}
	n, scale := float64(p.games), float64(p.scale)
	mean := float64(p.units) / n
	return numeral.Finite((float64(p.squares)/n - float64(mean*mean)) / (scale * scale))
}

// blocksOf is the evidence as the statistics take it.
func blocksOf(s *tuner.Setup, e entry.Evidence) stats.Blocks {
	b := stats.Rotated(s.Ruleset.Seats, e.Scores)
	b.Distinct = e.Distinct
	return b
}

// blocksOf is evidence of the validation as the statistics take it: as played or, of a
// race, by all pairs, unless some of its blocks repeat others or some game was decided
// otherwise than by its lengths.
func (p *proofGames) blocksOf(s *tuner.Setup, e entry.Evidence) stats.Blocks {
	b := blocksOf(s, e)
	if p != nil && b.Distinct == 0 {
		b.Placed = stats.Place(p.race.Lengths())
	}
	return b
}
