// Muct is M-UCT, the tree search over unit actions that won the
// tournaments of 2016 and 2017 and comes with TUBSTAP.
//
// A node is a position between two unit actions, not between two turns. For
// each unit action a search grows a tree of Simulations playouts: walk down
// by mean plus exploration, expand a child after more than Expansion visits,
// play out at random with a preference for attacks.
//
// Two trees are offered. The reference equals the program bit for bit. Every node, the enemy's
// too, prefers what is good for the root side; exploration counts all finished simulations; a
// lead equal to the threshold counts as won; and an annihilation is noticed only after both
// sides have moved. The corrected one is the textbook's, and may keep its tree within a turn.
//
//	s := muctSearch{MuctSettings: MuctProgram()}
//	a := s.Run(state, seed)
//
// Sources: Muto and Nishino, M-UCT (GAT 2016; Muto's thesis, UEC 2017);
// Sagehashi, Muto and Nishino 2017, section 3.2; TUBSTAP 0.108. Attack-first
// playouts: Okuda, Ikeda and Hashimoto (IPSJ GI 2022).

package tubstap

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/rollout"
)

// declare binds the settings, also for strategies that have a search within.
func (s *MuctSettings) declare(f *param.Fields) {
	program := MuctProgram()
	f.Int(&s.Simulations, "simulations", 200, param.Log(10, 1_000_000), "playouts for each unit action; the program has 2000, the paper 20000", param.Fixed())
	f.Int(&s.Expansion, "expansion", program.Expansion, param.Range(0, 200), "visits above which a child is expanded, playouts")
	f.Float(&s.C, "c", program.C, param.Range(0, 2), "weight of exploration")
	f.Int(&s.Attack, "attack_rate", program.Attack, param.Range(0, 100), "chance of drawing an attack in a playout where there is one, per cent; 100 is attack first")
	f.Choice(&s.Mode, "mode", reference, []string{reference, corrected}, "reference: the tree of the original program; corrected: that of the textbooks", param.Fixed())
	f.When("mode", corrected, func(f *param.Fields) {
		f.Bool(&s.Reuse, "reuse", true, "keep the tree within a turn", param.Fixed())
	})
	s.Clock.declare(f)
}

// MuctPlayer plays every unit action by a search.
type MuctPlayer struct {
	muctSearch
	turn *arena.Stream
	left float64 // of the turn's time, seconds
}

// Turn implements tubstap.Player.
func (p *MuctPlayer) Turn(_ *tubstap.State, chance *arena.Stream) {
	p.turn = chance
	p.left = p.Clock.Seconds
	p.forget()
}

// Act implements tubstap.Player.
func (p *MuctPlayer) Act(s *tubstap.State) tubstap.Action {
	if p.Clock.runs() {
		p.pace, p.left = p.Clock.spend(p.left, p.Simulations, s)
	}
	return p.goOn(s, p.turn.Uint64())
}

// Muct returns the catalogue's entry.
func Muct() tubstap.Strategy {
	return tubstap.Strategy{
		Name: "muct", Doc: "M-UCT: a tree search over unit actions, one search for each.",
		Source: "Muto and Nishino (GAT 2016); Sagehashi, Muto and Nishino 2017, section 3.2",
		New: func(f *param.Fields, _ *tubstap.Options) arena.Maker[tubstap.Player] {
			p := &MuctPlayer{}
			p.declare(f)
			return arena.Made[tubstap.Player](p)
		},
		Sign: param.Values{{Name: "simulations", Text: "30"}},
	}
}

// clock is the original program's time for a turn as a number of playouts, so
// that the same seed plays the same game on any machine.
//
// The program stops a search when it has lasted longer than what is left of the
// turn's 9.7 seconds, divided by the mover's units that have not acted. A playout
// takes it about as long as the square of the units on the board. It makes a new
// generator for each playout and seeds it by a clock that moves every 15.6 ms, so
// that all playouts of such a moment draw the same numbers.
//
// Source: TUBSTAP 0.108, the class of M-UCT.
type clock struct {
	Seconds float64 // for each turn; 0 is no clock
	Rate    float64 // playouts a second with 24 units on the board
	Shared  float64 // milliseconds whose playouts draw the same numbers; 0 is none
}

// declare binds the clock's parameters. They came after muct was in use: without a
// clock its values are what they were.
func (c *clock) declare(f *param.Fields) {
	f.Float(&c.Seconds, "seconds_a_turn", 0, param.Range(0, 100_000), "time for each turn, divided among the units that have not acted and counted in playouts, seconds; 0 is no clock, the program has 9.7", param.Fixed(), param.Later())
	f.Float(&c.Rate, "playouts_a_second", 850, param.Log(1, 1_000_000), "speed of the clock's playouts with 24 units on the board; with fewer they are faster by the square of their number, playouts/s", param.Fixed(), param.Later())
	f.Float(&c.Shared, "shared_ms", 0, param.Range(0, 1000), "the playouts of so many milliseconds of the clock draw the same numbers, ms; the program has 15.6", param.Fixed(), param.Later())
}

