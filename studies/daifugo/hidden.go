package daifugo

import (
	"context"
	"fmt"

	"sakusen/engines/arena"
	game "sakusen/engines/daifugo"
	"sakusen/engines/param"
	"sakusen/strategies/daifugo/greedyout"
	"sakusen/strategies/daifugo/lowest"
	"sakusen/strategies/daifugo/random"
	"sakusen/strategies/daifugo/rankset"
	"sakusen/strategies/daifugo/sampled"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// hiddenSeed is the experiment's, unless another is asked for.
const hiddenSeed = 20021

// duel is one player against three of another.
type duel struct{ hands, player, others string }

// voting is greedy-out made fit for hidden hands: it plays the move that greedy-out
// plays in most of 30 deals that it holds possible.
const voting = "sampled(judge=greedy)"

func duels() []duel {
	var list []duel
	for _, player := range []string{"random", "lowest-first", "greedy-out", "rankset",
		"sampled(judge=ranks)", "sampled(deals=1)", "sampled(deals=10)", "sampled", "sampled(deals=100)"} {
		list = append(list, duel{game.HiddenHands, player, voting})
	}
	return append(list,
		duel{game.HiddenHands, "sampled", "sampled(judge=ranks)"},
		duel{game.HiddenHands, voting, "sampled"},
		duel{game.OpenHands, "sampled(judge=ranks)", "greedy-out"},
		duel{game.OpenHands, "sampled", "greedy-out"},
	)
}

// hidden is how players fare when nobody sees the others' hands.
func hidden() experiment.Experiment {
	seed := uint64(hiddenSeed)
	return experiment.Experiment{
		Name: "daifugo-hidden",
		Doc: "Players that draw deals and judge their moves in them, with hands hidden: one player against three of another, four players " +
			"and six kinds; by how many ranks it ends before the mean of 2.5 (--games: of each pairing; rotations of a deal are a block).",
		Source: "Goto, Inui, Kotani, section 6 (strategies, named as future work); no values are printed",
		Games:  4000, Seed: &seed,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			blocks := max(2, o.Games/4)
			all := duels()
			var done int64
			for _, d := range all {
				row, err := d.play(ctx, o, blocks, func(n, games int64) {
					done += n
					if o.Progress != nil {
						o.Progress(done, blocks*int64(len(all)), games)
					}
				})
				if err != nil {
					return err
				}
				add(row)
			}
			return nil
		},
	}
}

// play plays blocks of four games, in which the player has each seat of a deal once.
func (d duel) play(ctx context.Context, o experiment.Options, blocks int64, tell func(blocks, games int64)) (experiment.Row, error) {
	rules, errs := arena.Enter(game.Game(), random.Strategy(), lowest.Strategy(), greedyout.Strategy(), rankset.Strategy(), sampled.Strategy()).
		Open(param.Values{{Name: "hands", Text: d.hands}})
	if len(errs) > 0 {
		return experiment.Row{}, errs[0]
	}
	s := arena.Series{Ruleset: rules, Seed: *o.Seed, To: blocks}
	for _, text := range []string{d.player, d.others, d.others, d.others} {
		e, err := rules.Entrant(text)
		if err != nil {
			return experiment.Row{}, err
		}
		s.Entrants = append(s.Entrants, e)
	}
	par := float64(1+rules.Seats) / 2
	gains := stats.Sums{Per: float64(rules.Seats)}
	_, err := o.Host.Play(ctx, s, func(r *arena.Run) error {
		for b := range r.Blocks {
			sum := int64(0)
			for seat := range r.Seats {
				sum += r.Game(b, seat%r.Rotations, seat)[2] // the first entrant's finishing rank
			}
			x := par*float64(r.Seats) - float64(sum)
			gains.N, gains.X, gains.XX = gains.N+1, gains.X+x, gains.XX+x*x
		}
		tell(int64(r.Blocks), int64(r.Blocks*r.Rotations))
		return nil
	})
	m := gains.Mean()
	if err != nil {
		return experiment.Row{}, err
	}
	return experiment.Row{
		Label: fmt.Sprintf("%s hands: %s - 3 %s", d.hands, d.player, d.others), Metric: "ranks gained",
		Measured: experiment.Number(m.Mean), CI: m.CI95, Note: fmt.Sprintf("%d games; ends as number %.3f on average", 4*blocks, par-m.Mean.Value),
	}, nil
}
