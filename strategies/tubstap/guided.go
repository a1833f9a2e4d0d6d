// Guided is the strongest player here, the yardstick of the others:
// M-UCT's tree over unit actions, led by prior chances and scored by short
// playouts.
//
// A child's prior comes from what the action wins at once (weighted HP taken less HP lost), as
// F-UCT starts its children from a fuzzy value and PV-MCTS from a policy; it is weighed against
// the mean as in PUCT. A playout has only a few half-turns, and is scored by the lead in
// weighted HP, through a logistic curve, as in depth-limited Monte Carlo. Played to the end at
// random, the effect of one action drowns in noise.
//
//	p := guidedPlayer{guidedSettings: tuned()}
//
// Sources: Muto, F-UCT (thesis, UEC 2017); Kimura and Ikeda, PV-MCTS for
// TUBSTAP (ICAART 2020); PUCT: Rosin (2011), Silver et al. (2017); M3Lee's
// weights (GAT 2016).

package tubstap

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/rollout"
)

// guidedSettings are the player's parameters.
type guidedSettings struct {
	Simulations int     // playouts for each unit action
	Expansion   int     // visits from which on a child is expanded, playouts
	C           float64 // weight of the prior
	Temperature float64 // gain that makes an attack e times as likely to be tried, tenths of HP
	HalfTurns   int     // length of a playout, half-turns
	Candidates  int     // attacks drawn for one action of a playout
	Attack      int     // chance of drawing an attack in a playout, per cent
	Scale       float64 // lead that is worth a chance of winning of 73 per cent, tenths of HP
	Flatness    int     // share of equal weights in the kinds' weights, per cent
}

// declare binds the settings.
func (s *guidedSettings) declare(f *param.Fields) {
	tuned := tuned()
	f.Int(&s.Simulations, "simulations", tuned.Simulations, param.Log(10, 1_000_000), "playouts for each unit action", param.Fixed())
	f.Int(&s.Expansion, "expansion", tuned.Expansion, param.Range(1, 100), "visits from which on a child is expanded, playouts")
	f.Float(&s.C, "c", tuned.C, param.Range(0, 5), "weight of the prior chances")
	f.Float(&s.Temperature, "temperature", tuned.Temperature, param.Range(1, 500), "gain that makes an attack e times as likely to be tried, tenths of HP")
	f.Int(&s.HalfTurns, "half_turns", tuned.HalfTurns, param.Range(1, 50), "length of a playout, half-turns")
	f.Int(&s.Attack, "attack_rate", tuned.Attack, param.Range(0, 100), "chance of drawing an attack in a playout where there is one, per cent")
	f.Int(&s.Candidates, "candidates", tuned.Candidates, param.Range(1, 10), "attacks drawn for one action of a playout, of which the best is made")
	f.Float(&s.Scale, "scale", tuned.Scale, param.Range(1, 1000), "lead that is worth a chance of winning of 73 per cent, tenths of HP")
	f.Int(&s.Flatness, "flatness", tuned.Flatness, param.Range(0, 100), "how far the weights of the kinds of unit are made equal, per cent")
}

// m3lee are the weights of the kinds' HP in M3Lee, in tenths.
var m3lee = rollout.Weights{20, 20, 15, 10, 7, 2}

// weights mixes M3Lee's weights with equal ones.
func (s *guidedSettings) weights() rollout.Weights {
	var w rollout.Weights
	for k := range w {
		w[k] = (m3lee[k]*int32(100-s.Flatness) + 10*int32(s.Flatness) + 50) / 100
	}
	return w
}

// guidedPlayer implements tubstap.Player.
type guidedPlayer struct {
	guidedSettings
	search
	chance *arena.Stream
}

// Turn implements tubstap.Player.
func (p *guidedPlayer) Turn(_ *tubstap.State, chance *arena.Stream) {
	p.chance = chance
	p.known = false
}

// Act implements tubstap.Player.
func (p *guidedPlayer) Act(s *tubstap.State) tubstap.Action {
	if p.table == nil {
		p.prepare(&p.guidedSettings)
	}
	return p.find(&p.guidedSettings, s, p.chance.Uint64())
}

// Guided returns the catalogue's entry.
func Guided() tubstap.Strategy {
	return tubstap.Strategy{
		Name: "guided", Doc: "M-UCT led by priors, with short playouts scored by HP.",
		Source: "after Muto's F-UCT (2017), Kimura and Ikeda's PV-MCTS (2020) and depth-limited Monte Carlo (2015)",
		New: func(f *param.Fields, _ *tubstap.Options) arena.Maker[tubstap.Player] {
			p := &guidedPlayer{}
			p.declare(f)
			return arena.Made[tubstap.Player](p)
		},
		Sign: param.Values{{Name: "simulations", Text: "30"}},
	}
}

// tuned returns the settings found by matches against M-UCT at equal simulations.
// Their scores against muct(mode=corrected), 95 % intervals by blocks, draws
// half, seed 7:
//
//	simulations    200 (30 blocks)      2000 (12 blocks)
//	paper10a       0.95 [0.90, 1.00]    0.96 [0.90, 1.00]
//	paper12b       0.99 [0.98, 1.00]    0.98 [0.94, 1.00]
//	paper12a       1.00                 1.00
func tuned() guidedSettings {
	return guidedSettings{
		Simulations: 200, Expansion: 2, C: 1, Temperature: 60,
		HalfTurns: 4, Candidates: 5, Attack: 100, Scale: 100, Flatness: 0,
	}
}

