package laboratory

import (
	"strings"
	"testing"
)

// At a table of five nobody meets another candidate, so that SPSA climbs against the baseline
// there and head to head elsewhere, and a trial of 200 games has 40 blocks.
func TestTablesOfFive(t *testing.T) {
	lifeboats := 0
	for _, c := range Suite(5_000) {
		five := c.Ground != nil && c.Ground.Name == "lifeboats"
		if five {
			lifeboats++
		}
		for _, m := range suiteMethods() {
			text, served := m.study(c, 1)
			switch m.Name {
			case HeadToHead:
				if served && (five || c.mixed()) {
					t.Errorf("%s serves %s", m.Name, c.Label())
				}
			case "SPSA against the baseline":
				if served != five {
					t.Errorf("%s serves %s: %v", m.Name, c.Label(), served)
				}
			case FlatTPE200:
				if rung := map[bool]string{true: "rungs: [40]", false: "rungs: [100]"}[five]; !strings.Contains(text, rung) {
					t.Errorf("%s: 200 games are not %s:\n%s", c.Label(), rung, text)
				}
			}
		}
	}
	if lifeboats != 1 {
		t.Errorf("%d columns of Lifeboats", lifeboats)
	}
}

// Where nobody meets another candidate and there are many numbers, the default climbs without a
// model.
func TestDefaultAtTablesOfFive(t *testing.T) {
	for _, c := range Suite(5_000) {
		if c.Ground == nil || c.Ground.Name != "lifeboats" {
			continue
		}
		text, _ := Methods()[0].study(c, 1)
		setup, err := c.read("lifeboats", text)
		if err != nil {
			t.Fatal(err)
		}
		if setup.Sampler.Name != "spsa" || setup.Duels {
			t.Errorf("the default is %s, duels %v", setup.Sampler.Name, setup.Duels)
		}
	}
}
