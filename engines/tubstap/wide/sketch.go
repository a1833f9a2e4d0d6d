// Code generated from package narrow. DO NOT EDIT.

package wide

import (
	"math/bits"

	"sakusen/engines/tubstap/rollout"
)

// Sketch implements rollout.Board.
func (b *Board) Sketch(c *rollout.Chance, halfTurns int, w *rollout.Weights) (lead, reward int, over bool) {
	p := &b.now
	over, reward = b.Advance()
	for end := p.counter + halfTurns; !over && p.counter < end; over, reward = b.Advance() {
		i := p.mover & 1
		c.State = b.phase(&p.side[i], &p.side[1-i], c.State)
		p.side[i].open = 0
	}
	return int(p.side[0].worth(w) - p.side[1].worth(w)), reward, over
}

// worth returns the weighted HP of a side.
func (s *side) worth(w *rollout.Weights) (sum int32) {
	for alive := s.alive; alive != 0; alive &= alive - 1 {
		u := uint(bits.TrailingZeros16(alive)) & 15
		sum += w[s.kind[u]%6] * int32(s.pts[u])
	}
	return sum
}

// contest draws further attacks and returns the one of greatest gain, the
// first of equals, with target none if it gains nothing.
func (b *Board) contest(own, foe *side, total uint, state uint64, u, t, c uint) (uint64, uint, uint, uint) {
	best := b.gain(own, foe, u, t, c)
	for range b.config.Candidates - 1 {
		state += rollout.Gamma
		v, k := b.choose(mod(rollout.Mix(state)>>33, total), total)
		target, cell := b.nthAttack(own, foe, v, k)
		if g := b.gain(own, foe, v, target, cell); g > best {
			best, u, t, c = g, v, target, cell
		}
	}
	if best <= 0 {
		t = none
	}
	return state, u, t, c
}

// gain returns that of unit u attacking unit t from cell c, in the weights of the
// playouts.
func (b *Board) gain(own, foe *side, u, t, c uint) int32 {
	u, t = u&15, t&15
	w := &b.config.Worth
	kind, enemy := own.kind[u], foe.kind[t]
	d := b.damage(kind, own.pts[u], foe, t)
	gain := w[enemy%6] * int32(d)
	if left := foe.pts[t] - d; left > 0 && kind != cannon && enemy != cannon {
		stars := b.stars[air(kind)][c&last]
		n := (b.power[enemy&7][kind&7]*uint32(left) + 70) * reciprocal[stars&7][own.pts[u]&15] >> 20
		gain -= w[kind%6] * int32(min(uint8(n), own.pts[u]))
	}
	return gain
}

// Gain implements rollout.Board.
func (b *Board) Gain(m rollout.Move, w *rollout.Weights) int {
	u, c, t := uint(m>>24)&15, uint(m&0xff), uint(m>>8&0xff)
	if t == none {
		return 0
	}
	who := m >> 16 & 1
	own, foe := b.now.side[who], b.now.side[1-who] // copies
	own.cell[u] = uint8(c)
	hurt, struck := own.pts[u], foe.pts[t&15]
	b.attack(&own, &foe, u, t)
	return int(w[foe.kind[t&15]%6])*int(struck-foe.pts[t&15]) - int(w[own.kind[u]%6])*int(hurt-own.pts[u])
}
