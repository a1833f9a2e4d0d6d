package daifugo

import (
	"context"
	"fmt"
	"math"

	"sakusen/engines/arena"
	game "sakusen/engines/daifugo"
	"sakusen/engines/param"
	"sakusen/strategies/daifugo"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// Experiments returns the tables of the ranking search, and what goes beyond them.
func Experiments() ([]experiment.Experiment, error) {
	all, err := tables()
	if err != nil {
		return nil, err
	}
	var list []experiment.Experiment
	for _, t := range all {
		list = append(list, t.experiment())
	}
	return append(list, hashing(), hidden()), nil
}

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

// hidden measures players who do not see the others' hands.
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
	rules, errs := arena.Enter(game.Game(), daifugo.Random(), daifugo.Lowest(), daifugo.GreedyOut(), daifugo.RankSet(), daifugo.Sampled()).
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

// A memory is a transposition table as the paper may have had it.
type memory struct {
	bits, probes int
	replace      daifugo.Replace
}

func (m memory) String() string {
	return fmt.Sprintf("2^%d slots, %d probes, overwrites the %s", m.bits, m.probes, m.replace)
}

// memories returns the tables that are tried: the printed one, and smaller ones or with
// fewer probes.
func memories() []memory {
	list := []memory{{daifugo.PaperBits, daifugo.PaperProbes, daifugo.ReplaceHome}}
	for _, bits := range []int{20, 19, 21, 18} {
		list = append(list, memory{bits, 1, daifugo.ReplaceHome})
	}
	return append(list, memory{18, daifugo.PaperProbes, daifugo.ReplaceLast})
}

// dependent returns the cells whose printed figures no table that never forgets gives, each
// once; misprints are no matter of the table.
func dependent() ([]cell, error) {
	all, err := allCells()
	if err != nil {
		return nil, err
	}
	type search struct {
		rules  game.Rules
		method daifugo.Method
	}
	seen := map[search]bool{}
	var list []cell
	for _, c := range all {
		s := search{c.Rules, c.Method}
		if c.Method.Remembers() && c.Printed != c.Expected && c.Note == unpublished && !seen[s] {
			seen[s] = true
			list = append(list, c)
		}
	}
	return list, nil
}

// hashing reports which table the paper's counts speak for.
func hashing() experiment.Experiment {
	return experiment.Experiment{
		Name: "daifugo-hash",
		Doc: "Which transposition table (slots, probes, rule of overwriting) gives the paper's node counts that depend on one: each cell under " +
			"--games numbered hash functions; a cell fits whose printed count lies within the 99 % prediction interval of another hash function.",
		Source: source, Games: 4, Fresh: true,
		Run: func(ctx context.Context, o experiment.Options, add func(experiment.Row)) error {
			cells, err := dependent()
			if err != nil {
				return err
			}
			hashes := int(max(2, o.Games))
			all := memories()
			for i, m := range all {
				fits, err := experiment.RunCached(ctx, o, fmt.Sprintf("%v, %d hashes", m, hashes), func() ([]fit, error) { return m.fits(ctx, cells, hashes) })
				if err != nil {
					return err
				}
				add(m.row(cells, fits))
				if o.Progress != nil {
					o.Progress(int64(i+1), int64(len(all)), 0)
				}
			}
			return nil
		},
	}
}

// A fit is what a table gives for one cell over hash functions.
type fit struct {
	Mean, SD float64 // of the nodes, relative to the printed count
	Low      uint64  // fewest and most nodes
	High     uint64
	Hashes   int // that ended within the paper's limit
	Depths   int // of them with the printed depth
}

// fits searches the cells with hash functions 1 and up.
func (m memory) fits(ctx context.Context, cells []cell, hashes int) ([]fit, error) {
	out := make([]fit, len(cells))
	for i, c := range cells {
		p, err := game.New(c.Rules)
		if err != nil {
			return nil, err
		}
		f := fit{Low: math.MaxUint64}
		var sum, squares float64
		for hash := range hashes {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			r := daifugo.Search(p, daifugo.Options{Method: c.Method, Limit: daifugo.PaperLimit,
				Bits: m.bits, Probes: m.probes, Replace: m.replace, Hash: uint64(hash + 1)})
			if r.Over {
				continue
			}
			x := float64(r.Nodes)/float64(c.Printed.Nodes) - 1
			sum, squares = sum+x, squares+x*x
			f.Low, f.High, f.Hashes = min(f.Low, r.Nodes), max(f.High, r.Nodes), f.Hashes+1
			if r.Depth == c.Printed.Depth {
				f.Depths++
			}
		}
		if n := float64(f.Hashes); n > 1 {
			f.Mean = sum / n
			f.SD = math.Sqrt(max(0, squares-n*f.Mean*f.Mean) / (n - 1))
		}
		out[i] = f
	}
	return out, nil
}

// deviations returns how far a printed count is from the counts of the hash functions, in
// standard deviations of one more.
func (f fit) deviations() float64 {
	if f.Hashes < 2 {
		return math.Inf(1)
	}
	if f.Mean == 0 {
		return 0
	}
	return math.Abs(f.Mean) / (f.SD * math.Sqrt(1+1/float64(f.Hashes)))
}

// row reports how many cells a table fits, and how far it is off on average.
func (m memory) row(cells []cell, fits []fit) experiment.Row {
	fitting, depths, off, worst := 0, 0, 0.0, 0.0
	counted := 0
	note := ""
	for i, f := range fits {
		if f.deviations() <= stats.Care(int64(max(2, f.Hashes)))*experiment.Agreement {
			fitting++
		}
		if f.Depths > 0 {
			depths++
		}
		if f.Hashes > 1 {
			off += f.Mean
			counted++
			if math.Abs(f.Mean) > math.Abs(worst) {
				worst = f.Mean
				note = cells[i].column() + ", " + string(cells[i].Method)
			}
		}
	}
	return experiment.Row{
		Label: m.String(), Metric: fmt.Sprintf("counts of %d", len(fits)), Printed: experiment.Integer(int64(len(fits))),
		Measured: experiment.Integer(int64(fitting)), Agrees: &[]bool{fitting == len(fits)}[0],
		Note: fmt.Sprintf("%d printed depths seen; counts %+.2f %% off on average, at worst %+.1f %% (%s)", depths, 100*off/float64(max(1, counted)), 100*worst, note),
	}
}
