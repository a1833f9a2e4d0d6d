// Package rollout says what a tree search asks of a board, and holds the
// plain board: short, slow and right. The fast boards in ../narrow and
// ../wide promise the same answers from the same random numbers.
//
// A board stands on a root state. A search walks down from it (Reset, then
// Turn and Do for each node), lists the actions there (Expand), and plays on
// at random to the end (Playout). Everything is seen from the root's mover,
// the root side; nothing is allocated once lists have grown.
//
//	b.Reset()
//	b.Do(children[i])
//	reward := b.Playout(&chance)
//
// Source: M-UCT (Muto and Nishino; Sagehashi, Muto and Nishino 2017, section
// 3.2) as implemented in TUBSTAP 0.108.
package rollout

import "sakusen/engines/tubstap"

// Weights are the worth of a kind's HP, for Sketch and Gain.
type Weights [tubstap.Kinds]int32

// Move is an action packed for a tree: unit, target and cell. Its meaning
// belongs to the board that listed it (Board.Action).
type Move uint32

// Config is the rules of a playout, as the search wants it.
type Config struct {
	// Attack is the chance that a unit action is drawn from the attacks, if
	// there are any, in per cent. The program has 80.
	Attack int
	// Corrected playouts begin with the side to move and end at once when a
	// side has no unit; the program's begin with the root side and notice
	// only after both sides have moved.
	Corrected bool
	// Equal is the reward, in halves, for a lead in HP equal to the map's
	// threshold: 2 in the program's playouts, 1 by the rules.
	Equal int
	// Candidates, if 2 or more, is the number of attacks drawn for one action of a
	// corrected playout. The one of greatest gain is made, if its gain is above 0;
	// otherwise the unit moves or another attack is drawn. Gains are in weights of Worth.
	Candidates int
	Worth      Weights
}

// Reference returns the program's own configuration.
func Reference() Config { return Config{Attack: 80, Equal: 2} }

// Expansion says how a node is entered before its children are done.
type Expansion struct {
	Clear bool // both sides' units become unmoved
	Bump  bool // a half-turn is counted
	Root  bool // the root side moves
}

// Board is a root state with a position below it.
type Board interface {
	// Reset goes back to the root.
	Reset()
	// Do applies a move listed by Expand in this position.
	Do(m Move)
	// Turn prepares the position for its children, as Expand has told.
	Turn(e Expansion)
	// Expand lists the children of the position and how to enter it; it
	// prepares the position as Turn does. At the root, only the root side's
	// actions are listed and nothing is counted.
	Expand(list []Move, root bool) ([]Move, Expansion)
	// Playout plays to the end and returns the reward of the root side in halves: 0, 1 or
	// 2. The board's position is lost by it.
	Playout(c *Chance) int
	// Sketch plays on for at most so many half-turns, the current one included, on a board
	// of corrected rules. It returns the root side's lead in weighted HP and, if the game
	// is over then, the reward in halves. The board's position is lost by it.
	Sketch(c *Chance, halfTurns int, w *Weights) (lead, reward int, over bool)
	// Gain is what a move of this position changes in the mover's lead at
	// once: weighted HP taken less those lost.
	Gain(m Move, w *Weights) int
	// Advance ends the mover's turn if it is done, as the rules have it (for
	// corrected searches, which do not use Turn), and says whether the game
	// is over and with what reward in halves.
	Advance() (over bool, reward int)
	// Annihilated says whether a side has no unit.
	Annihilated() bool
	// RootMoves says whether the root side is to move, after Advance.
	RootMoves() bool
	// Commit applies a move of the root to the root itself. Moves listed
	// before stay valid.
	Commit(m Move)
	// Action is the move as the rules know it, where it was listed.
	Action(m Move) tubstap.Action
}

// Chance is the generator of the golden vectors: SplitMix64 (Steele, Lea and
// Flood 2014). Its state is a plain counter.
type Chance struct{ State uint64 }

// Gamma is the step of the state at each draw, Gamma2 and Gamma3 those of
// two and three draws.
const (
	Gamma  = 0x9E3779B97F4A7C15
	Gamma2 = Gamma * 2 & (1<<64 - 1)
	Gamma3 = Gamma * 3 & (1<<64 - 1)
)

