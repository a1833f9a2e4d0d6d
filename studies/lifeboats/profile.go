package lifeboats

import (
	"context"
	"strconv"

	"sakusen/engines/param"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// profiled are the values of X that are tried.
func profiled() []float64 { return []float64{0, 0.5, 1, 2, 3, 5, 10, 20, 50, 100} }

// flatFrom is the X that the others are held against: the least that the paper's has.
const flatFrom = 10

// profile is the paper's fitness by X, with all other weights as they have evolved.
func profile() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-x",
		Doc: "Fitness of an evolved player by its X, all other weights as they are: wins of 10 000 with three evolved players of its team and " +
			"one random voter, as in the evolution, and the difference from X = 10 on the same deals (--games: of each X and team).",
		Source: paper + ", section 4", Games: 5000, Seed: seeded(), Fresh: true,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			teams, err := Evolved()
			if err != nil {
				return err
			}
			blocks := max(2, o.Games/5)
			lab, err := labOf(o, int64(len(profiled())*len(teams))*blocks)
			if err != nil {
				return err
			}
			base, err := lab.fitness(ctx, blocks, flatFrom, teams)
			if err != nil {
				return err
			}
			var before []float64
			for _, x := range profiled() {
				label := "X = " + strconv.FormatFloat(x, 'g', -1, 64)
				scores := base
				if x != flatFrom {
					if scores, err = lab.fitness(ctx, blocks, x, teams); err != nil {
						return err
					}
				}
				add(blockwise(label, scores))
				if x != flatFrom {
					add(difference(label+" less X = 10", scores, base))
				}
				if x > flatFrom && before != nil {
					add(difference(label+" less the one before", scores, before))
				}
				before = scores
			}
			return nil
		},
	}
}

// difference is a row of what one has above another on the same blocks.
func difference(label string, of, from []float64) experiment.Row {
	less := make([]float64, len(of))
	for i := range of {
		less[i] = of[i] - from[i]
	}
	row := blockwise(label, less)
	row.Note = sign(row.CI)
	return row
}

// sign says on which side of 0 an interval is.
func sign(of stats.Interval) string {
	switch {
	case !of.Defined():
		return ""
	case of.Lo.Value > 0:
		return "better"
	case of.Hi.Value < 0:
		return "worse"
	}
	return "no difference seen"
}

// fitness is the share of wins of a player of each team with the given X at the paper's
// table: three others of its team as they have evolved, and a random voter.
func (l *Lab) fitness(ctx context.Context, blocks int64, x float64, teams [][]param.Values) ([]float64, error) {
	voter, err := l.rules.Entrant("random")
	if err != nil {
		return nil, err
	}
	var all []float64
	for _, team := range teams {
		others, err := l.opponents(team[1 : teamSize-1])
		if err != nil {
			return nil, err
		}
		given := param.Values{{Name: "X", Text: strconv.FormatFloat(x, 'g', -1, 64)}}
		scores, err := l.scores(ctx, l.Seed, blocks, "level0", join(team[0], given), append(others, voter)...)
		if err != nil {
			return nil, err
		}
		all = append(all, scores...)
	}
	return all, nil
}
