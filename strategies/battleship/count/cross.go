package count

import (
	"math/bits"

	"sakusen/engines/battleship"
)

// crossings finds the arrangements of two parallel ships across and two down
// of which each meets both of the other direction: the only way in which the
// closed form of four ships is wrong, and it counts each of them as -1. Such
// an arrangement is a rectangle; its corners are squares that a ship across
// and a ship down share.
//
// It leaves in cross, for every two squares of a line at some distance, how
// many of these arrangements a placement of each ship through both adds.
func (z *kernel) crossings() {
	var longer [battleship.MaxSide + 1]uint8 // ships longer than this, a bit each
	z.reach = 0
	for i := range 4 {
		for d := range int(z.length[i]) {
			longer[d] |= 1 << i
		}
	}
	for d := 1; d < battleship.MaxSide && bits.OnesCount8(longer[d]) >= 2; d++ {
		z.reach = d
	}
	for o := range z.planes {
		p := &z.planes[o]
		for d := 1; d <= z.reach; d++ {
			clear(p.cross[d][:z.squares])
			if d == 1 {
				copy(p.across[1][:z.squares], p.edge[:z.squares])
				continue
			}
			// a placement through squares 0 and d-1 reaches square d unless it
			// ends at d-1
			mask := uint64(0)
			for i := range 4 {
				if longer[d-1]>>i&1 != 0 {
					mask |= lane << (16 * i)
				}
			}
			for s := range z.squares - d {
				p.across[d][s] = p.across[d-1][s] - p.end[s+d-1]&mask
			}
		}
	}
	for d := 1; d <= z.reach; d++ {
		for e := 1; e <= z.reach; e++ {
			pairs := [6]bool{}
			some := false
			for x, pair := range sides {
				a, b := uint8(1<<pair[0]|1<<pair[1]), uint8(1<<pair[2]|1<<pair[3])
				pairs[x] = a&^longer[d] == 0 && b&^longer[e] == 0
				some = some || pairs[x]
			}
			if some {
				z.rectangles(d, e, &pairs)
			}
		}
	}
}

// sides are the ways to choose two ships across and two down.
var sides = [6][4]int{{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}}

// rectangles adds those with corners d columns and e rows apart.
func (z *kernel) rectangles(d, e int, pairs *[6]bool) {
	a, b := &z.planes[0], &z.planes[1]
	for row := range z.height - e {
		for column := range z.width - d {
			top := row*z.width + column
			bottom := top + e*z.width
			left := column*z.height + row
			right := left + d*z.height
			at, ab, dl, dr := a.across[d][top], a.across[d][bottom], b.across[e][left], b.across[e][right]
			if at == 0 || ab == 0 || dl == 0 || dr == 0 {
				continue
			}
			var gt, gb, gl, gr uint64
			for x, ok := range pairs {
				if !ok {
					continue
				}
				i, j, k, l := 16*sides[x][0], 16*sides[x][1], 16*sides[x][2], 16*sides[x][3]
				ti, tj, bi, bj := at>>i&lane, at>>j&lane, ab>>i&lane, ab>>j&lane
				lk, ll, rk, rl := dl>>k&lane, dl>>l&lane, dr>>k&lane, dr>>l&lane
				across, down := ti*bj+tj*bi, lk*rl+ll*rk
				gt += (bj<<i + bi<<j) * down
				gb += (tj<<i + ti<<j) * down
				gl += (rl<<k + rk<<l) * across
				gr += (ll<<k + lk<<l) * across
			}
			a.cross[d][top] += gt
			a.cross[d][bottom] += gb
			b.cross[e][left] += gl
			b.cross[e][right] += gr
		}
	}
}
