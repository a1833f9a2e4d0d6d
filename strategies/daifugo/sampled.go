package daifugo

import (
	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
	"sakusen/engines/param"
)

// Sampled plays with hidden hands: it draws deals that it holds possible,
// judges its moves in each as if hands were open, and plays the move that is best
// over all of them (determinisation, or perfect-information Monte Carlo). With open
// hands there is one deal to judge, the true one.
//
//	rules.Entrant("sampled(deals=30,judge=playout)")
//
// Its weakness is known from card games with hidden hands: in every sampled deal
// all players, the searching one included, know all hands, so that it never plays to learn
// or to conceal.
//
// Source: M. L. Ginsberg, "GIB: Imperfect information in a computationally
// challenging game", 2001, for sampling deals; the ways to judge are ours, with S(P)
// of Goto, Inui, Kotani, "Game Tree Search for Ranking in Multiplayer Games",
// equation (5), for solving.

// Ways to judge the moves of one deal.
const (
	judgePlayout = "playout"
	judgeRanks   = "ranks"
	judgeGreedy  = "greedy"
)

// Sampled returns the strategy's entry in the catalogue.
func Sampled() arena.Strategy[daifugo.Options, daifugo.Player] {
	return arena.Strategy[daifugo.Options, daifugo.Player]{
		Name:   "sampled",
		Doc:    "Draws deals that it holds possible, judges its moves in each, and plays the best over all; made for hands=hidden.",
		Source: "Ginsberg, GIB, for sampling deals; Goto, Inui, Kotani, equation (5), for solving them; playouts are ours",
		New: func(f *param.Fields, o *daifugo.Options) arena.Maker[daifugo.Player] {
			var c sampledConfig
			c.declare(f)
			return func() (daifugo.Player, error) { return c.player(o), nil }
		},
	}
}

type sampledConfig struct {
	deals, nodes, spendBelow int
	judge                    string
}

// declare binds the parameters.
func (c *sampledConfig) declare(f *param.Fields) {
	f.Int(&c.deals, "deals", 30, param.Log(1, 1000), "deals drawn for one move, deals")
	f.Choice(&c.judge, "judge", judgePlayout, []string{judgePlayout, judgeRanks, judgeGreedy},
		"how moves are judged in a deal: by the rank that is reached when everybody goes on as greedy-out; by solving it, where a move counts if no other is clearly better; or by which move greedy-out plays")
	f.When("judge", judgeRanks, func(f *param.Fields) {
		f.Int(&c.nodes, "nodes", 1000, param.Log(10, 1e6), "nodes searched for each deal, nodes")
	})
	f.Int(&c.spendBelow, "spend_below", 2, param.Range(1, 8), "of the player greedy-out: it plays a card that nobody can beat once it holds at most this many others, cards")
}

// player makes a player.
func (c *sampledConfig) player(o *daifugo.Options) *sampledPlayer {
	r := o.Rules()
	pl := &sampledPlayer{sampledConfig: *c, ranks: r.Ranks}
	if c.judge == judgeRanks {
		pl.chooser = newChooser(r, searchPlan{Budget: c.nodes, Step: 2, Order: Ascending, Bits: 12, Guess: everything})
	}
	return pl
}

type sampledPlayer struct {
	sampledConfig
	ranks   int
	chooser *chooser
	moves   []daifugo.Move
	points  []int64 // by move, the more the better
}

// Choose implements daifugo.Player: hands are open, and the deal is known.
func (pl *sampledPlayer) Choose(p *daifugo.Position, _ *arena.Stream) (daifugo.Move, int64) {
	if pl.begin(p.Moves(pl.moves[:0])) {
		return pl.moves[0], 0
	}
	nodes := pl.judgeDeal(p)
	return pl.best(), nodes
}

// ChooseBlind implements daifugo.Blind.
func (pl *sampledPlayer) ChooseBlind(v *daifugo.View, chance *arena.Stream) (daifugo.Move, int64) {
	if pl.begin(v.Moves(pl.moves[:0])) {
		return pl.moves[0], 0
	}
	var nodes int64
	for range pl.deals {
		p := v.Deal(chance)
		nodes += pl.judgeDeal(&p)
	}
	return pl.best(), nodes
}

// begin starts the count, and tells whether there is no choice.
func (pl *sampledPlayer) begin(moves []daifugo.Move) bool {
	pl.moves = moves
	pl.points = append(pl.points[:0], make([]int64, len(moves))...)
	return len(moves) == 1
}

// weigh is larger than any number of deals times points: what is clearly better
// goes before what greedy-out would play.
const weigh = 1 << 20

// judgeDeal adds one deal's points, and returns the nodes or moves that it took.
func (pl *sampledPlayer) judgeDeal(p *daifugo.Position) int64 {
	var nodes int64
	switch pl.judge {
	case judgePlayout:
		for i, m := range pl.moves {
			rank, played := pl.playout(*p, m)
			pl.points[i] -= weigh * int64(rank)
			nodes += played
		}
	case judgeRanks:
		pl.chooser.look(p)
		nodes = int64(pl.chooser.Nodes)
		for i := range pl.moves { // the chooser's moves are in the same order
			if keeps(pl.chooser.Values, i, p.Turn(), pl.ranks) {
				pl.points[i] += weigh
			}
		}
	}
	greedy := move(p, pl.spendBelow)
	for i, m := range pl.moves {
		if m == greedy {
			pl.points[i]++
		}
	}
	return nodes
}

// playout returns the mover's rank after a move and greedy-out by all players.
func (pl *sampledPlayer) playout(p daifugo.Position, m daifugo.Move) (rank int, moves int64) {
	seat := p.Turn()
	for p.Play(m); !p.Over() && p.Rank(seat) == 0; p.Play(move(&p, pl.spendBelow)) {
		moves++
	}
	return p.Rank(seat), moves + 1
}

// best returns the move with the most points, the first of equal ones.
func (pl *sampledPlayer) best() daifugo.Move {
	at := 0
	for i := range pl.points {
		if pl.points[i] > pl.points[at] {
			at = i
		}
	}
	return pl.moves[at]
}

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

// texts returns the choices as parameters have them.
func texts[S ~string](choices []S) []string {
	t := make([]string, len(choices))
	for i, c := range choices {
		t[i] = string(c)
	}
	return t
}
