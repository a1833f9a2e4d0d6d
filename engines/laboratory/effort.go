package laboratory

import "sakusen/engines/arena"

// How the game at less than full effort goes together with the game at full effort.
const (
	SameTop   = "same"     // the same top, lower
	Shifted   = "shifted"  // the top a tenth of the range away in every number
	OtherTop  = "other"    // another landscape
	MirrorTop = "mirrored" // the top on the other side of the default parameters
)

const (
	fullEffort = 100 // per cent
	cheapShare = 0.7 // of the height, where the top is the same
	cheapShift = 0.1 // of the range
	cheapSeed  = 1 << 40
)

// atEffort is the landscape on which games at less than full effort are played.
func (r *Rules) atEffort() *landscape {
	if r.effort == fullEffort {
		return r.land
	}
	other := *r
	if r.relation == OtherTop {
		other.landscapeSeed += cheapSeed
	}
	l := newLandscape(&other)
	l.best = r.land.best
	chance := arena.NewStream(uint64(r.landscapeSeed), 0x6566666f7274)
	for i := range r.dimensions {
		switch r.relation {
		case Shifted:
			side := cheapShift
			if chance.Bool() {
				side = -side
			}
			if l.top[i]+side < 0 || l.top[i]+side > 1 {
				side = -side
			}
			l.top[i] += side
		case MirrorTop:
			l.top[i] = 1 - l.top[i]
		}
	}
	l.scale = 1
	if loss := l.loss(r.Default()); loss > 0 {
		l.scale = 1 / loss
	}
	if r.relation == SameTop {
		other.headroom *= cheapShare
	}
	return l
}
