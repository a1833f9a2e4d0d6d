package tubstap

import "sakusen/engines/arena"

// shake applies the start noise to the units of a map, in id order: first
// the position (left, right, up or down, if that cell is empty and the unit
// may enter it), then the HP (a coin: one up below 10, or one down above 1).
func shake(m *Map, units []Unit, pos, hp bool, chance *arena.Stream) {
	taken := func(x, y int8) bool {
		for _, u := range units {
			if u.X == x && u.Y == y {
				return true
			}
		}
		return false
	}
	for i := range units {
		u := &units[i]
		if pos {
			d := chance.IntN(4)
			x, y := u.X+[4]int8{-1, 1, 0, 0}[d], u.Y+[4]int8{0, 0, -1, 1}[d]
			if m.Playable(int(x), int(y)) && u.Kind.Cost(m.At(int(x), int(y))) < impassable && !taken(x, y) {
				u.X, u.Y = x, y
			}
		}
		if hp {
			switch up := chance.IntN(2) == 0; {
			case up && u.HP < FullHP:
				u.HP++
			case !up && u.HP > 1:
				u.HP--
			}
		}
	}
}
