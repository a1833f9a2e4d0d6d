// Code generated from package narrow. DO NOT EDIT.

package wide

import (
	"math/bits"

	"sakusen/engines/tubstap/rollout"
)

// Playout implements rollout.Board.
func (b *Board) Playout(c *rollout.Chance) int {
	p := &b.now
	own, foe := &p.side[0], &p.side[1]
	if b.config.Corrected {
		return b.correctedPlayout(c)
	}
	state := c.State
	for p.counter < b.limit {
		state = b.phase(own, foe, state)
		p.counter++
		if p.counter >= b.limit {
			break
		}
		state = b.phase(foe, own, state)
		p.counter++
		if own.alive == 0 || foe.alive == 0 {
			break
		}
	}
	c.State = state
	return b.reward()
}

func (b *Board) correctedPlayout(c *rollout.Chance) int {
	p := &b.now
	over, reward := b.Advance()
	for !over {
		i := p.mover & 1
		c.State = b.phase(&p.side[i], &p.side[1-i], c.State)
		p.side[i].open = 0
		over, reward = b.Advance()
	}
	return reward
}

// survey counts the enemies beside each cell; the counts are three bit planes.
func (b *turn) survey(foes set) {
	w, x, y, z := foes.up(), foes.down(), foes.left(), foes.right()
	odd1, odd2 := w.xor(x), y.xor(z)
	two1, two2 := w.and(x), y.and(z)
	b.one = odd1.xor(odd2)
	b.two = two1.xor(two2).or(odd1.and(odd2))
	b.four = two1.and(two2)
}

// reachOf returns what unit u could reach without friends in its way.
func (b *turn) reachOf(own, foe *side, u uint) set {
	kind, c := own.kind[u&15], own.cell[u&15]
	room := &b.rooms[kind&7][c&last]
	if room.inner.meets(foe.occ) {
		return b.flood(kind, uint(c), foe.occ)
	}
	return room.free.without(foe.occ)
}

// ends returns the end cells of unit u's move.
func (b *turn) ends(own *side, u uint) set {
	return b.reach[u&15].without(own.occ).or(bit(uint(own.cell[u&15])))
}

// muster computes for each open unit its reach and its number of attacks, and who is hot. What
// differs from unit to unit is kept in masks: a branch that cannot be foreseen costs more
// than a flood begun in vain.
func (b *turn) muster(own, foe *side, open uint16) {
	b.survey(foe.occ)
	b.counts = [2]uint64{}
	occ, near := foe.occ, b.one.or(b.two).or(b.four)
	var blocked, hot uint16
	for left := open; left != 0; left &= left - 1 {
		u := uint(bits.TrailingZeros16(left)) & 15
		room := &b.rooms[own.kind[u]&7][own.cell[u]&last]
		blocked |= room.inner.hit(occ) << u
		hot |= room.free.hit(near) << u
		b.reach[u] = room.free.without(occ)
	}
	for ; blocked != 0; blocked &= blocked - 1 {
		u := uint(bits.TrailingZeros16(blocked)) & 15
		r := b.flood(own.kind[u], uint(own.cell[u]), occ)
		b.reach[u] = r
		hot &= r.hit(near)<<u | ^(1 << u)
	}
	hot &^= own.guns
	b.hot = hot
	for ; hot != 0; hot &= hot - 1 {
		u := uint(bits.TrailingZeros16(hot)) & 15
		b.counts[u>>3] |= uint64(b.directThreats(own, b.reach[u], uint(own.cell[u]))) << (u & 7 << 3)
	}
	for guns := open & own.guns; guns != 0; guns &= guns - 1 {
		u := uint(bits.TrailingZeros16(guns)) & 15
		b.counts[u>>3] |= uint64(b.ring[own.cell[u]&last].and(occ).count()) << (u & 7 << 3)
	}
}

// directThreats returns the number of attacks of a direct unit with reach r that
// stands on c, those without damage included.
func (b *turn) directThreats(own *side, r set, c uint) uint {
	e := r.without(own.occ).or(bit(c))
	return e.and(b.one).count() + 2*e.and(b.two).count() + 4*b.four.has(c)
}