// guidedNode is an expanded position, its children side by side.
type guidedNode struct {
	first, count int32
	visits       int32
	root         bool    // the root side moves
	total        float64 // of the rewards, from the root side's view
}

// search is the tree of one turn. It keeps its memory.
type search struct {
	board  rollout.Board
	config rollout.Config
	weight rollout.Weights
	table  []float64 // reward by lead, from -half to half
	half   int
	chance rollout.Chance

	nodes  []guidedNode
	moves  []rollout.Move
	visits []int32
	total  []float64
	prior  []float64
	below  []int32
	path   []int32 // children
	above  []int32 // nodes
	root   int32

	known    bool
	expected *tubstap.State
}

// prepare makes what depends on the settings alone.
func (t *search) prepare(s *guidedSettings) {
	t.weight = s.weights()
	t.config = rollout.Config{Attack: s.Attack, Corrected: true, Equal: 1, Candidates: s.Candidates, Worth: t.weight}
	t.half = 20 * int(s.Scale)
	t.table = make([]float64, 2*t.half+1)
	for i := range t.table {
		t.table[i] = 1 / (1 + math.Exp(-float64(i-t.half)/s.Scale))
	}
}

// find searches and returns the most visited action. The tree of the last
// search goes on if the state is what its action led to.
func (t *search) find(s *guidedSettings, state *tubstap.State, seed uint64) tubstap.Action {
	if t.known && t.expected.Equal(state) {
		c := t.best()
		t.board.Commit(t.moves[c])
		if t.root = t.below[c]; t.root == 0 {
			t.board.Reset()
			t.root = t.expand(s)
		}
	} else {
		t.board = boardOf(state, t.config, t.board)
		t.nodes, t.moves = t.nodes[:0], t.moves[:0]
		t.board.Reset()
		t.root = t.expand(s)
	}
	t.chance.State = seed
	for range s.Simulations {
		t.simulate(s)
	}
	a := t.board.Action(t.moves[t.best()])
	if t.expected == nil {
		t.expected = state.Clone()
	}
	t.expected.CopyFrom(state)
	t.expected.Do(a)
	t.known = true
	return a
}

// expand makes a node of the board's position and gives its children their
// priors: shares in proportion to exp(gain / temperature).
func (t *search) expand(s *guidedSettings) int32 {
	first := len(t.moves)
	var how rollout.Expansion
	t.moves, how = t.board.Expand(t.moves, len(t.nodes) == 0)
	n := len(t.moves)
	t.visits = zeroed(t.visits, first, n)
	t.total = zeroed(t.total, first, n)
	t.prior = zeroed(t.prior, first, n)
	t.below = zeroed(t.below, first, n)
	sum := 0.0
	for i := first; i < n; i++ {
		t.prior[i] = math.Exp(float64(t.board.Gain(t.moves[i], &t.weight)) / s.Temperature)
		sum += t.prior[i]
	}
	for i := first; i < n; i++ {
		t.prior[i] /= sum
	}
	t.nodes = append(t.nodes, guidedNode{first: int32(first), count: int32(n - first), root: how.Root})
	return int32(len(t.nodes) - 1)
}

// simulate runs one simulation.
func (t *search) simulate(s *guidedSettings) {
	b := t.board
	b.Reset()
	t.path, t.above = t.path[:0], t.above[:0]
	at := t.root
	reward := 0.0
	for {
		c := t.pick(&t.nodes[at], s.C)
		t.path, t.above = append(t.path, c), append(t.above, at)
		b.Do(t.moves[c])
		if over, halves := b.Advance(); over {
			reward = float64(halves) / 2
			break
		}
		if t.below[c] == 0 {
			if int(t.visits[c]) < s.Expansion {
				reward = t.play(s)
				break
			}
			t.below[c] = t.expand(s)
		}
		at = t.below[c]
	}
	for i, c := range t.path {
		t.visits[c]++
		t.total[c] += reward
		n := &t.nodes[t.above[i]]
		n.visits++
		n.total += reward
	}
}

// play returns a short playout from the board's position.
func (t *search) play(s *guidedSettings) float64 {
	lead, reward, over := t.board.Sketch(&t.chance, s.HalfTurns, &t.weight)
	if over {
		return float64(reward) / 2
	}
	return t.table[min(max(lead, -t.half), t.half)+t.half]
}

// pick returns the child with the greatest mean plus prior term, the first of equals. A
// child without visits has the mean of its node.
func (t *search) pick(n *guidedNode, c float64) int32 {
	unknown := 0.5
	if n.visits > 0 {
		unknown = n.total / float64(n.visits)
	}
	if !n.root {
		unknown = 1 - unknown
	}
	scale := float64(c * math.Sqrt(float64(n.visits+1)))
	best, at := math.Inf(-1), n.first
	for i := n.first; i < n.first+n.count; i++ {
		mean := unknown
		if v := t.visits[i]; v > 0 {
			mean = t.total[i] / float64(v)
			if !n.root {
				mean = 1 - mean
			}
		}
		if u := mean + float64(scale*t.prior[i])/float64(1+t.visits[i]); u > best {
			best, at = u, i
		}
	}
	return at
}

// best returns the most visited child of the root, the better mean among equals.
func (t *search) best() int32 {
	n := &t.nodes[t.root]
	at := n.first
	for i := n.first; i < n.first+n.count; i++ {
		if t.visits[i] > t.visits[at] || t.visits[i] == t.visits[at] && t.total[i] > t.total[at] {
			at = i
		}
	}
	return at
}
