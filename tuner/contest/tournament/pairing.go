package tournament

import (
	"crypto/sha256"
	"encoding/binary"
	"sort"
	"strconv"
	"strings"

	"sakusen/engines/arena"
)

// separator stands between the names of a label.
const separator = " - "

// Pairing is who meets: one entrant for each seat, by index, as they sit in
// rotation 0.
type Pairing []int

// Mirror tells whether it is an entrant against itself.
func (p Pairing) Mirror() bool {
	for _, e := range p[1:] {
		if e != p[0] {
			return false
		}
	}
	return true
}

// orders is the number of orderings that its blocks are played in.
func (p Pairing) orders() int {
	if p.Mirror() {
		return 1
	}
	return len(p)
}

// member is the index into the pairing of who sits in a seat in a rotation.
func (p Pairing) member(seat, rotation int) int {
	return (seat - rotation + len(p)) % len(p)
}

// label names the entrants in the order of the seats, "MP70 - RNB".
func (f *File) label(p Pairing, rotation int) string {
	names := make([]string, len(p))
	for seat := range p {
		names[seat] = f.Entrants[p[p.member(seat, rotation)]].Name
	}
	return strings.Join(names, separator)
}

// order finds the pairing and the rotation of a label.
func (f *File) order(label string) (pairing, rotation int, ok bool) {
	o, ok := f.orders[label]
	return o.pairing, o.rotation, ok
}

// meet adds a pairing and its labels.
func (f *File) meet(p Pairing) {
	if f.orders == nil {
		f.orders = map[string]sitting{}
	}
	for r := range p.orders() {
		if label := f.label(p, r); !f.plays(label) {
			f.orders[label] = sitting{len(f.Pairings), r}
		}
	}
	f.Pairings = append(f.Pairings, p)
}

// plays tells whether a label stands for something that is played.
func (f *File) plays(label string) bool {
	_, ok := f.orders[label]
	return ok
}

// labels are all orderings that are played.
func (f *File) labels() []string {
	var all []string
	for _, p := range f.Pairings {
		for r := range p.orders() {
			all = append(all, f.label(p, r))
		}
	}
	return all
}

// entrants of a pairing, with names of their own.
func (f *File) entrants(p Pairing) []arena.Entrant {
	entrants := make([]arena.Entrant, len(p))
	for i, e := range p {
		entrants[i] = f.Entrants[e]
	}
	return arena.Distinct(entrants)
}

// pairingSeed is the seed of a pairing's series: the head of the sha256 of the
// file's seed and of what the entrants play, whoever is named first.
func pairingSeed(seed uint64, entrants []arena.Entrant) uint64 {
	texts := make([]string, len(entrants))
	for i, e := range entrants {
		texts[i] = e.Canonical()
	}
	sort.Strings(texts)
	sum := sha256.Sum256([]byte(strconv.FormatUint(seed, 10) + "\n" + strings.Join(texts, "\n") + "\n"))
	return binary.BigEndian.Uint64(sum[:])
}

// sitting is a rotation of a pairing.
type sitting struct{ pairing, rotation int }

// sittings are all orderings in which an entrant has a seat.
func (f *File) sittings(entrant string, seat int) []sitting {
	var all []sitting
	index := f.entrant(entrant)
	for i, p := range f.Pairings {
		for r := range p.orders() {
			if p[p.member(seat, r)] == index {
				all = append(all, sitting{i, r})
			}
		}
	}
	return all
}
