package arena

// starts.go deals out the starts of games that have finitely many: openings of
// a book, maps of a set.

// parts are the shares of the starts that each phase of a study takes, in twentieths: the
// search half, the final a tenth, the validation the rest. No start is in two parts,
// whatever the seeds: the answer is proved on starts that the search has not seen.
var parts = [...]struct{ from, to int64 }{
	Match:      {0, 20},
	Tune:       {0, 10},
	Final:      {10, 12},
	Validation: {12, 20},
}

// Supply is the number of different starts that a phase can draw from, or 0
// where there is no end of them. Tune, Final and Validation have disjoint parts;
// a Match draws from all.
func (rs *Ruleset) Supply(p Phase) int64 {
	from, to := part(rs.Starts, p)
	return to - from
}

// part is the range of places that a phase takes in the fixed order of n starts.
func part(n int64, p Phase) (from, to int64) {
	if int(p) >= len(parts) {
		p = Match
	}
	return cut(n, parts[p].from), cut(n, parts[p].to)
}

// cut is n at/20, rounded, without leaving 64 bits.
func cut(n, at int64) int64 { return n/20*at + (n%20*at+10)/20 }

// Start is which of the game's starts this game begins from, in [0, Starts): for
// a game whose Definition says how many there are. Blocks of one seed and phase
// meet no start twice before they have met each once; the games of a block, and
// all entrants, meet the same one. It is -1 where the game has no end of starts,
// and where a phase's part of very few is empty it is one of all.
func (f *Fixture) Start() int64 {
	if f.Streams != nil {
		f.Streams(-1, Starting)
	}
	if f.Starts <= 0 {
		return -1
	}
	from, to := part(f.Starts, f.Phase)
	if to == from {
		from, to = 0, f.Starts
	}
	size := to - from
	round := f.Block / size
	place := from + permuted(f.Block%size, size, f.Seed^mix(uint64(round)+gamma)^uint64(f.Phase)<<56)
	return permuted(place, f.Starts, 0) // the same for every seed
}

// Starting is the purpose under which Fixture.Streams is told of Start.
const Starting Purpose = 1<<32 - 1

// permuted is where i goes in a permutation of 0..n-1 that the key chooses: a
// Feistel network over the next power of four, walked until it is back inside
// (Black and Rogaway, Ciphers with Arbitrary Finite Domains, 2002).
func permuted(i, n int64, key uint64) int64 {
	half := 1
	for int64(1)<<(2*half) < n {
		half++
	}
	mask := uint64(1)<<half - 1
	x := uint64(i)
	for {
		left, right := x>>half, x&mask
		for round := range uint64(6) {
			left, right = right, left^(mix(right+key+(round+1)*gamma)&mask)
		}
		if x = left<<half | right; x < uint64(n) {
			return int64(x)
		}
	}
}
