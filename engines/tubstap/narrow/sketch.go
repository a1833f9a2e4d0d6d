package narrow

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

// worth is the weighted HP of a side.
func (s *side) worth(w *rollout.Weights) (sum int32) {
	for alive := s.alive; alive != 0; alive &= alive - 1 {
		u := uint(bits.TrailingZeros16(alive)) & 15
		sum += w[s.kind[u]%6] * int32(s.pts[u])
	}
	return sum
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
