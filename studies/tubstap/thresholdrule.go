package tubstap

import (
	"context"
	"fmt"
	"math"

	"sakusen/engines/arena"
	"sakusen/strategies/tubstap/switching"
	"sakusen/studies/tubstap/complexity"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// runThresholdRule learns the rules on some maps and judges them on others: twice
// as many blocks a cell as in learning, on 12 maps for each of o.Games.
func runThresholdRule(ctx context.Context, game *arena.Game, o experiment.Options, add func(experiment.Row)) error {
	tell := tellOf(o)
	trial := complexity.Trial{Maps: int(min(complexity.MostMaps, 12*o.Games)), Tune: o.Games, Blocks: 2 * o.Games, Seed: complexity.Seed}
	if o.Seed != nil {
		trial.Seed = *o.Seed
	}
	lesson, err := complexity.LearnRule(ctx, game, o.Host, trial.Seed, o.Games, tell)
	if err != nil {
		return err
	}
	tellLesson(lesson, add)
	result, err := complexity.Judge(ctx, game, o.Host, lesson, trial, tell)
	if err != nil {
		return err
	}
	for _, m := range result.Methods {
		maps, games := result.Spread(m)
		add(measuredRow(m.Name, "win rate", result.Strength(m, -1), fmt.Sprintf("%s; maps lie %.3f apart, by their games alone %.3f", m.Spent(), maps, games)))
		for i, b := range result.Budgets {
			add(measuredRow(fmt.Sprintf("%s, %d simulations", m.Name, b), "win rate", result.Strength(m, i), ""))
		}
	}
	for _, i := range []int{complexity.Predicted, complexity.Tuned} {
		rule := result.Methods[i]
		for _, j := range []int{complexity.BlindRule, complexity.Search, complexity.Single, complexity.Fixed, complexity.Tuned} {
			if other := result.Methods[j]; j != i {
				add(gainRow(rule.Name+" - "+other.Name, result.Gain(rule, other)))
			}
		}
	}
	far, err := complexity.Transfer(ctx, game, o.Host, lesson, paperBudget, trial, tell)
	if err != nil {
		return err
	}
	note := "five times the largest budget of learning"
	add(measuredRow(fmt.Sprintf("fixed, %d simulations", paperBudget), "win rate", far.Fixed, note))
	add(measuredRow(fmt.Sprintf("predicted, %d simulations", paperBudget), "win rate", far.Predicted, note))
	add(measuredRow(fmt.Sprintf("single alone, %d simulations", paperBudget), "win rate", far.Single, note+"; a block a map"))
	return nil
}

// tellLesson adds what was learned beside what switch's prediction has.
func tellLesson(lesson *complexity.Lesson, add func(experiment.Row)) {
	number := func(label, metric string, learned float64, note string) {
		add(experiment.Row{Label: label, Metric: metric, Measured: experiment.Number(stats.Known(learned)), Note: note})
	}
	p, shipped := lesson.Prediction, switching.Learned()
	of := func(x float64) string { return fmt.Sprintf("switch has %g", x) }
	number("learned: base", "log10 of moves", p.Base, of(shipped.Base))
	number("learned: for ten times the simulations", "log10 of moves", p.PerDecade, of(shipped.PerDecade))
	number("learned: for planes alone", "log10 of moves", p.PerAir, of(shipped.PerAir))
	number("learned: best fixed threshold", "log10 of moves", lesson.Fixed, "")
	number("learned: M-UCT alone from here on", "simulations", math.Round(lesson.Blind), "the rule that is blind to the position")
	for _, c := range lesson.Means() {
		add(measuredRow(fmt.Sprintf("learning, %d simulations, %s", c.Simulations, c.Player), "win rate", c.Strength, ""))
	}
}

// gainRow is a difference, map by map, with what it says in words.
func gainRow(label string, gain stats.MeanInterval) experiment.Row {
	note := "map by map; no difference is shown"
	if lo, hi := gain.CI95.Lo, gain.CI95.Hi; lo.Defined && hi.Defined && lo.Value > 0 {
		note = "map by map; better"
	} else if lo.Defined && hi.Defined && hi.Value < 0 {
		note = "map by map; worse"
	}
	return measuredRow(label, "win rate", gain, note)
}
