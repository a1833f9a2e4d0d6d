package lifeboats

import (
	"context"
	"fmt"

	"sakusen/engines/param"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// The paper's section 4: level 1 wins about 1850 of 10 000 games against four
// evolved level-0 players. No interval is printed; binomial is that of 10 000
// games.
const (
	printedWins = "1850"
	binomial    = 76
)

// reading is a way to read the paper's level 1.
type reading struct {
	label string
	given param.Values
}

func readings() []reading {
	var out []reading
	for _, predict := range []string{"theirs", "own"} {
		for _, alive := range []string{"strict", "tie", "expected"} {
			out = append(out, reading{alive + ", predicts with " + predict, param.Values{
				{Name: "alive", Text: alive}, {Name: "predict", Text: predict}}})
		}
	}
	return out
}

// levelOne is level 1 against evolved level-0 players under each reading.
func levelOne() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-level1",
		Doc: "Wins, of 10 000 games, of level 1 against four evolved level-0 players, under each rule for votes that count; " +
			"teams of several evolutions (games are of each rule and team).",
		Source: paper + ", section 4", Games: 10000, Seed: seeded(), Fresh: true,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			teams, err := Evolved()
			if err != nil {
				return err
			}
			all := append(readings(), reading{"strict, predicts with theirs, all with X = 10", param.Values{{Name: "X", Text: "10"}}})
			blocks := max(1, o.Games/5)
			lab, err := labOf(o, int64(len(all)*len(teams))*blocks)
			if err != nil {
				return err
			}
			printed, err := experiment.ParsePrinted(printedWins, binomial)
			if err != nil {
				return err
			}
			for _, r := range all {
				wins := make([]float64, len(teams))
				for i, team := range teams {
					if x, ok := r.given.Get("X"); ok {
						team = with(team, "X", x)
					}
					s, err := lab.LevelOne(ctx, "level1", blocks, r.given, team)
					if err != nil {
						return err
					}
					wins[i] = s.Of(10000)
				}
				note := "runs " + list(wins, "%.0f")
				row := experiment.Compare(r.label, "wins of 10000", printed, stats.OfRuns(wins), note)
				row.Note = note // also where the spread of the teams is too wide to say
				add(row)
			}
			return nil
		},
	}
}

// with is a team whose players all have the given value.
func with(team []param.Values, name, text string) []param.Values {
	out := make([]param.Values, len(team))
	for i, p := range team {
		for _, v := range p {
			if v.Name == name {
				v.Text = text
			}
			out[i] = append(out[i], v)
		}
	}
	return out
}

// join is a player's weights with further parameters, which come first where
// both have one.
func join(weights, given param.Values) param.Values {
	out := append(param.Values(nil), given...)
	for _, v := range weights {
		if _, twice := given.Get(v.Name); !twice {
			out = append(out, v)
		}
	}
	return out
}

// few is the error for fewer players than a team needs.
func few(players []param.Values) error {
	if len(players) < teamSize {
		return fmt.Errorf("expected five evolved players, one to try and four to meet, got %d", len(players))
	}
	return nil
}
