package arena

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
)

// Tally is the result of a series: integers only, so that tallies of disjoint
// blocks merge exactly, in any order.
type Tally struct {
	Seats  int   `json:"seats"`
	Blocks int64 `json:"blocks"`
	Games  int64 `json:"games"` // games played; a mirror block is one game
	// Digest is the wrapping sum over blocks of a mix of index and transcripts.
	Digest   uint64         `json:"digest,string"`
	Entrants []EntrantTally `json:"entrants"`
}

// EntrantTally is one entrant's part of a tally.
type EntrantTally struct {
	// Scores[i] counts the blocks in which the entrant's games add up to i units
	// of 1/Scale(Seats). Two seats: the pentanomial [LL, LD, DD+WL, WD, WW].
	Scores []int64 `json:"scores"`
	// Wins, Draws and Losses count games: sole firsts, shared firsts, the rest.
	Wins   int64       `json:"wins"`
	Draws  int64       `json:"draws"`
	Losses int64       `json:"losses"`
	Faults int64       `json:"faults,omitempty"`
	Seats  []SeatTally `json:"seats"`
	// Sums[c] is the sum over blocks of x_c, the component's sum over the games
	// of the block; Cross[c][d], d <= c, the sum over blocks of x_c times x_d.
	Sums  []int64  `json:"sums,omitempty"`
	Cross [][]Wide `json:"cross,omitempty"`
}

// SeatTally adds up the games in which an entrant sat in one seat.
type SeatTally struct {
	Games int64   `json:"games"`
	Score int64   `json:"score"` // units of 1/Scale(Seats)
	Sums  []int64 `json:"sums,omitempty"`
	// Squares holds the sums over games of each component's square, and Cross
	// the products of pairs as in EntrantTally.
	Cross [][]Wide `json:"cross,omitempty"`
}

// NewTally returns the tally of no blocks.
func NewTally(seats, components int) Tally {
	t := Tally{Seats: seats, Entrants: make([]EntrantTally, seats)}
	for e := range t.Entrants {
		t.Entrants[e] = newEntrantTally(seats, components)
	}
	return t
}

func newEntrantTally(seats, components int) EntrantTally {
	e := EntrantTally{
		Scores: make([]int64, int64(seats)*Scale(seats)+1),
		Seats:  make([]SeatTally, seats),
		Sums:   make([]int64, components),
		Cross:  triangle(components),
	}
	for s := range e.Seats {
		e.Seats[s] = SeatTally{Sums: make([]int64, components), Cross: triangle(components)}
	}
	return e
}

func triangle(n int) [][]Wide {
	m := make([][]Wide, n)
	for i := range m {
		m[i] = make([]Wide, i+1)
	}
	return m
}

// Add counts the blocks of a run.
func (t *Tally) Add(r *Run) {
	t.Blocks += int64(r.Blocks)
	t.Games += int64(r.Blocks * r.Rotations)
	for b := range r.Blocks {
		t.Digest += r.blockDigest(b)
	}
	sums := make([]int64, r.Components)
	if r.Mirror() && r.Blocks >= longMirror {
		// A mirror has one entrant in all seats: it is counted once and added to each.
		one := newEntrantTally(r.Seats, r.Components)
		one.count(r, 0, sums)
		for e := range t.Entrants {
			t.Entrants[e].merge(&one)
		}
		return
	}
	for e := range t.Entrants {
		t.Entrants[e].count(r, e, sums)
	}
}

// longMirror is the number of blocks above which a tally of its own is less work than
// counting every entrant of a mirror.
const longMirror = 8

// count counts the blocks of a run for an entrant; sums is room for the
// components.
func (e *EntrantTally) count(r *Run, entrant int, sums []int64) {
	win := Scale(r.Seats)
	for b := range r.Blocks {
		score := int64(0)
		clear(sums)
		for rot := range r.Seats {
			seat := (entrant + rot) % r.Seats
			// The rotations of a mirror block are the same game.
			g := r.Game(b, rot%r.Rotations, seat)
			score += g[0]
			e.Faults += g[1]
			e.rank(r, b, rot%r.Rotations, g[0], win)
			e.Seats[seat].add(g)
			for c, x := range g[2:] {
				sums[c] += x
			}
		}
		e.Scores[score]++
		for c, x := range sums {
			e.Sums[c] += x
		}
		addProducts(e.Cross, sums)
	}
}

