package arena

import "fmt"

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

// NewTally is the tally of no blocks.
func NewTally(seats, components int) Tally {
	t := Tally{Seats: seats, Entrants: make([]EntrantTally, seats)}
	for e := range t.Entrants {
		t.Entrants[e] = EntrantTally{
			Scores: make([]int64, int64(seats)*Scale(seats)+1),
			Seats:  make([]SeatTally, seats),
			Sums:   make([]int64, components),
			Cross:  triangle(components),
		}
		for s := range t.Entrants[e].Seats {
			t.Entrants[e].Seats[s] = SeatTally{Sums: make([]int64, components), Cross: triangle(components)}
		}
	}
	return t
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
	win := Scale(t.Seats)
	sums := make([]int64, r.Components)
	for b := range r.Blocks {
		t.Blocks++
		t.Games += int64(r.Rotations)
		t.Digest += r.blockDigest(b)
		for e := range t.Entrants {
			entrant := &t.Entrants[e]
			score := int64(0)
			clear(sums)
			for rot := range t.Seats {
				seat := (e + rot) % t.Seats
				// The rotations of a mirror block are the same game.
				g := r.Game(b, rot%r.Rotations, seat)
				score += g[0]
				entrant.Faults += g[1]
				entrant.rank(r, b, rot%r.Rotations, g[0], win)
				entrant.Seats[seat].add(g)
				for c, x := range g[2:] {
					sums[c] += x
				}
			}
			entrant.Scores[score]++
			for c, x := range sums {
				entrant.Sums[c] += x
			}
			addProducts(entrant.Cross, sums)
		}
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
		a, b := &t.Entrants[i], &u.Entrants[i]
		addInts(a.Scores, b.Scores)
		a.Wins += b.Wins
		a.Draws += b.Draws
		a.Losses += b.Losses
		a.Faults += b.Faults
		addInts(a.Sums, b.Sums)
		addWides(a.Cross, b.Cross)
		for s := range a.Seats {
			a.Seats[s].Games += b.Seats[s].Games
			a.Seats[s].Score += b.Seats[s].Score
			addInts(a.Seats[s].Sums, b.Seats[s].Sums)
			addWides(a.Seats[s].Cross, b.Seats[s].Cross)
		}
	}
	return nil
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
