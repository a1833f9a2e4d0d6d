package daifugo

import (
	"fmt"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Bounds of what a Position can hold.
const (
	MaxSeats = 12 // players
	MaxCards = 15 // kinds of card; a Hand has bits 0..14
	maxHeld  = 52 // Seats x Cards: all hands of a position fit the key of Key
	maxWords = 64 // Seats x Ranks: one rank set for every seat fits 64 bits
	MaxRanks = 8  // rank kinds; follows from Ranks <= Seats and MaxWords
)

// Rules are the three numbers the paper varies.
type Rules struct {
	Seats int // players, 2..MaxSeats
	Cards int // kinds of card 1..Cards
	Ranks int // rank kinds 1..Ranks, 2..Seats; rank Ranks reads "Ranks-th or worse"
}

// Validate returns an error that names the number out of bounds and the expected range.
func (r Rules) Validate() error {
	switch {
	case r.Seats < 2 || r.Seats > MaxSeats:
		return fmt.Errorf("daifugo: players: expected 2 to %d, got %d", MaxSeats, r.Seats)
	case r.Cards < 1 || r.Cards > MaxCards:
		return fmt.Errorf("daifugo: cards: expected 1 to %d kinds, got %d", MaxCards, r.Cards)
	case r.Ranks < 2 || r.Ranks > r.Seats:
		return fmt.Errorf("daifugo: ranks: expected 2 to %d (the number of players), got %d", r.Seats, r.Ranks)
	case r.Seats*r.Cards > maxHeld:
		return fmt.Errorf("daifugo: players x cards: expected at most %d cards in all, got %d x %d = %d",
			maxHeld, r.Seats, r.Cards, r.Seats*r.Cards)
	case r.Seats*r.Ranks > maxWords || r.Ranks > MaxRanks:
		return fmt.Errorf("daifugo: players x ranks: expected at most %d, with at most %d ranks, got %d x %d",
			maxWords, MaxRanks, r.Seats, r.Ranks)
	}
	return nil
}

// Deals of the played game.
const (
	Uneven = "uneven" // every kind to every seat by the toss of a coin
	even   = "even"   // the same number of cards for everybody, kinds at random
)

// Options are the rules of the played game.
type Options struct {
	Players int    // 3..6
	Cards   int    // kinds of card
	Ranks   int    // rank kinds; 0: as many as players
	Deal    string // Uneven or Even
	Hand    int    // cards for each seat of an even deal
	Hands   string // OpenHands or HiddenHands; "": OpenHands
}

func (o *Options) declare(f *param.Fields) {
	f.Int(&o.Players, "players", 4, param.Range(3, 6), "players")
	f.Int(&o.Cards, "cards", 6, param.Range(2, 8), "kinds of card; no player holds two of a kind")
	f.Int(&o.Ranks, "ranks", 0, param.Range(0, 6), "number of ranks that are distinguished; the last one means this place or a worse one; 0: as many as players")
	f.Choice(&o.Deal, "deal", Uneven, []string{Uneven, even}, "how the hands are dealt: each player gets each kind of card with a chance of one half, or each player gets the same number of cards")
	f.When("deal", even, func(f *param.Fields) {
		f.Int(&o.Hand, "hand", 3, param.Range(1, 8), "cards dealt to each player, cards")
	})
	f.Choice(&o.Hands, "hands", OpenHands, []string{OpenHands, HiddenHands}, "whether players see all hands, or only their own hand, the number of the others' cards and the cards played", param.Later())
}

func (o *Options) check() error {
	if o.Deal == even && o.Hand > o.Cards {
		return fmt.Errorf("hand: expected at most the %d kinds of card, got %d", o.Cards, o.Hand)
	}
	if o.Ranks == 1 {
		return fmt.Errorf("ranks: expected 0, or 2 to %d (the number of players), got 1", o.Players)
	}
	return o.Rules().Validate()
}

// Rules returns the rules by which the game is played.
func (o *Options) Rules() Rules {
	r := Rules{Seats: o.Players, Cards: o.Cards, Ranks: o.Ranks}
	if r.Ranks == 0 {
		r.Ranks = r.Seats
	}
	return r
}

// Player chooses moves. It sees the whole position: hands are open. See Blind for
// hidden ones.
type Player interface {
	// Choose returns a legal move of the mover's, and the nodes it searched to
	// find it. chance is the seat's own stream, the same throughout a game.
	Choose(p *Position, chance *arena.Stream) (m Move, nodes int64)
}

// Components that the referee counts for each seat.
const (
	finishingRank = iota
	movesMade
	nodesSearched
)

// Purposes of the streams.
const (
	dealing arena.Purpose = iota
	choosing
	guessing // of the deal that a player of open hands takes for the truth
)

// Game returns what the arena is told about the played game.
func Game() arena.Definition[Options, Player] {
	return arena.Definition[Options, Player]{
		Name:        "daifugo",
		Programs:    true,
		Doc:         "Simplified Daifugo with randomly dealt hands, open or hidden; the first player without cards wins.",
		Source:      "Goto, Inui, Kotani, Game Tree Search for Ranking in Multiplayer Games, section 4.1; the random deal is ours",
		Declare:     func(o *Options, f *param.Fields) { o.declare(f) },
		Check:       (*Options).check,
		Seats:       func(o *Options) int { return o.Players },
		SeatsOption: "players",
		FreshChance: true, // a deal is the game, and few cards have few deals
		Components:  []string{"rank", "moves", "nodes"},
		Metrics: []arena.Metric{
			{Name: "rank", Doc: "finishing rank, 1 is first, ranks", Of: "rank", Lower: true},
			{Name: "nodes_per_move", Doc: "nodes searched for a move, nodes", Of: "nodes", Per: "moves", Lower: true},
		},
		Referee: func(o *Options) (arena.Referee[Player], error) {
			return newReferee(o), nil
		},
	}
}

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
	f.Int(&o.Cards, "cards", 4, param.Range(1, 8), "kinds of card; no player holds two of a kind")
	f.Int(&o.Ranks, "ranks", 0, param.Range(0, 6), "number of ranks that are distinguished; the last one means this place or a worse one; 0: as many as players")
	f.Int(&o.Limit, "limit", 1<<20, param.Range(1, 1<<40), "nodes after which a search is given up, nodes")
}