// rank counts a game as a sole first, a shared first, or neither.
func (e *EntrantTally) rank(r *Run, block, rotation int, score, win int64) {
	if score == win {
		e.Wins++
		return
	}
	for s := range r.Seats {
		if r.Game(block, rotation, s)[0] > score {
			e.Losses++
			return
		}
	}
	e.Draws++
}

func (s *SeatTally) add(game []int64) {
	s.Games++
	s.Score += game[0]
	for c, x := range game[2:] {
		s.Sums[c] += x
	}
	addProducts(s.Cross, game[2:])
}

func addProducts(cross [][]Wide, x []int64) {
	for c := range cross {
		for d := range cross[c] {
			cross[c][d] = cross[c][d].Plus(Product(x[c], x[d]))
		}
	}
}

// blockDigest mixes a block's index with its transcripts.
func (r *Run) blockDigest(block int) uint64 {
	h := mix(uint64(r.From+int64(block)) + gamma)
	for _, d := range r.Digests[block*r.Rotations : (block+1)*r.Rotations] {
		h = mix(h ^ d)
	}
	return h
}

// Merge adds another tally of the same entrants and other blocks.
func (t *Tally) Merge(u Tally) error {
	if t.Seats != u.Seats || len(t.Entrants) != len(u.Entrants) {
		return fmt.Errorf("tally: cannot merge %d seats with %d", t.Seats, u.Seats)
	}
	t.Blocks += u.Blocks
	t.Games += u.Games
	t.Digest += u.Digest
	for i := range t.Entrants {
		t.Entrants[i].merge(&u.Entrants[i])
	}
	return nil
}

// merge adds the tally of the same entrant over other blocks.
func (e *EntrantTally) merge(u *EntrantTally) {
	addInts(e.Scores, u.Scores)
	e.Wins += u.Wins
	e.Draws += u.Draws
	e.Losses += u.Losses
	e.Faults += u.Faults
	addInts(e.Sums, u.Sums)
	addWides(e.Cross, u.Cross)
	for s := range e.Seats {
		e.Seats[s].Games += u.Seats[s].Games
		e.Seats[s].Score += u.Seats[s].Score
		addInts(e.Seats[s].Sums, u.Seats[s].Sums)
		addWides(e.Seats[s].Cross, u.Seats[s].Cross)
	}
}

func addInts(a, b []int64) {
	for i := range a {
		a[i] += b[i]
	}
}

func addWides(a, b [][]Wide) {
	for i := range a {
		for j := range a[i] {
			a[i][j] = a[i][j].Plus(b[i][j])
		}
	}
}

// Wide is a signed 128-bit integer in two's complement, for sums of squares
// that pass 2^63: exact, and the same in whatever order it is added up.
type Wide struct {
	hi int64
	lo uint64
}

// Product returns x*y, exactly.
func Product(x, y int64) Wide {
	ux, uy := magnitude(x), magnitude(y)
	hi, lo := bits.Mul64(ux, uy)
	w := Wide{int64(hi), lo}
	if (x < 0) != (y < 0) {
		return w.negated()
	}
	return w
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func (w Wide) negated() Wide {
	lo, carry := bits.Add64(^w.lo, 1, 0)
	return Wide{^w.hi + int64(carry), lo}
}

// Plus returns w + v.
func (w Wide) Plus(v Wide) Wide {
	lo, carry := bits.Add64(w.lo, v.lo, 0)
	return Wide{w.hi + v.hi + int64(carry), lo}
}

// Minus returns w - v.
func (w Wide) Minus(v Wide) Wide { return w.Plus(v.negated()) }

// Float returns the nearest float64, within one unit in its last place.
func (w Wide) Float() float64 {
	if w.hi < 0 {
		return -w.negated().Float()
	}
	return math.FMA(float64(w.hi), 0x1p64, float64(w.lo))
}

// big returns w as a big integer.
func (w Wide) big() *big.Int {
	x := new(big.Int).Lsh(big.NewInt(w.hi), 64)
	return x.Add(x, new(big.Int).SetUint64(w.lo))
}

// String returns w in decimal.
func (w Wide) String() string { return w.big().String() }

// MarshalText writes w in decimal.
func (w Wide) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (w *Wide) UnmarshalText(text []byte) error {
	x, ok := new(big.Int).SetString(string(text), 10)
	if !ok || x.BitLen() > 127 {
		return fmt.Errorf("128-bit integer: expected decimal digits, got %q", text)
	}
	low := new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64))
	w.lo = low.Uint64()
	w.hi = new(big.Int).Rsh(x, 64).Int64()
	return nil
}
