package daifugo

import (
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Solver finds the possible ranks of every player. What it finds is the same
// for all solvers; what it costs is not.
type Solver interface {
	// Solve searches a position with a limit in nodes.
	Solve(p *Position, limit int64) Solution
}

// Solution is what a Solver found, and at what cost.
type Solution struct {
	Nodes int64
	Depth int    // nodes on the longest path visited
	Over  bool   // the limit was passed: Value is unknown
	Value uint64 // a set of ranks for each seat, Ranks bits each
}

// SolvingOptions are the rules of the game of solving.
type SolvingOptions struct {
	Players int
	Cards   int
	Ranks   int // 0: as many as players
	Limit   int // nodes
}

// censoredFactor is how many times the limit a fixture costs on which the
// limit was passed. It makes an unfinished search lose to any finished one,
// and the mean of many the PAR10 of algorithm configuration (Hutter et al.
// 2009).
const censoredFactor = 10

func (o *SolvingOptions) declare(f *param.Fields) {
	f.Int(&o.Players, "players", 3, param.Range(2, 6), "players")
	f.Int(&o.Cards, "cards", 4, param.Range(1, 8), "kinds of card; nobody holds two of a kind")
	f.Int(&o.Ranks, "ranks", 0, param.Range(0, 6), "number of ranks that are told apart; the last one means that place or a worse one; 0: as many as players")
	f.Int(&o.Limit, "limit", 1<<20, param.Range(1, 1<<40), "nodes after which a search is given up, nodes")
}

// rules that the positions are searched by.
func (o *SolvingOptions) rules() Rules {
	r := Rules{Seats: o.Players, Cards: o.Cards, Ranks: o.Ranks}
	if r.Ranks == 0 {
		r.Ranks = r.Seats
	}
	return r
}

func (o *SolvingOptions) check() error {
	if o.Ranks == 1 {
		return fmt.Errorf("ranks: expected 0, or 2 to %d (the number of players), got 1", o.Players)
	}
	return o.rules().Validate()
}

// Components of solving.
const (
	nodesCost = iota
	depthReached
	limitPassed
)

// Solving is what the arena is told about solving as a game for one seat: a
// block is one opening with unequal hands, no two blocks of a series the same,
// and none of one phase met in another; there is no score, and the cost in nodes is to be
// minimised. Nothing in it is random but the choice of openings.
func Solving() arena.Definition[SolvingOptions, Solver] {
	return arena.Definition[SolvingOptions, Solver]{
		Name:       "daifugo-solve",
		Doc:        "Finding every player's possible ranks in Daifugo openings with unequal hands, in as few nodes as can be; deterministic: a block is one distinct fixture.",
		Source:     "Goto, Inui, Kotani, Game Tree Search for Ranking in Multiplayer Games, sections 3 and 4; unequal hands are ours",
		Declare:    func(o *SolvingOptions, f *param.Fields) { o.declare(f) },
		Check:      (*SolvingOptions).check,
		Seats:      func(*SolvingOptions) int { return 1 },
		Components: []string{"nodes", "depth", "over"},
		Metrics: []arena.Metric{
			{Name: "nodes", Doc: "nodes searched, a search over the limit costing ten times the limit, nodes", Of: "nodes", Lower: true},
			{Name: "depth", Doc: "longest path visited, nodes", Of: "depth", Lower: true},
			{Name: "over", Doc: "share of searches that passed the limit, percent", Of: "over", Scale: 100, Lower: true},
		},
		Unscored: true,
		Referee: func(o *SolvingOptions) (arena.Referee[Solver], error) {
			return &examiner{options: *o, rules: o.rules()}, nil
		},
	}
}

// examiner sets openings.
type examiner struct {
	options SolvingOptions
	rules   Rules
}

// Play implements arena.Referee.
func (e *examiner) Play(fx *arena.Fixture, players []Solver, out *arena.Outcome) error {
	hands, err := opening(e.rules, fx)
	if err != nil {
		return err
	}
	p, err := Deal(e.rules, hands)
	if err != nil {
		return err
	}
	for _, h := range hands {
		out.Transcript.Add(uint64(h))
	}
	s := players[0].Solve(&p, int64(e.options.Limit))
	out.Transcript.Add(uint64(s.Nodes))
	out.Transcript.Add(s.Value)
	counts := out.Counts(0)
	counts[nodesCost], counts[depthReached] = s.Nodes, int64(s.Depth)
	if s.Over {
		counts[nodesCost], counts[limitPassed] = censoredFactor*int64(e.options.Limit), 1
	}
	if fx.Story != nil {
		e.tell(fx, hands, s)
	}
	return nil
}

func (e *examiner) tell(fx *arena.Fixture, hands []Hand, s Solution) {
	for i, h := range hands {
		fx.Story(fmt.Sprintf("seat %d holds %v", i, h.Kinds()))
	}
	if s.Over {
		fx.Story(fmt.Sprintf("not solved within %d nodes", e.options.Limit))
		return
	}
	fx.Story(fmt.Sprintf("solved in %d nodes, to depth %d", s.Nodes, s.Depth))
	for i := range hands {
		var ranks []int
		for k := range e.rules.Ranks {
			if s.Value>>(i*e.rules.Ranks+k)&1 != 0 {
				ranks = append(ranks, k+1)
			}
		}
		fx.Story(fmt.Sprintf("seat %d: ranks %v", i, ranks))
	}
}
