package entry

import (
	"fmt"
	"strings"

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

// faultKinds are the kinds of faults as games count them, in the order in which people read them:
// what a player did in so many games, and how a game ends by it.
var faultKinds = []struct{ kind, did, how string }{
	{"crashes", "crashed in", "by a crash"},
	{"overtime", "lost on time in", "on time"},
	{"stalls", "did not answer in", "for want of an answer"},
	{"illegal", "made an illegal move in", "by an illegal move"},
	{"garbled", "answered what is no move in", "by an answer that is no move"},
	{AnyFault, "made an error in", "by an error"},
	{"disputes", "did not agree with its opponent on the result in", "in dispute"},
	{VoidGames, "", "without a result"},
}

// Did reports what a player did in how many games, such as "lost on time in 103 and made an illegal
// move in 2"; empty without a fault.
func (c FaultCounts) Did(count func(int64) string) string {
	var parts []string
	for _, k := range faultKinds {
		if n := c[k.kind]; n > 0 && k.did != "" {
			parts = append(parts, k.did+" "+count(n))
		}
	}
	return strings.Join(parts, " and ")
}

// FaultHow reports how a game ended in which so much of each component was counted, by its first
// kind of fault, such as "on time"; "by an error" where it is none of those.
func FaultHow(rs *arena.Ruleset, counted []int64) string {
	for _, k := range faultKinds {
		if c := rs.Component(k.kind); c >= 0 && c < len(counted) && counted[c] > 0 {
			return k.how
		}
	}
	return "by an error"
}

// MostOnTime is the share of games lost on time from which they decide, and not how well is played.
const MostOnTime = .05

// TimeCure is what helps where games lost on time decide.
const TimeCure = "fewer games at once, a longer limit or a wider margin"

// TimeDecides returns why games under some rules prove no gain, of which so many were lost on time by
// either side; empty where they were few, or where such games are void.
func TimeDecides(rs *arena.Ruleset, lost, games int64) string {
	if rule, _ := rs.Rules.Get("faults"); rule == "void" || float64(lost) <= MostOnTime*float64(games) {
		return ""
	}
	return fmt.Sprintf("%d of the %d games were lost on time, and with more than %g %% that decides: play %s", lost, games, 100*MostOnTime, TimeCure)
}

// newFaults counts the faults of a tally.
func newFaults(s arena.Series, t *arena.Tally) *Faults {
	var out Faults
	for i := range t.Entrants {
		if i > 0 && arena.AllEqual(s.Entrants) {
			break // one player in all seats, whose games each entrant has
		}
		faults := EntrantFaults(s.Ruleset, &t.Entrants[i])
		if i == 0 {
			out.Own = faults
			continue
		}
		delete(faults, VoidGames) // all players have those
		delete(faults, "disputes")
		out.Others.Add(faults)
	}
	if out.Own == nil && len(out.Others) == 0 {
		return nil
	}
	return &out
}

// EntrantFaults counts the faults of an entrant, nil where it has none.
func EntrantFaults(rs *arena.Ruleset, e *arena.EntrantTally) (of FaultCounts) {
	named := int64(0)
	for _, k := range faultKinds {
		c := rs.Component(k.kind)
		if c < 0 || k.kind == AnyFault {
			continue
		}
		if k.kind != VoidGames && k.kind != "disputes" {
			named += e.Sums[c]
		}
		of.add(k.kind, e.Sums[c])
	}
	of.add(AnyFault, e.Faults-named)
	return of
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
