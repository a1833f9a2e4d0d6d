// Code generated from package narrow. DO NOT EDIT.

package wide

import (
	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/rollout"
)

// side is one side's units, by their order in the map. A unit that is not
// alive keeps its last cell.
type side struct {
	occ   set
	alive uint16
	open  uint16 // alive and not finished
	guns  uint16 // cannons
	hp    int32
	kind  [maxSide]uint8
	cell  [maxSide]uint8
	pts   [maxSide]uint8 // HP
}

type position struct {
	side    [2]side // 0 is the root side
	counter int
	mover   int // corrected searches only
}

// Board is a rollout.Board.
type Board struct {
	turn
	config rollout.Config
	bound  uint64
	ids    [2][maxSide]int16
	root   position
	now    position
}

// turn is what the units of the side to move can reach and attack.
type turn struct {
	*layout
	one, two, four set // planes of the number of enemies beside a cell
	reach          [maxSide]set
	// counts has the number of attacks of each open unit, a byte each. It is no variable: words
	// that are changed one by one and copied as two make the processor wait.
	counts [2]uint64
	// hot are the direct units that could stand beside an enemy if no friend were in the way.
	hot uint16
}

var _ rollout.Board = (*Board)(nil)

// New returns a board on the state, which Fits.
func New(s *tubstap.State, config rollout.Config) *Board {
	b := &Board{turn: turn{layout: newLayout(s)}}
	b.set(s, config)
	return b
}

// Renew puts another state on the board and saves making its tables; it
// returns false if they are for another map, other rules or other kinds.
func (b *Board) Renew(s *tubstap.State, config rollout.Config) bool {
	if !b.layout.serves(s) {
		return false
	}
	b.set(s, config)
	return true
}

func (b *Board) set(s *tubstap.State, config rollout.Config) {
	b.config, b.bound = config, rollout.AttackBound(config.Attack)
	b.root = position{counter: s.Counter()}
	var n [2]int
	for id := range s.Units() {
		u := s.Unit(id)
		if !u.Alive() {
			continue
		}
		i := 0
		if u.Team != s.Mover() {
			i = 1
		}
		k, sd := n[i], &b.root.side[i]
		c := b.at(int(u.X), int(u.Y))
		b.ids[i][k] = int16(id)
		sd.kind[k], sd.cell[k], sd.pts[k] = uint8(u.Kind), uint8(c), uint8(u.HP)
		sd.occ = sd.occ.or(bit(c))
		sd.alive |= 1 << k
		if u.Kind.Indirect() {
			sd.guns |= 1 << k
		}
		if !u.Finished {
			sd.open |= 1 << k
		}
		sd.hp += int32(u.HP)
		n[i]++
	}
	b.Reset()
}

// Reset implements rollout.Board.
func (b *Board) Reset() { b.now = b.root }

// packMove returns a move as a number: side, unit, target (maxSide for none) and cell.
func packMove(who int, unit, target, cell uint) rollout.Move {
	return rollout.Move(uint(who)<<16 | unit<<24 | target<<8 | cell)
}

const none = maxSide

// Action implements rollout.Board.
func (b *Board) Action(m rollout.Move) tubstap.Action {
	who := m >> 16 & 1
	x, y := b.xy(uint(m & 0xff))
	a := tubstap.Action{Unit: b.ids[who][m>>24], X: int8(x), Y: int8(y), Target: tubstap.NoUnit}
	if t := m >> 8 & 0xff; t != none {
		a.Target = b.ids[1-who][t]
	}
	return a
}

// Do implements rollout.Board.
func (b *Board) Do(m rollout.Move) {
	who := m >> 16 & 1
	own, foe := &b.now.side[who], &b.now.side[1-who]
	u, c, t := uint(m>>24)&15, uint(m&0xff), uint(m>>8&0xff)
	own.open &^= 1 << u
	own.occ = own.occ.xor(bit(uint(own.cell[u]))).xor(bit(c))
	own.cell[u] = uint8(c)
	if t != none {
		b.attack(own, foe, u, t)
	}
}

// Commit implements rollout.Board.
func (b *Board) Commit(m rollout.Move) {
	b.Reset()
	b.Do(m)
	b.root = b.now
}

// reciprocal[stars][hp] is 2^20 / (100 + stars * hp), rounded up: exact for
// the damages there are (at most 115 * 10 + 70).
var reciprocal = func() (t [8][16]uint32) {
	for s := range t {
		for g := range t[s] {
			d := uint32(100 + s*g)
			t[s][g] = (1<<20 + d - 1) / d
		}
	}
	return t
}()

// damage returns what a unit of kind a and HP h does to unit t of the side.
func (b *Board) damage(a, h uint8, foe *side, t uint) uint8 {
	d, g := foe.kind[t&15], foe.pts[t&15]
	stars := b.stars[air(d)][foe.cell[t&15]&last]
	n := (b.power[a&7][d&7]*uint32(h) + 70) * reciprocal[stars&7][g&15] >> 20
	more := int32(n) - int32(g)
	return g + uint8(more&(more>>31)) // the smaller of n and g
}

// air returns 1 for planes, kinds 0 and 1.
func air(kind uint8) uint8 { return (kind - 2) >> 7 }

const cannon = uint8(tubstap.Cannon)

// attack lets unit u strike unit t from where it now stands and says whether
// the target and the attacker died.
func (b *Board) attack(own, foe *side, u, t uint) (killed, died bool) {
	u, t = u&15, t&15
	d := b.damage(own.kind[u], own.pts[u], foe, t)
	foe.pts[t] -= d
	foe.hp -= int32(d)
	if foe.pts[t] == 0 {
		foe.alive &^= 1 << t
		foe.open &^= 1 << t
		foe.occ = foe.occ.without(bit(uint(foe.cell[t])))
		return true, false
	}
	if own.kind[u] == cannon || foe.kind[t] == cannon {
		return false, false
	}
	d = b.damage(foe.kind[t], foe.pts[t], own, u)
	own.pts[u] -= d
	own.hp -= int32(d)
	if own.pts[u] == 0 {
		own.alive &^= 1 << u
		own.occ = own.occ.without(bit(uint(own.cell[u])))
		return false, true
	}
	return false, false
}

// Turn implements rollout.Board.
func (b *Board) Turn(e rollout.Expansion) {
	if e.Clear {
		for i := range b.now.side {
			b.now.side[i].open = b.now.side[i].alive
		}
	}
	if e.Bump {
		b.now.counter++
	}
}

// RootMoves implements rollout.Board.
func (b *Board) RootMoves() bool { return b.now.mover == 0 }

// Annihilated implements rollout.Board.
func (b *Board) Annihilated() bool { return b.now.side[0].alive == 0 || b.now.side[1].alive == 0 }

// Advance implements rollout.Board.
func (b *Board) Advance() (over bool, reward int) {
	p := &b.now
	if b.Annihilated() {
		return true, b.reward()
	}
	if p.side[p.mover&1].open != 0 {
		return false, 0
	}
	p.side[p.mover&1].open = p.side[p.mover&1].alive
	p.counter++
	p.mover = 1 - p.mover
	if p.counter >= b.limit {
		return true, b.reward()
	}
	return false, 0
}

// reward judges the position for the root side, in halves.
func (b *Board) reward() int {
	own, foe := &b.now.side[0], &b.now.side[1]
	switch {
	case own.alive == 0:
		return 0
	case foe.alive == 0:
		return 2
	}
	return rollout.Judge(int(own.hp-foe.hp), b.threshold, b.config.Equal)
}
