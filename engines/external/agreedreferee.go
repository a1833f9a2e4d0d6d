package external

import (
	"fmt"
	"hash/fnv"
	"slices"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
)

// referee plays games and asks both programs how they stand.
type referee struct {
	rules *rules // with the clocks of the game that is played
	limit chess.Limit
	view  [2]view
}

// Play implements arena.Referee.
func (ref *referee) Play(fx *arena.Fixture, players []agreedPlayer, out *arena.Outcome) error {
	ref.begin(fx)
	for seat, p := range players {
		if err := p.Begin(&ref.view[seat]); err != nil {
			for before := range seat {
				players[before].End(&ref.view[before])
			}
			return err
		}
	}
	defer func() {
		for seat, p := range players {
			p.End(&ref.view[seat])
		}
	}()
	out.Transcript.Add(hashText(ref.view[0].Start))
	for _, m := range ref.view[0].Moves {
		out.Transcript.Add(hashText(m))
	}
	g := &game{referee: ref, fx: fx, players: players, out: out}
	for !g.look() {
		g.move()
		if g.over {
			break
		}
		if len(ref.view[0].Moves)-ref.view[0].Opening >= ref.rules.plies {
			g.end(drawn, "too long")
			break
		}
	}
	return nil
}

// begin sets up the opening.
func (ref *referee) begin(fx *arena.Fixture) {
	scaled := *ref.rules
	l := &scaled.thinking
	l.MoveTime, l.Clock, l.Increment = fx.Scaled(ref.limit.MoveTime), fx.Scaled(ref.limit.Clock), fx.Scaled(ref.limit.Increment)
	ref.rules = &scaled
	index := fx.Start()
	var s start
	if ref.rules.isGo {
		s.moves = ref.rules.spread.moves(index)
	} else {
		s = ref.rules.starts[index]
	}
	for seat := range ref.view {
		clock := ref.rules.thinking.Clock
		ref.view[seat] = view{Rules: ref.rules, Seat: seat, Start: s.position, Moves: slices.Clone(s.moves), Opening: len(s.moves),
			Turn: len(s.moves) % 2, Clock: [2]int64{clock, clock}}
	}
	if fx.Story != nil {
		fx.Story(fmt.Sprintf("opening: %s %v", s.position, s.moves))
	}
}

// game is a game being played.
type game struct {
	*referee
	fx      *arena.Fixture
	players []agreedPlayer
	out     *arena.Outcome
	over    bool
}

// look asks both programs how the game stands, and tells whether it is over.
func (g *game) look() bool {
	var said [2]verdict
	for seat, p := range g.players {
		if said[seat] = p.Verdict(&g.view[seat]); said[seat].Fault != chess.Open {
			g.fault(seat, said[seat].Fault, said[seat].Said)
			return true
		}
	}
	a, b := said[0], said[1]
	switch {
	case a.State == unknown && b.State == unknown:
		return false
	case a.State == unknown:
		a = b
	case b.State == unknown:
	case a.State != b.State:
		g.dispute(fmt.Sprintf("the first player's program says %s, the second's %s", a.told(), b.told()))
		return true
	case a.State == openGame && a.Turn != b.Turn && a.Turn >= 0 && b.Turn >= 0:
		g.dispute("the programs do not agree whose turn it is")
		return true
	}
	if a.State == openGame {
		if a.Turn >= 0 {
			g.view[0].Turn, g.view[1].Turn = a.Turn, a.Turn
		}
		return false
	}
	g.end(a.State, a.Said)
	return true
}

func (v verdict) told() string {
	if v.Said != "" {
		return fmt.Sprintf("%s (%s)", v.State, v.Said)
	}
	return v.State.String()
}

// move asks for a move and tells the other program.
func (g *game) move() {
	turn := g.view[0].Turn
	r := g.players[turn].Move(&g.view[turn])
	if limit := g.rules.thinking; limit.Clock > 0 && r.Fault == chess.Open {
		left := g.view[turn].Clock[turn] - r.Spent
		if left < 0 {
			r.Fault = chess.OutOfTime
		}
		for v := range g.view {
			g.view[v].Clock[turn] = left + limit.Increment
		}
	}
	switch {
	case r.Fault != chess.Open:
		g.fault(turn, r.Fault, r.Said)
		return
	case r.Resigned:
		g.end(firstWins+state(1-turn), "resigned")
		return
	case r.Claims:
		g.end(firstWins+state(turn), "claimed by the winner's program")
		return
	}
	g.out.Counts(turn)[movesMade]++
	g.out.Transcript.Add(hashText(r.Move))
	for seat := range g.view {
		g.view[seat].Moves = append(g.view[seat].Moves, r.Move)
		g.view[seat].Turn = 1 - turn
	}
	if g.fx.Story != nil {
		g.fx.Story(fmt.Sprintf("%d. %s", len(g.view[0].Moves), r.Move))
	}
	if g.fx.Watch != nil {
		g.fx.Watch(moved{Seat: turn, Move: r.Move})
	}
	other := 1 - turn
	switch said := g.players[other].Moved(&g.view[other]); {
	case said.Fault != chess.Open:
		g.fault(other, said.Fault, said.Said)
	case said.Refused:
		g.dispute(fmt.Sprintf("the move %s is illegal for the other program: %s", r.Move, said.Said))
	}
}