// bury corrects reach and counts after the enemy on the cell dead was destroyed.
func (b *turn) bury(own, foe *side, dead uint) {
	b.survey(foe.occ)
	around := b.beside[dead&last]
	for open := own.open & b.hot; open != 0; open &= open - 1 {
		u := uint(bits.TrailingZeros16(open)) & 15
		c := uint(own.cell[u])
		if b.reach[u].meets(around) {
			b.reach[u] = b.reachOf(own, foe, u)
		}
		at := u & 7 << 3
		b.counts[u>>3] = b.counts[u>>3]&^(0xff<<at) | uint64(b.directThreats(own, b.reach[u], c))<<at
	}
	for open := own.open & own.guns; open != 0; open &= open - 1 {
		u := uint(bits.TrailingZeros16(open)) & 15
		if b.reach[u].meets(around) {
			b.reach[u] = b.reachOf(own, foe, u)
		}
		b.counts[u>>3] -= uint64(b.ring[own.cell[u]&last].has(dead)) << (u & 7 << 3)
	}
}

// attacks returns the sum of the counts.
func (b *turn) attacks() uint {
	const even = 0x00ff00ff00ff00ff
	low, high := b.counts[0], b.counts[1]
	s := low&even + low>>8&even + high&even + high>>8&even
	return uint(s * 0x0001000100010001 >> 48)
}

// modulus[n] is 2^64 / n rounded up; with it x mod n takes two
// multiplications for x below 2^31 (Lemire, Kaser and Kurz 2019).
var modulus = func() (t [1024]uint64) {
	for n := range t {
		if n > 1 {
			t[n] = ^uint64(0)/uint64(n) + 1
		}
	}
	return t
}()

func mod(x uint64, n uint) uint {
	hi, _ := bits.Mul64(modulus[n&1023]*x, uint64(n))
	return uint(hi)
}

// nthUnit returns the member of a mask of units with k members below it.
func nthUnit(mask uint16, k uint) uint {
	low := uint(bits.OnesCount8(uint8(mask)))
	over := (low - 1 - k) >> 63 // 1 if the member is in the upper byte
	k -= low & -over
	return (over<<3 + uint(inByte[(k<<8|uint(mask>>(over<<3)&0xff))&2047])) & 15
}

// phase lets all open units of a side act at random and opens the side
// again. It draws what the program draws and returns the generator's state.
func (b *Board) phase(own, foe *side, state uint64) uint64 {
	n := uint(bits.OnesCount16(own.open))
	if n > 0 && foe.alive != 0 {
		b.muster(own, foe, own.open)
	}
	for n > 0 {
		if foe.alive == 0 {
			// Each unit left takes three draws, and nothing can change any more.
			if !b.config.Corrected {
				state += rollout.Gamma * (3 * uint64(n))
			}
			break
		}
		total := b.attacks()
		if total == 0 {
			var from, to uint
			if state, n, from, to = b.march(own, n, state); n > 0 {
				b.shift(own, foe, from, to)
			}
			continue
		}
		state += rollout.Gamma
		var u, c uint // unit, cell
		t := uint(none)
		if rollout.Mix(state)>>11 >= b.bound {
			state += rollout.Gamma
			var k uint
			u, k = b.choose(mod(rollout.Mix(state)>>33, total), total)
			t, c = b.nthAttack(own, foe, u, k)
			if b.config.Candidates > 1 {
				state, u, t, c = b.contest(own, foe, total, state, u, t, c)
			}
		}
		if t == none {
			state += rollout.Gamma
			u = nthUnit(own.open, mod(rollout.Mix(state)>>33, n))
			state += rollout.Gamma
			r := rollout.Mix(state) >> 33
			if b.counts[u>>3]>>(u&7<<3)&0xff == 0 {
				e := b.ends(own, u)
				c = e.nth(mod(r, e.count()))
			} else {
				t, c = b.mixed(own, foe, u, r)
			}
		}
		u &= 15
		n--
		own.open &^= 1 << u
		b.counts[u>>3] &^= 0xff << (u & 7 << 3)
		from := uint(own.cell[u])
		own.occ = own.occ.xor(bit(from)).xor(bit(c))
		own.cell[u] = uint8(c)
		var killed, died bool
		if t != none {
			killed, died = b.attack(own, foe, u, t)
		}
		if died {
			c = cells
		}
		if killed {
			b.bury(own, foe, uint(foe.cell[t&15]))
		} else if from != c && b.hot&own.open != 0 {
			b.shift(own, foe, from, c)
		}
	}
	own.open = own.alive
	return state
}

// march moves units while none can attack. It stops after a move that leaves a cell beside
// an enemy (a cannon's move, or one of a unit that could have attacked): another unit may
// want that cell.
func (b *Board) march(own *side, n uint, state uint64) (uint64, uint, uint, uint) {
	near := b.one.or(b.two).or(b.four)
	occ, open := own.occ, own.open
	var from, c uint
	for n > 0 {
		u := nthUnit(open, mod(rollout.Mix(state+rollout.Gamma2)>>33, n))
		state += rollout.Gamma3
		n--
		from = uint(own.cell[u])
		here := bit(from)
		e := b.reach[u].without(occ).or(here)
		c = e.nth(mod(rollout.Mix(state)>>33, e.count()))
		occ = occ.xor(here).xor(bit(c))
		open &^= 1 << u
		own.cell[u] = uint8(c)
		if here.meets(near) {
			break
		}
	}
	own.occ, own.open = occ, open
	return state, n, from, c
}

