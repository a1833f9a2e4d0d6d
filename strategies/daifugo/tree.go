package daifugo

import (
	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
	"sakusen/engines/param"
)

// Tree solves Daifugo openings by tree search: the paper's methods with
// their options as parameters, and the two ideas that the paper leaves for
// later, so that a study can ask which of them save nodes.
//
//	rules.Entrant("tree(deepen=false,key=canonical,open=true)")
//
// Its defaults are the paper's prune+tt with an exact table. Every setting
// finds the same ranks; only the cost differs.
//
// Source: Goto, Inui, Kotani, "Game Tree Search for Ranking in Multiplayer
// Games", sections 3, 4.2 and 6.
func Tree() arena.Strategy[daifugo.SolvingOptions, daifugo.Solver] {
	return arena.Strategy[daifugo.SolvingOptions, daifugo.Solver]{
		Name:   "tree",
		Doc:    "Searches the tree with pruning; deepening, table and order of moves are parameters.",
		Source: "Goto, Inui, Kotani, sections 3, 4.2 and 6",
		New: func(f *param.Fields, _ *daifugo.SolvingOptions) arena.Maker[daifugo.Solver] {
			var c treeConfig
			f.Choice(&c.order, "order", string(Ascending), texts(Orders()), "order of moves: small cards first, pass last; high cards first, pass last; pass first")
			f.Bool(&c.open, "open", false, "also prune where somebody is out: stop when the player to move has the best open rank and the others can get any rank below it")
			f.Bool(&c.remember, "remember", true, "keep a transposition table")
			f.When("remember", "true", func(f *param.Fields) {
				f.Choice(&c.key, "key", string(PaperKey), texts(Keys()), "positions that share an entry of the table: equal ones, or all that continue alike")
				f.Int(&c.bits, "bits", 0, param.Range(0, 22), "log2 of the table's entries, bits; 0: unbounded")
				f.Choice(&c.replace, "replace", string(ReplaceHome), texts(Replaces()), "entry that a full table drops: the first one looked at, the last one, the one with the fewest cards left, or the new one")
			})
			f.Bool(&c.deepen, "deepen", false, "search by iterative deepening")
			f.When("deepen", "true", func(f *param.Fields) {
				f.Int(&c.step, "step", 2, param.Range(1, 16), "plies between two thresholds, plies")
				f.Bool(&c.interior, "interior", false, "use the ranks given so far to limit what unsearched positions can be")
			})
			return func() (daifugo.Solver, error) {
				o := Options{Method: prune, Step: c.step, Order: order(c.order), Bits: c.bits,
					Replace: Replace(c.replace), Key: key(c.key), Open: c.open, Interior: c.interior}
				switch {
				case c.deepen && c.remember:
					o.Method = pruneTI
				case c.deepen:
					o.Method = pruneID
				case c.remember:
					o.Method = pruneTT
				}
				return treeSolver{o}, o.Validate()
			}
		},
	}
}

type treeConfig struct {
	deepen, remember bool
	step             int
	bits             int
	replace, key     string
	order            string
	open, interior   bool
}

type treeSolver struct{ Options }

// Solve implements daifugo.Solver.
func (s treeSolver) Solve(p *daifugo.Position, limit int64) daifugo.Solution {
	s.Limit = uint64(limit)
	r := Search(*p, s.Options)
	return daifugo.Solution{Nodes: int64(r.Nodes), Depth: r.Depth, Over: r.Over, Value: uint64(r.Value)}
}

// texts are the choices as parameters have them.
func texts[S ~string](choices []S) []string {
	t := make([]string, len(choices))
	for i, c := range choices {
		t[i] = string(c)
	}
	return t
}