// moved is the event of a move, for those who watch.
type moved struct {
	Seat int
	Move string
}

// fault ends the game by a fault of a program.
func (g *game) fault(seat int, kind chess.Ending, said string) {
	g.out.Faults[seat] = true
	counts := g.out.Counts(seat)
	counts[faultsMade]++
	if i := firstFault + int(kind-chess.Crashed); kind >= chess.Crashed && i < disputed {
		counts[i]++
	}
	g.out.Void = g.rules.faults == "void"
	g.end(firstWins+state(1-seat), kind.String()+": "+said)
}

// dispute ends the game because the programs do not agree.
func (g *game) dispute(said string) {
	for seat := range g.players {
		g.out.Counts(seat)[disputed]++
	}
	g.out.Void = true
	g.end(drawn, "void: "+said)
}

// end gives the scores.
func (g *game) end(s state, said string) {
	g.over = true
	g.out.Transcript.Add(uint64(s) << 32)
	g.out.Share(func(seat int) bool { return s == drawn || s == firstWins+state(seat) })
	if g.fx.Story != nil {
		g.fx.Story(fmt.Sprintf("%s (%s)", s, said))
	}
}

// hashText returns FNV-1a of a text.
func hashText(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

// spread is all openings of go that place stones of both colours in turns on points
// that are not at the edge. So few stones there capture nothing in any order, so that
// no rules are needed.
type spread struct {
	inner         int // lines of the board without the outer ones
	stones, black int
	total         int64
	step, from    int64 // the order in which they are dealt out, a permutation
}

func newSpread(size, stones int, seed uint64) spread {
	s := spread{inner: size - 2, stones: stones, black: (stones + 1) / 2}
	s.total = choose(s.inner*s.inner, stones) * choose(stones, s.black)
	chance := arena.NewStream(seed, 0)
	s.from = int64(chance.Uint64() % uint64(s.total))
	for s.step = 1 + int64(chance.Uint64()%uint64(s.total)); gcd(s.step, s.total) != 1; {
		s.step++
	}
	return s
}

// moves returns the vertices of an opening, Black's first.
func (s *spread) moves(index int64) []string {
	// total stays below 1e11 for 6 stones on 25 lines; the product is taken in parts.
	rank := (mulmod(index%s.total, s.step%s.total, s.total) + s.from) % s.total
	colours := choose(s.stones, s.black)
	points := combination(rank/colours, s.inner*s.inner, s.stones)
	isBlack := map[int]bool{}
	for _, i := range combination(rank%colours, s.stones, s.black) {
		isBlack[i] = true
	}
	var sides [2][]string
	for i, p := range points {
		side := 1
		if isBlack[i] {
			side = 0
		}
		sides[side] = append(sides[side], vertex(p%s.inner+1, p/s.inner+1))
	}
	var moves []string
	for i := range s.stones {
		moves = append(moves, sides[i%2][i/2])
	}
	return moves
}

// vertex returns a point as GTP writes it: letters without I, lines from 1.
func vertex(column, line int) string {
	return fmt.Sprintf("%c%d", "ABCDEFGHJKLMNOPQRSTUVWXYZ"[column], line+1)
}

// combination returns the rank-th set of k of the numbers below n, in order.
func combination(rank int64, n, k int) []int {
	var set []int
	for at := 0; len(set) < k; at++ {
		if with := choose(n-at-1, k-len(set)-1); rank < with {
			set = append(set, at)
		} else {
			rank -= with
		}
	}
	return set
}

// choose returns the number of sets of k of n things.
func choose(n, k int) int64 {
	if k < 0 || k > n {
		return 0
	}
	c := int64(1)
	for i := range int64(k) {
		c = c * (int64(n) - i) / (i + 1)
	}
	return c
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// mulmod returns a*b mod m without leaving 64 bits.
func mulmod(a, b, m int64) int64 {
	r := int64(0)
	for ; b > 0; b >>= 1 {
		if b&1 == 1 {
			r = (r + a) % m
		}
		a = a * 2 % m
	}
	return r
}
