package lifeboats

import (
	"context"

	"sakusen/engines/param"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// fixedLevels are the ways to vote that adaptive switches between.
func fixedLevels() []struct {
	label, strategy string
	given           param.Values
} {
	alive := func(a string) param.Values { return param.Values{{Name: "alive", Text: a}} }
	return []struct {
		label, strategy string
		given           param.Values
	}{
		{"level 0", "level0", nil},
		{"level 1, strict", "level1", alive("strict")},
		{"level 1, tie", "level1", alive("tie")},
		{"level 1, expected", "level1", alive("expected")},
	}
}

// switching is adaptive beside the levels that it switches between.
func switching() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-adaptive",
		Doc: "Wins, of 10 000 games, of adaptive, level 0 and level 1 against four evolved level-0 players, and their differences on the same " +
			"blocks; teams of several evolutions (games are of each player and team).",
		Source: paper + ", section 5 (announced, no values)", Games: 10000, Seed: seeded(), Fresh: true,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			teams, err := Evolved()
			if err != nil {
				return err
			}
			blocks := max(1, o.Games/5)
			lab, err := labOf(o, int64(len(fixedLevels())+1)*int64(len(teams))*blocks)
			if err != nil {
				return err
			}
			all := func(strategy string, given param.Values) ([]float64, error) {
				var out []float64
				for _, team := range teams {
					scores, err := lab.against(ctx, strategy, blocks, given, team)
					if err != nil {
						return nil, err
					}
					out = append(out, scores...)
				}
				return out, nil
			}
			switching, err := all("adaptive", nil)
			if err != nil {
				return err
			}
			add(blockwise("adaptive", switching))
			for _, level := range fixedLevels() {
				scores, err := all(level.strategy, level.given)
				if err != nil {
					return err
				}
				add(blockwise(level.label, scores))
				for i := range scores {
					scores[i] = switching[i] - scores[i]
				}
				row := blockwise("adaptive less "+level.label, scores)
				add(experiment.Stated(row, "above 0", row.CI, 0, 1))
			}
			return nil
		},
	}
}

// blockwise is a row of wins of 10000 with the blocks as its sample.
func blockwise(label string, scores []float64) experiment.Row {
	s := shareOf(scores)
	return experiment.Row{
		Label: label, Metric: "wins of 10000", Measured: experiment.Number(stats.Known(s.Of(10000))),
		CI: stats.Around(s.Of(10000), stats.Deviate95*s.Error*10000),
	}
}