// Mix makes a random number of a state.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Uint64 draws 64 bits.
func (c *Chance) Uint64() uint64 {
	c.State += Gamma
	return Mix(c.State)
}

// next draws an integer in [0, n); one number is drawn for n = 1, too.
func (c *Chance) next(n int) int { return int((c.Uint64() >> 33) % uint64(n)) }

// unit draws 53 random bits: a number in [0, 1) in units of 2^-53.
func (c *Chance) unit() uint64 { return c.Uint64() >> 11 }

// AttackBound returns the number of units of 2^-53 from which on a draw means
// attack, when attacks are drawn with the given per cent.
func AttackBound(percent int) uint64 {
	share := float64(100-percent) / 100 // 0.2 for 80 per cent, as in the program
	bound := uint64(share * (1 << 53))
	for float64(bound)*0x1p-53 < share {
		bound++
	}
	return bound
}

// plain is a board on the rules' own state: every list is made anew each
// time it is needed. It takes any map.
type plain struct {
	config  Config
	root    *tubstap.State
	counter int
	side    tubstap.Team // root side
	mover   tubstap.Team // corrected searches only
	s       *tubstap.State
	attacks []tubstap.Action
	actions []tubstap.Action
}

// NewPlain returns a board on a copy of the state.
func NewPlain(s *tubstap.State, config Config) *plain {
	p := &plain{config: config, root: s.Clone(), s: s.Clone(), side: s.Mover()}
	p.Reset()
	return p
}

// Reset implements Board.
func (p *plain) Reset() {
	p.s.CopyFrom(p.root)
	p.counter = p.root.Counter()
	p.mover = p.side
}

func pack(a tubstap.Action) Move {
	return Move(uint32(a.Unit)<<24 | uint32(a.X)<<16 | uint32(a.Y)<<8 | uint32(uint8(a.Target)))
}

// noTarget is NoUnit in a Move; unit 255 cannot be a target of a plain board.
const noTarget = 0xff

// Action implements Board.
func (p *plain) Action(m Move) tubstap.Action {
	a := tubstap.Action{Unit: int16(m >> 24), X: int8(m >> 16), Y: int8(m >> 8), Target: int16(uint8(m))}
	if a.Target == noTarget {
		a.Target = tubstap.NoUnit
	}
	return a
}

// Do implements Board.
func (p *plain) Do(m Move) { p.s.Do(p.Action(m)) }

// Commit implements Board.
func (p *plain) Commit(m Move) {
	p.root.Do(p.Action(m))
	p.Reset()
}

// Turn implements Board.
func (p *plain) Turn(e Expansion) {
	if e.Clear {
		p.s.ClearFinished(tubstap.Red)
		p.s.ClearFinished(tubstap.Blue)
	}
	if e.Bump {
		p.counter++
	}
}

// Expand implements Board.
func (p *plain) Expand(list []Move, root bool) ([]Move, Expansion) {
	mover, enemy := p.side, p.side.Other()
	var e Expansion
	switch {
	case p.config.Corrected:
		mover = p.mover
	case root:
	default:
		if p.s.Unmoved(mover) == 0 {
			mover = enemy
			if p.s.Unmoved(mover) == 0 {
				e.Clear = true
				mover = p.side
				if p.s.Alive(mover) == 0 {
					mover = enemy
				}
			}
		}
		e.Bump = e.Clear || p.s.Unmoved(mover) == p.s.Alive(mover)
		p.Turn(e)
	}
	e.Root = mover == p.side
	for id := range p.s.Units() {
		if u := p.s.Unit(id); u.Alive() && !u.Finished && u.Team == mover {
			p.actions = p.s.AppendActions(p.actions[:0], id)
			for _, a := range p.actions {
				list = append(list, pack(a))
			}
		}
	}
	return list, e
}

// RootMoves implements Board.
func (p *plain) RootMoves() bool { return p.mover == p.side }

// Annihilated implements Board.
func (p *plain) Annihilated() bool { return p.s.Alive(0) == 0 || p.s.Alive(1) == 0 }

// Advance implements Board.
func (p *plain) Advance() (over bool, reward int) {
	if p.Annihilated() {
		return true, p.reward()
	}
	if p.s.Unmoved(p.mover) > 0 {
		return false, 0
	}
	p.s.ClearFinished(p.mover)
	p.counter++
	p.mover = p.mover.Other()
	if p.counter >= p.s.Map().TurnLimit {
		return true, p.reward()
	}
	return false, 0
}

