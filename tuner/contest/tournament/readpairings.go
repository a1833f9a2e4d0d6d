package tournament

import (
	"fmt"
	"strconv"

	"sakusen/tuner/studyfile/yamlfile"
)

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
