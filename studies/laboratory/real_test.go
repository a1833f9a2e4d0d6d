package laboratory

import (
	"strings"
	"testing"

	"sakusen/engines/suite"
)

// Where a space is finite, however few its members are, and whether they are numbers, choices or
// have conditions: the default finds nearly the best of them, and its claims hold.
func TestFewMembersAreTold(t *testing.T) {
	suite.All(t)
	const studies = 3
	held := 0
	for name, least := range map[string]float64{"battleship thresholds": 42, "battleship placements": 95} {
		truth, n := found(t, named(t, name), methods()[0], 20_000, 1, studies)
		if held += n; truth < least {
			t.Errorf("%s: %.1f Elo, want %.0f", name, truth, least)
		}
	}
	if held < 2*studies-2 {
		t.Errorf("%d of %d intervals hold the truth", held, 2*studies)
	}
}

// In Pig the players that beat other players are not those that gain most against the
// baseline: the default search finds the latter.
func TestPigIsClimbedAgainstTheBaseline(t *testing.T) {
	suite.All(t)
	g := named(t, "pig from 10")
	if !setupOf(t, g).Duels {
		t.Fatal("the default search is one in duels")
	}
	if truth, _ := found(t, g, methods()[0], 20_000, 1, 3); truth < 0.93*g.Top {
		t.Errorf("%s: %.1f of %.1f Elo", g.Name, truth, g.Top)
	}
}

// A height that is believed where nothing was played makes neither a search of many games nor
// its answer: in this study 876 Elo were once believed of a player that loses 143.
func TestNoPromiseWithoutGames(t *testing.T) {
	suite.All(t)
	g := named(t, "greedy pig from 10")
	err := (&bench{Seeds: 1, First: 1117}).Run(t.Context(), []cell{g.cell(100_000)}, methods()[:1], func(r result) {
		if o := r.Outcomes[0]; o.Claimed == nil || o.Truth < 0.93*g.Top || *o.Claimed > 1.3*g.Top {
			t.Errorf("%s: %+v of %.1f Elo", g.Name, o, g.Top)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// At a table of five no candidate meets another candidate, so that SPSA climbs against the baseline there
// and head to head elsewhere, and a trial of 200 games has 40 blocks.
func TestTablesOfFive(t *testing.T) {
	for _, g := range grounds() {
		mode, rungs := "mode: duels", "rungs: [100]"
		if g.Name == "lifeboats" {
			mode, rungs = "mode: baseline", "rungs: [40]"
		}
		if text, ok := climbing().study(g, 5_000, 1); ok == g.Mixed || !strings.Contains(text, mode) {
			t.Errorf("SPSA on %s: %v\n%s", g.Name, ok, text)
		}
		if text, _ := flat().study(g, 5_000, 1); !strings.Contains(text, rungs) {
			t.Errorf("%s: 200 games are not %s:\n%s", g.Name, rungs, text)
		}
	}
}

// Every study file of every table is one that the tuner reads.
func TestStudyFiles(t *testing.T) {
	for _, e := range [][]cell{realCells(5_000), realCells(20_000), drawn(kindsOf(""), 5_000, false), drawn(kindsOf(""), 20_000, true)} {
		for _, c := range e {
			g, err := c.at(1)
			if err != nil {
				t.Fatal(err)
			}
			served := 0
			for _, m := range append(methods(), flights()...) {
				text, ok := m.study(g, c.Games, 1)
				if !ok {
					continue
				}
				if _, err := g.read(m.Name, text); err != nil {
					t.Errorf("%s, %s: %v", m.Name, c.label(), err)
				}
				served++
			}
			if served < 7 {
				t.Errorf("%s: %d methods serve it", c.label(), served)
			}
		}
	}
}