// runs reports whether there is a clock.
func (c *clock) runs() bool { return c.Seconds > 0 }

// pace is what the clock leaves to one search.
type pace struct {
	playouts int // at most
	shared   int // consecutive playouts that draw the same numbers; 0 is none
}

// spend gives a search its share of what is left of the turn's time, and tells
// what is left after it. A search has at least one playout.
func (c *clock) spend(left float64, simulations int, s *tubstap.State) (pace, float64) {
	units := float64(s.Alive(tubstap.Red) + s.Alive(tubstap.Blue))
	rate := float64(c.Rate * (24 * 24) / (units * units))
	share := max(0, left) / float64(s.Unmoved(s.Mover()))
	p := pace{playouts: simulations}
	if most := float64(rate * share); most < float64(simulations) {
		p.playouts = max(1, int(most))
	}
	if c.Shared > 0 {
		p.shared = max(1, int(rate*c.Shared/1000))
	}
	return p, left - float64(p.playouts)/rate
}

// tree is a search tree in flat arrays: the children of a node stand side by
// side, so that choosing one reads memory in order. Nothing is allocated in
// a simulation but the growth of the arrays, which are kept between searches.
type tree struct {
	nodes []muctNode
	// By child.
	moves  []rollout.Move
	visits []int32
	total  []int32   // rewards of the root side, in halves
	mean   []float64 // total / 2 / visits
	below  []int32   // node under the child, 0 for none
	// Exploration terms by number of visits, good while stamp is current.
	explore []float64
	stamp   []int32
}

// muctNode is an expanded position.
type muctNode struct {
	first, count int32 // its children
	next         int32 // children already visited; they are visited in order first
	visits       int32 // of a corrected search
	how          rollout.Expansion
}

func (t *tree) clear() {
	t.nodes = t.nodes[:0]
	t.moves = t.moves[:0]
	clear(t.stamp)
}

// zeroed returns s with at least n entries, of which those from first on are zero.
func zeroed[T int32 | float64](s []T, first, n int) []T {
	if len(s) < n {
		s = append(s, make([]T, n-len(s))...)
	}
	clear(s[first:n])
	return s
}

// add makes a node of the moves that were appended from first on.
func (t *tree) add(first int, how rollout.Expansion) int32 {
	n := len(t.moves)
	t.visits = zeroed(t.visits, first, n)
	t.total = zeroed(t.total, first, n)
	t.mean = zeroed(t.mean, first, n)
	t.below = zeroed(t.below, first, n)
	t.nodes = append(t.nodes, muctNode{first: int32(first), count: int32(n - first), how: how})
	return int32(len(t.nodes) - 1)
}

// score adds a reward in halves to a child.
func (t *tree) score(child int32, reward int) {
	t.visits[child]++
	t.total[child] += int32(reward)
	t.mean[child] = float64(t.total[child]) / 2 / float64(t.visits[child])
}

// term returns c times the root of log / visits, computed once for each number of
// visits in a simulation.
func (t *tree) term(visits, now int32, c, log float64) float64 {
	if t.stamp[visits] != now {
		t.stamp[visits] = now
		t.explore[visits] = float64(c * math.Sqrt(log/float64(visits)))
	}
	return t.explore[visits]
}

// pick returns the child of greatest mean plus exploration, the first of equals;
// an unvisited one comes before all. sign -1 makes the mover minimise the
// root side's reward.
func (t *tree) pick(n *muctNode, now int32, c, log float64, minimise bool) int32 {
	if n.next < n.count {
		n.next++
		return n.first + n.next - 1
	}
	first, last := n.first, n.first+n.count
	visits, mean := t.visits[first:last], t.mean[first:last]
	stamp, explore := t.stamp, t.explore
	best, at := math.Inf(-1), 0
	for i, v := range visits {
		if stamp[v] != now {
			t.term(v, now, c, log)
		}
		m := mean[i]
		if minimise {
			m = 1 - m
		}
		if u := m + explore[v]; u > best {
			best, at = u, i
		}
	}
	return first + int32(at)
}

// reserve makes room for exploration terms up to the number of visits.
func (t *tree) reserve(visits int) {
	if len(t.stamp) <= visits {
		t.stamp = make([]int32, visits+1)
		t.explore = make([]float64, visits+1)
	}
}