// rules returns the rules by which the positions are searched.
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
	if err := o.rules().Validate(); err != nil {
		return err
	}
	if openings(o.rules()) < 1 {
		return fmt.Errorf("cards: expected at least 2: %d players with %d kind have no opening for each phase", o.Players, o.Cards)
	}
	return nil
}

// Components of solving.
const (
	nodesCost = iota
	depthReached
	limitPassed
)

// Solving returns what the arena is told about solving as a game for one seat: a
// block is one opening with unequal hands, no two blocks of a series the same,
// and none of one phase met in another. There is no score, and the cost in nodes is to be
// minimised. Nothing in it is random but the choice of openings.
func Solving() arena.Definition[SolvingOptions, Solver] {
	return arena.Definition[SolvingOptions, Solver]{
		Name:       "daifugo-solve",
		Doc:        "Finding every player's possible ranks in Daifugo openings with unequal hands, in as few nodes as can be; deterministic: a block is one distinct fixture.",
		Source:     "Goto, Inui, Kotani, Game Tree Search for Ranking in Multiplayer Games, sections 3 and 4; unequal hands are ours",
		Declare:    func(o *SolvingOptions, f *param.Fields) { o.declare(f) },
		Check:      (*SolvingOptions).check,
		Seats:      func(*SolvingOptions) int { return 1 },
		Blocks:     func(o *SolvingOptions) int64 { return openings(o.rules()) },
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
