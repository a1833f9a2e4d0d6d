package lifeboats

// Ballot counts the votes of one vote.
type Ballot struct {
	count [8]uint8
	vote  [MaxPlayers]int8 // by seat, -1 for a seat without a vote
}

// Reset empties the ballot.
func (b *Ballot) Reset() {
	*b = Ballot{vote: [MaxPlayers]int8{-1, -1, -1, -1, -1, -1}}
}

// Cast adds a seat's votes for an option.
func (b *Ballot) Cast(seat, option, votes int) {
	b.vote[seat] = int8(option)
	b.count[option&7] += uint8(votes)
}

// Withdraw takes a seat's votes back.
func (b *Ballot) Withdraw(seat, votes int) {
	if o := b.vote[seat]; o >= 0 {
		b.count[o&7] -= uint8(votes)
		b.vote[seat] = -1
	}
}

// Count is the votes for an option.
func (b *Ballot) Count(option int) int { return int(b.count[option&7]) }

// Leaders are the options with the most votes, none where nobody has voted.
func (b *Ballot) Leaders() Set {
	top, leaders := uint8(1), Set(0)
	for i, n := range b.count {
		switch {
		case n > top:
			top, leaders = n, Set(1)<<i
		case n == top:
			leaders |= 1 << i
		}
	}
	return leaders
}

// FirstFrom is the first vote, going round the players from the start player,
// that is among the leaders.
func (b *Ballot) FirstFrom(start, players int, leaders Set) int {
	for i := range players {
		if o := b.vote[(start+i)%players]; o >= 0 && leaders.Has(int(o)) {
			return int(o)
		}
	}
	return leaders.First()
}
