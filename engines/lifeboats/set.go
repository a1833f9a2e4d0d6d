package lifeboats

import "math/bits"

// Set is a set of options: of boats, or of players for an expulsion.
type Set uint8

// Has tells whether option i is in the set.
func (s Set) Has(i int) bool { return uint(i) < 8 && s>>uint(i)&1 == 1 }

// Len is the number of options.
func (s Set) Len() int { return bits.OnesCount8(uint8(s)) }

// First is the lowest option of a set that is not empty.
func (s Set) First() int { return bits.TrailingZeros8(uint8(s)) }

// Rest is the set without its lowest option.
func (s Set) Rest() Set { return s & (s - 1) }

// Nth is the n-th lowest option, n in [0, Len()). It is a look-up: a loop of
// unknown length costs a random voter a fifth of its time.
func (s Set) Nth(n int) int { return int(members[s][n&7]) }

// members lists every set's options in order; it is filled once and only read.
var members = listMembers()

func listMembers() *[256][8]uint8 {
	var m [256][8]uint8
	for s := range m {
		n := 0
		for i := range 8 {
			if s>>i&1 == 1 {
				m[s][n] = uint8(i)
				n++
			}
		}
	}
	return &m
}

// With is the set with option i.
func (s Set) With(i int) Set { return s | 1<<uint(i&7) }

// Without is the set without option i.
func (s Set) Without(i int) Set { return s &^ (1 << uint(i&7)) }
