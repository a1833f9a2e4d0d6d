package daifugo

import (
	"context"
	"fmt"
	"math"

	game "sakusen/engines/daifugo"
	"sakusen/strategies/daifugo/ranking"
	"sakusen/studies/daifugo/tables"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// A memory is a transposition table as the paper may have had it.
type memory struct {
	bits, probes int
	replace      ranking.Replace
}

func (m memory) String() string {
	return fmt.Sprintf("2^%d slots, %d probes, overwrites the %s", m.bits, m.probes, m.replace)
}

// memories are the tables that are tried: the printed one, and smaller ones or with
// fewer probes.
func memories() []memory {
	list := []memory{{ranking.PaperBits, ranking.PaperProbes, ranking.ReplaceHome}}
	for _, bits := range []int{20, 19, 21, 18} {
		list = append(list, memory{bits, 1, ranking.ReplaceHome})
	}
	return append(list, memory{18, ranking.PaperProbes, ranking.ReplaceLast})
}

// dependent are the cells whose printed figures no table that never forgets gives, each
// once; misprints are no matter of the table.
func dependent() ([]tables.Cell, error) {
	all, err := tables.Cells()
	if err != nil {
		return nil, err
	}
	type search struct {
		rules  game.Rules
		method ranking.Method
	}
	seen := map[search]bool{}
	var list []tables.Cell
	for _, c := range all {
		s := search{c.Rules, c.Method}
		if c.Method.Remembers() && c.Printed != c.Expected && c.Note == tables.Unpublished && !seen[s] {
			seen[s] = true
			list = append(list, c)
		}
	}
	return list, nil
}

// hashing says which table the paper's counts speak for.
func hashing() experiment.Experiment {
	return experiment.Experiment{
		Name: "daifugo-hash",
		Doc: "Which transposition table (slots, probes, rule of overwriting) gives the paper's node counts that depend on one: each cell under " +
			"--games numbered hash functions; a cell fits whose printed count lies within the 99 % prediction interval of another hash function.",
		Source: tables.Source, Games: 4, Fresh: true,
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
func (m memory) fits(ctx context.Context, cells []tables.Cell, hashes int) ([]fit, error) {
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
			r := ranking.Search(p, ranking.Options{Method: c.Method, Limit: ranking.PaperLimit,
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

// deviations is how far a printed count is from the counts of the hash functions, in
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

// row says how many cells a table fits, and how far it is off on average.
func (m memory) row(cells []tables.Cell, fits []fit) experiment.Row {
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
				note = cells[i].Column() + ", " + string(cells[i].Method)
			}
		}
	}
	return experiment.Row{
		Label: m.String(), Metric: fmt.Sprintf("counts of %d", len(fits)), Printed: experiment.Integer(int64(len(fits))),
		Measured: experiment.Integer(int64(fitting)), Agrees: &[]bool{fitting == len(fits)}[0],
		Note: fmt.Sprintf("%d printed depths seen; counts %+.2f %% off on average, at worst %+.1f %% (%s)", depths, 100*off/float64(max(1, counted)), 100*worst, note),
	}
}
