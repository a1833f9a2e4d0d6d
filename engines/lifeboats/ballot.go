package lifeboats

import (
	"math/bits"
)

// Ballot counts the votes of one vote. Byte n of levels holds the options with
// more than n votes, so that the leaders are its last byte that is not 0: which
// option leads cannot be foreseen, and no branch depends on it.
type Ballot struct {
	levels uint64
	vote   [MaxPlayers]int8 // by seat, -1 for a seat without a vote
}

// column selects the bits of option 0.
const column = 0x0101010101010101

// Reset empties the ballot.
func (b *Ballot) Reset() {
	*b = Ballot{vote: [MaxPlayers]int8{-1, -1, -1, -1, -1, -1}}
}

// Cast adds a seat's votes for an option, at most eight in all.
func (b *Ballot) Cast(seat, option, votes int) {
	b.vote[seat] = int8(option)
	for range votes {
		b.add(option)
	}
}

// one adds a seat's single vote.
func (b *Ballot) one(seat, option int) {
	b.vote[seat] = int8(option)
	b.add(option)
}

// add adds a vote. Row n of levels has a bit for every option with more than n votes; the
// option's bits move up by one row, and its bit in row 0 is set.
func (b *Ballot) add(option int) {
	lowest := uint64(1) << uint(option&7)
	b.levels |= (b.levels&(column<<uint(option&7)))<<8 | lowest
}

// Withdraw takes a seat's votes back.
func (b *Ballot) Withdraw(seat, votes int) {
	option := int(b.vote[seat])
	if option < 0 {
		return
	}
	for range votes {
		b.levels &^= 1 << uint(8*(b.Count(option)-1)+option&7)
	}
	b.vote[seat] = -1
}

// Count is the votes for an option.
func (b *Ballot) Count(option int) int {
	return bits.OnesCount64(b.levels & (column << uint(option&7)))
}

// Leaders are the options with the most votes, none where nobody has voted.
func (b *Ballot) Leaders() Set {
	top := (bits.Len64(b.levels|1) - 1) &^ 7
	return Set(b.levels >> uint(top))
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
