package tournament

import (
	"fmt"
	"strconv"

	"sakusen/tuner/studyfile/yamlfile"
)

// readPairings makes the list of pairings, or reads it.
func (f reader) readPairings(whole bool) {
	if f.Format != Listed {
		if f.Has("pairings") {
			f.Fail("pairings", "no list of pairings unless format is "+Listed, "one")
		}
		if whole {
			for _, p := range f.everyone() {
				f.meet(p)
			}
			if len(f.Pairings) == 0 {
				f.Fail("entrants", "at least two entrants, or selfplay: true", strconv.Itoa(len(f.Entrants)))
			}
		}
		return
	}
	if f.Selfplay {
		f.Fail("selfplay", "no selfplay where pairings are listed: list them", "true")
	}
	if !f.Require("pairings", "a list of pairings, as format is "+Listed) || !whole {
		return
	}
	n := f.Len("pairings")
	if n == 0 {
		f.Fail("pairings", "at least one pairing", "none")
	}
	for i := range n {
		if f.TooManyMistakes() {
			break
		}
		if p, ok := f.readPairing(fmt.Sprintf("pairings[%d]", i)); ok {
			f.meet(p)
		}
	}
}

func (f reader) readPairing(path string) (Pairing, bool) {
	n := f.Len(path)
	if f.Got(path) != "a list" {
		f.Refuse(path, "a list")
		return nil, false
	}
	if n != f.Ruleset.Seats {
		f.Fail(path, fmt.Sprintf("%d names, one for each seat", f.Ruleset.Seats), strconv.Itoa(n))
		return nil, false
	}
	var p Pairing
	for i := range n {
		at := fmt.Sprintf("%s[%d]", path, i)
		name, ok := f.Scalar(at)
		e := f.entrant(name)
		if !ok || e < 0 {
			f.Fail(at, "the name of an entrant", yamlfile.Nearest(name, f.names()))
			continue
		}
		p = append(p, e)
	}
	if len(p) < n {
		return nil, false
	}
	if f.plays(f.label(p, 0)) {
		f.Fail(path, "a pairing that is not there yet, in any order", f.label(p, 0))
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