// Playout implements Board.
func (p *plain) Playout(c *Chance) int {
	limit := p.s.Map().TurnLimit
	if p.config.Corrected {
		for over, reward := p.Advance(); ; over, reward = p.Advance() {
			if over {
				return reward
			}
			p.phase(p.mover, c)
		}
	}
	for p.counter < limit {
		p.phase(p.side, c)
		p.counter++
		if p.counter >= limit {
			break
		}
		p.phase(p.side.Other(), c)
		p.counter++
		if p.counter >= limit || p.s.Alive(0) == 0 || p.s.Alive(1) == 0 {
			break
		}
	}
	return p.reward()
}

// Sketch implements Board.
func (p *plain) Sketch(c *Chance, halfTurns int, w *Weights) (lead, reward int, over bool) {
	over, reward = p.Advance()
	for end := p.counter + halfTurns; !over && p.counter < end; over, reward = p.Advance() {
		p.phase(p.mover, c)
	}
	for id := range p.s.Units() {
		u := p.s.Unit(id)
		if v := int(w[u.Kind]) * int(u.HP); u.Team == p.side {
			lead += v
		} else {
			lead -= v
		}
	}
	return lead, reward, over
}

// gain returns that of an attack in the weights of the playouts.
func (p *plain) gain(a tubstap.Action) int { return p.Gain(pack(a), &p.config.Worth) }

// Gain implements Board.
func (p *plain) Gain(m Move, w *Weights) int {
	a := p.Action(m)
	if a.Target == tubstap.NoUnit {
		return 0
	}
	damage, counter := p.s.Exchange(a)
	return damage*int(w[p.s.Unit(int(a.Target)).Kind]) - counter*int(w[p.s.Unit(int(a.Unit)).Kind])
}

// phase lets every unmoved unit of a side act at random.
func (p *plain) phase(side tubstap.Team, c *Chance) {
	bound := AttackBound(p.config.Attack)
	for p.s.Unmoved(side) > 0 {
		if p.config.Corrected && p.s.Alive(side.Other()) == 0 {
			return
		}
		attack := c.unit() >= bound
		p.attacks = p.attacks[:0]
		if attack {
			for id := range p.s.Units() {
				if p.unmoved(id, side) {
					p.attacks = p.s.AppendAttacks(p.attacks, id)
				}
			}
		}
		if n := len(p.attacks); n > 0 {
			best := p.attacks[c.next(n)]
			gain := 1
			if p.config.Candidates > 1 {
				gain = p.gain(best)
			}
			for i := 1; i < p.config.Candidates; i++ {
				a := p.attacks[c.next(n)]
				if g := p.gain(a); g > gain {
					best, gain = a, g
				}
			}
			if gain > 0 {
				p.s.Do(best)
				continue
			}
		}
		k := c.next(p.s.Unmoved(side))
		id := 0
		for ; !p.unmoved(id, side) || k > 0; id++ {
			if p.unmoved(id, side) {
				k--
			}
		}
		p.actions = p.s.AppendActions(p.actions[:0], id)
		p.s.Do(p.actions[c.next(len(p.actions))])
	}
	if !p.config.Corrected {
		p.s.ClearFinished(side)
	}
}

func (p *plain) unmoved(id int, side tubstap.Team) bool {
	u := p.s.Unit(id)
	return u.Alive() && !u.Finished && u.Team == side
}

// reward judges the position for the root side, in halves.
func (p *plain) reward() int {
	own, enemy := p.side, p.side.Other()
	if p.s.Alive(own) == 0 {
		return 0
	}
	if p.s.Alive(enemy) == 0 {
		return 2
	}
	return Judge(p.s.HP(own)-p.s.HP(enemy), p.s.Map().Threshold, p.config.Equal)
}

// Judge returns the reward in halves for a lead in HP when neither side is annihilated.
// equal is the reward for a lead equal to the threshold.
func Judge(lead, threshold, equal int) int {
	switch {
	case lead > threshold:
		return 2
	case -lead > threshold:
		return 0
	case lead == threshold && lead != 0:
		return equal
	case -lead == threshold && lead != 0:
		return 2 - equal
	case threshold == 0:
		return equal // the program's test looks at the winning side first
	}
	return 1
}
