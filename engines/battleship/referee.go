package battleship

// A referee plays games: both fleets are placed, then each side shoots on its
// own until the enemy fleet is sunk. As no attack depends on one's own board,
// this is the alternating game and what would have followed it; the first
// player wins if it needs no more shots than the second.
type referee struct {
	rules *Rules
	sides [2]*party
}

func newReferee(r *Rules) *referee {
	ref := &referee{rules: r}
	for i := range ref.sides {
		s := &party{fleet: make([]Placement, r.fleet.Ships())}
		s.view.Knowledge = &s.knowledge
		ref.sides[i] = s
	}
	return ref
}