// foesBeside returns the number of enemies beside a cell.
func (b *turn) foesBeside(foe *side, c uint) uint { return b.beside[c&last].and(foe.occ).count() }

// shift corrects the counts of the open units after a friend has left a cell
// and come to another (Cells for none).
func (b *turn) shift(own, foe *side, from, to uint) {
	plus, minus := b.foesBeside(foe, from), uint(0)
	if to != cells {
		minus = b.foesBeside(foe, to)
	}
	if plus|minus == 0 {
		return
	}
	for open := own.open & b.hot; open != 0; open &= open - 1 {
		u := uint(bits.TrailingZeros16(open)) & 15
		r := b.reach[u]
		b.counts[u>>3] += uint64(plus*r.has(from)-minus*r.has(to)) << (u & 7 << 3)
	}
}

// choose finds the unit that the k-th of all attacks belongs to, and its
// number among the unit's own.
func (b *turn) choose(k, total uint) (u, rest uint) {
	if total > 127 {
		for u = 0; ; u++ {
			n := uint(b.counts[u>>3]>>(u&7<<3)) & 0xff
			if k < n {
				return u, k
			}
			k -= n
		}
	}
	p := b.counts[0] * ones
	low := uint(p >> 56)
	over := (low - 1 - k) >> 63
	m := -uint64(over)
	k -= low & uint(m)
	p = p&^m | b.counts[1]*ones&m
	lane := uint(bits.OnesCount64(((uint64(k)*ones | highs) - p) & highs))
	return over<<3 + lane, k - uint(p<<8>>(lane<<3&63))&0xff
}

// nthAttack returns the k-th attack of unit u, those without damage included.
func (b *turn) nthAttack(own, foe *side, u, k uint) (target, cell uint) {
	c := uint(own.cell[u])
	if own.kind[u] == cannon {
		ring := b.ring[c&last]
		for alive := foe.alive; ; alive &= alive - 1 {
			t := uint(bits.TrailingZeros16(alive)) & 15
			n := ring.has(uint(foe.cell[t]))
			if k < n {
				return t, c
			}
			k -= n
		}
	}
	e := b.ends(own, u)
	for alive := foe.alive; ; alive &= alive - 1 {
		t := uint(bits.TrailingZeros16(alive)) & 15
		n := b.beside[foe.cell[t]&last].and(e).count()
		if k < n {
			return t, b.stand(e, uint(foe.cell[t]), k)
		}
		k -= n
	}
}

// stand returns the k-th end cell beside a cell: right, up, left, down.
func (b *turn) stand(e set, c, k uint) uint {
	cells := &b.around[c&last]
	m := e.has(uint(cells[0])) | e.has(uint(cells[1]))<<1 | e.has(uint(cells[2]))<<2 | e.has(uint(cells[3]))<<3
	return uint(cells[inByte[k<<8&2047|m]&3])
}

// mixed returns the choice of number r among the attacks of unit u that do
// damage and then its moves; target none is a move.
func (b *Board) mixed(own, foe *side, u uint, r uint64) (target, cell uint) {
	e := b.ends(own, u)
	kind, hp, at := own.kind[u], own.pts[u], uint(own.cell[u])
	var targets [maxSide]uint8
	var n [maxSide]uint8
	found, all := 0, uint(0)
	for alive := foe.alive; alive != 0; alive &= alive - 1 {
		t := uint(bits.TrailingZeros16(alive)) & 15
		ways := b.beside[foe.cell[t]&last].and(e).count()
		if kind == cannon {
			ways = b.ring[at&last].has(uint(foe.cell[t]))
		}
		if ways > 0 && b.damage(kind, hp, foe, t) > 0 {
			targets[found&15], n[found&15] = uint8(t), uint8(ways)
			found++
			all += ways
		}
	}
	k := mod(r, all+e.count())
	if k >= all {
		return none, e.nth(k - all)
	}
	for i := 0; ; i++ {
		if ways := uint(n[i&15]); k >= ways {
			k -= ways
			continue
		}
		t := uint(targets[i&15])
		if kind == cannon {
			return t, at
		}
		return t, b.stand(e, uint(foe.cell[t&15]), k)
	}
}
