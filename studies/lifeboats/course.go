package lifeboats

import (
	"context"
	"fmt"

	"sakusen/engines/param"
	"sakusen/tuner/contest/experiment"
)

// Rounds that are shown: nearly all games last until the last of them. A lead can exist
// from the second round on, and others can react to it from the third.
const (
	earlyRound  = 2
	answerRound = 3
	lateRound   = 8
	roundsShown = 9
)

// Course is the lead of level 1 over the course of a game.
func Course() experiment.Experiment {
	return experiment.Experiment{
		Name: "lifeboats-lead",
		Doc: "At the start of each round, how far a player is ahead (E, in units of the largest weight) and which share of the others " +
			"would have a boat leak on which it is strong: level 1, and level 0 in its place; teams of several evolutions (games are of each player and team).",
		Source: paper + ", section 4", Games: 5000, Seed: seeded(), Fresh: true,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			teams, err := Evolved()
			if err != nil {
				return err
			}
			blocks := max(1, o.Games/5)
			lab, err := labOf(o, int64(3*len(teams))*blocks)
			if err != nil {
				return err
			}
			base, err := courses(ctx, lab, "level0", blocks, nil, teams)
			if err != nil {
				return err
			}
			base.tell("level 0", add)
			for _, alive := range []string{"strict", "expected"} {
				one, err := courses(ctx, lab, "level1", blocks, param.Values{{Name: "alive", Text: alive}}, teams)
				if err != nil {
					return err
				}
				label := "level 1, " + alive
				one.tell(label, add)
				for _, f := range []struct {
					metric string
					round  int
					of     func(Moment) float64
				}{
					{"lead less level 0's", earlyRound, Moment.lead},
					{"aimed at less level 0", answerRound, Moment.aimed},
					{"behind level 0's lead", lateRound, Moment.behind},
				} {
					row := measured(fmt.Sprintf("%s, round %d", label, f.round), f.metric, one.less(base, f.round, f.of), "%+.3f")
					add(experiment.Stated(row, "above 0", row.CI, 0, 1))
				}
			}
			return nil
		},
	}
}

func (m Moment) lead() float64   { return m.Lead }
func (m Moment) behind() float64 { return -m.Lead }
func (m Moment) aimed() float64  { return m.Aimed }

// course is a player's moments, by team.
type course [][]Moment

func courses(ctx context.Context, lab *Lab, strategy string, blocks int64, given param.Values, teams [][]param.Values) (course, error) {
	var out course
	for _, team := range teams {
		m, err := lab.Lead(ctx, strategy, blocks, given, team)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// at is one number of a round, by team; a team whose games end before has none.
func (c course) at(round int, of func(Moment) float64) []float64 {
	var out []float64
	for _, m := range c {
		if round <= len(m) {
			out = append(out, of(m[round-1]))
		}
	}
	return out
}

// less is the differences from another course, by team.
func (c course) less(d course, round int, of func(Moment) float64) []float64 {
	var out []float64
	for i := range c {
		if round <= len(c[i]) && round <= len(d[i]) {
			out = append(out, of(c[i][round-1])-of(d[i][round-1]))
		}
	}
	return out
}

// tell adds the rows of the first rounds.
func (c course) tell(label string, add func(experiment.Row)) {
	for r := 1; r <= roundsShown; r++ {
		for _, f := range []struct {
			metric string
			of     func(Moment) float64
		}{{"lead", Moment.lead}, {"aimed at", Moment.aimed}} {
			if x := c.at(r, f.of); len(x) > 0 {
				add(measured(fmt.Sprintf("%s, round %d", label, r), f.metric, x, "%.3f"))
			}
		}
	}
}
