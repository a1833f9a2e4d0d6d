package arena

// Outcome is the result of one game, filled in by a referee.
type Outcome struct {
	// Scores holds each seat's share of the game in units of 1/Scale(seats).
	Scores []int64
	// Faults marks the seats that made an illegal move.
	Faults []bool
	// Void says that the game shows nothing: it makes its whole block a draw for all, and
	// the block is counted in the component "void" of every seat.
	Void bool
	// Transcript is the digest of the game's events.
	Transcript Transcript

	width  int
	counts []int64
}

// NewOutcome is an empty outcome for the given numbers of seats and components.
func NewOutcome(seats, components int) *Outcome {
	return &Outcome{
		Scores: make([]int64, seats),
		Faults: make([]bool, seats),
		width:  components,
		counts: make([]int64, seats*components),
	}
}

// Scale is the number of score units in one game: the least common multiple of
// 1..seats, so that a win shared by any number of players is an integer. Two
// seats: a win is 2, a draw 1.
func Scale(seats int) int64 {
	l := int64(1)
	for i := int64(2); i <= int64(seats); i++ {
		a, b := l, i
		for b != 0 {
			a, b = b, a%b
		}
		l = l / a * i
	}
	return l
}

// Count sets a component of a seat.
func (o *Outcome) Count(seat, component int, n int64) { o.counts[seat*o.width+component] = n }

// Counts are the components of a seat, to be read or written in place.
func (o *Outcome) Counts(seat int) []int64 {
	return o.counts[seat*o.width : (seat+1)*o.width]
}

// Share gives the game to the seats in the set, in equal parts.
func (o *Outcome) Share(winners func(seat int) bool) {
	n := int64(0)
	for s := range o.Scores {
		o.Scores[s] = 0
		if winners(s) {
			n++
		}
	}
	if n == 0 {
		return
	}
	part := Scale(len(o.Scores)) / n
	for s := range o.Scores {
		if winners(s) {
			o.Scores[s] = part
		}
	}
}

// Win gives the game to one seat.
func (o *Outcome) Win(seat int) {
	for s := range o.Scores {
		o.Scores[s] = 0
	}
	o.Scores[seat] = Scale(len(o.Scores))
}

// reset prepares the outcome for the next game.
func (o *Outcome) reset() {
	clear(o.Scores)
	clear(o.Faults)
	o.Void = false
	clear(o.counts)
	o.Transcript = Transcript{}
}
