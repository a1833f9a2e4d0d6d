package entry

import (
	"fmt"

	"sakusen/engines/arena"
)

// Faults are games with a fault of a player's program, by kind: those of the candidate and those
// of its opponents.
type Faults struct {
	Own    FaultCounts `json:"own,omitempty"`
	Others FaultCounts `json:"others,omitempty"`
}

// FaultCounts are numbers of games by the kind of fault; none is 0.
type FaultCounts map[string]int64

// AnyFault is the kind of faults of which the game says no more than that they were some.
const AnyFault = "faults"

// VoidGames is the kind of games that have no result.
const VoidGames = arena.VoidComponent

// FaultKinds returns the kinds of faults as games count them, in the order in which people read them.
func FaultKinds() []string {
	return []string{"crashes", "overtime", "stalls", "illegal", "garbled", AnyFault, "disputes", VoidGames}
}

// mostOnTime is the share of games lost on time from which they decide, and not how well is played.
const mostOnTime = .05

// TimeDecides returns why games under some rules prove no gain, of which so many were lost on time by
// either side; empty where they were few, or where such games are void.
func TimeDecides(rs *arena.Ruleset, lost, games int64) string {
	if rule, _ := rs.Rules.Get("faults"); rule == "void" || float64(lost) <= mostOnTime*float64(games) {
		return ""
	}
	return fmt.Sprintf("%d of the %d games were lost on time, and with more than %g %% that decides: play fewer games at once, a longer limit or a wider margin", lost, games, 100*mostOnTime)
}

// newFaults counts the faults of a tally.
func newFaults(s arena.Series, t *arena.Tally) *Faults {
	var out Faults
	for i := range t.Entrants {
		if i > 0 && arena.AllEqual(s.Entrants) {
			break // one player in all seats, whose games each entrant has
		}
		e, of := &t.Entrants[i], &out.Others
		if i == 0 {
			of = &out.Own
		}
		named := int64(0)
		for _, kind := range FaultKinds() {
			c := s.Ruleset.Component(kind)
			switch {
			case c < 0 || kind == AnyFault, i > 0 && (kind == VoidGames || kind == "disputes"): // all players have those
				continue
			case kind != VoidGames && kind != "disputes":
				named += e.Sums[c]
			}
			of.add(kind, e.Sums[c])
		}
		of.add(AnyFault, e.Faults-named)
	}
	if out.Own == nil && out.Others == nil {
		return nil
	}
	return &out
}

// add adds games of a kind.
func (c *FaultCounts) add(kind string, games int64) {
	if games == 0 {
		return
	}
	if *c == nil {
		*c = FaultCounts{}
	}
	if (*c)[kind] += games; (*c)[kind] == 0 {
		delete(*c, kind)
	}
}

// OnTime returns the games that either side has lost because no answer came in time.
func (f *Faults) OnTime() int64 {
	if f == nil {
		return 0
	}
	return f.Own["overtime"] + f.Own["stalls"] + f.Others["overtime"] + f.Others["stalls"]
}

// Add adds the games of others.
func (c *FaultCounts) Add(d FaultCounts) {
	for kind, games := range d {
		c.add(kind, games)
	}
}

// Sum returns all games but void ones.
func (c FaultCounts) Sum() (games int64) {
	for kind, n := range c {
		if kind != VoidGames {
			games += n
		}
	}
	return games
}

// Plus returns the faults of both.
func (f *Faults) Plus(g *Faults) *Faults {
	if f == nil {
		return g
	}
	if g == nil {
		return f
	}
	var out Faults
	for _, x := range []*Faults{f, g} {
		out.Own.Add(x.Own)
		out.Others.Add(x.Others)
	}
	return &out
}

// less returns the faults f without those of g, which are part of them.
func (f *Faults) less(g *Faults) *Faults {
	if g == nil {
		return f
	}
	var minus Faults
	for kind, games := range g.Own {
		minus.Own.add(kind, -games)
	}
	for kind, games := range g.Others {
		minus.Others.add(kind, -games)
	}
	if out := f.Plus(&minus); len(out.Own)+len(out.Others) > 0 {
		return out
	}
	return nil
}
