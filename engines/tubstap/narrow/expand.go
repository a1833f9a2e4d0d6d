package narrow

import (
	"math/bits"

	"sakusen/engines/tubstap/rollout"
)

// Expand implements rollout.Board.
func (b *Board) Expand(list []rollout.Move, root bool) ([]rollout.Move, rollout.Expansion) {
	p := &b.now
	var e rollout.Expansion
	mover := 0
	switch {
	case b.config.Corrected:
		mover = p.mover
	case !root:
		if p.side[0].open == 0 {
			mover = 1
			if p.side[1].open == 0 {
				e.Clear = true
				mover = 0
				if p.side[0].alive == 0 {
					mover = 1
				}
			}
		}
		e.Bump = e.Clear || p.side[mover].open == p.side[mover].alive
		b.Turn(e)
	}
	e.Root = mover == 0
	own, foe := &p.side[mover], &p.side[1-mover]
	b.survey(foe.occ)
	for open := own.open; open != 0; open &= open - 1 {
		u := uint(bits.TrailingZeros16(open)) & 15
		b.reach[u] = b.reachOf(own, foe, u)
		ends := b.ends(own, u)
		list = b.expandAttacks(list, mover, u, ends)
		for ; !ends.empty(); ends = ends.without(bit(ends.first())) {
			list = append(list, packMove(mover, u, none, ends.first()))
		}
	}
	return list, e
}

// expandAttacks lists the attacks of a unit that do damage.
func (b *Board) expandAttacks(list []rollout.Move, mover int, u uint, ends set) []rollout.Move {
	own, foe := &b.now.side[mover], &b.now.side[1-mover]
	for alive := foe.alive; alive != 0; alive &= alive - 1 {
		t := uint(bits.TrailingZeros16(alive)) & 15
		if b.damage(own.kind[u], own.pts[u], foe, t) == 0 {
			continue
		}
		if own.kind[u] == cannon {
			if b.ring[own.cell[u]&last].has(uint(foe.cell[t])) == 1 {
				list = append(list, packMove(mover, u, t, uint(own.cell[u])))
			}
			continue
		}
		for _, n := range b.around[foe.cell[t]&last] {
			if ends.has(uint(n)) == 1 {
				list = append(list, packMove(mover, u, t, uint(n)))
			}
		}
	}
	return list
}
