package tournament

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/tuner/yamlfile"
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

// readPairings makes the list of pairings, or reads it.
func (f *File) readPairings(root *yamlfile.Mapping, whole bool) {
	items := root.List("pairings")
	if f.Format != Listed {
		if root.Has("pairings") {
			root.Fail("pairings", "no list of pairings unless format is "+Listed, "one")
		}
		if whole {
			for _, p := range f.everyone() {
				f.meet(p)
			}
			if len(f.Pairings) == 0 {
				root.Fail("entrants", "at least two entrants, or selfplay: true", strconv.Itoa(len(f.Entrants)))
			}
		}
		return
	}
	if f.Selfplay {
		root.Fail("selfplay", "no selfplay where pairings are listed: list them", "true")
	}
	if !root.Require("pairings", "a list of pairings, as format is "+Listed) || !whole {
		return
	}
	if len(items) == 0 {
		root.Fail("pairings", "at least one pairing", "none")
	}
	for _, item := range items {
		if root.Doc.TooManyMistakes() {
			break
		}
		if p, ok := f.readPairing(item); ok {
			f.meet(p)
		}
	}
}

func (f *File) readPairing(item yamlfile.Item) (Pairing, bool) {
	names := item.List()
	if names == nil {
		return nil, false
	}
	if len(names) != f.Ruleset.Seats {
		item.Fail(fmt.Sprintf("%d names, one for each seat", f.Ruleset.Seats), strconv.Itoa(len(names)))
		return nil, false
	}
	var p Pairing
	for _, n := range names {
		name, ok := n.Scalar()
		e := f.entrant(name)
		if !ok || e < 0 {
			n.Fail("the name of an entrant", yamlfile.Nearest(name, f.names()))
			continue
		}
		p = append(p, e)
	}
	if len(p) < len(names) {
		return nil, false
	}
	if f.plays(f.label(p, 0)) {
		item.Fail("a pairing that is not there yet, in any order", f.label(p, 0))
		return nil, false
	}
	return p, true
}

// everyone is the pairings of a round robin or a gauntlet. With two seats every
// two entrants meet; with more, each sits alone among equals of each other.
func (f *File) everyone() []Pairing {
	seats := f.Ruleset.Seats
	alone := func(i, j int) Pairing {
		p := Pairing{i}
		for len(p) < seats {
			p = append(p, j)
		}
		return p
	}
	var all []Pairing
	for i := range f.Entrants {
		if f.Selfplay {
			all = append(all, alone(i, i))
		}
		for j := range f.Entrants {
			meet := i < j || seats > 2 && i != j
			if f.Format == Gauntlet {
				meet = i == 0 && j > 0
			}
			if meet && seats > 1 {
				all = append(all, alone(i, j))
			}
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
