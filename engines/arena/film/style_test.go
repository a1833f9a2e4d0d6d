package film_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/arena/arenatest"
	"sakusen/strategies"
)

// The style sheet of the boards has every class that is drawn and no other, and
// every colour that it uses.
func TestStyle(t *testing.T) {
	sheet, err := os.ReadFile("../../../tuner/web/static/boards.css")
	if err != nil {
		t.Fatal(err)
	}
	styled := map[string]bool{}
	for _, m := range regexp.MustCompile(`\.((tb|lb)-[a-z0-9-]+)`).FindAllStringSubmatch(string(sheet), -1) {
		styled[m[1]] = true
	}
	drawn := map[string]bool{}
	class := regexp.MustCompile(`class="([^"]*)"`)
	see := func(svg string) {
		for _, m := range class.FindAllStringSubmatch(svg, -1) {
			for name := range strings.FieldsSeq(m[1]) {
				if strings.HasPrefix(name, "tb-") || strings.HasPrefix(name, "lb-") {
					drawn[name] = true
				}
			}
		}
	}
	files, err := filepath.Glob("../../../strategies/*/testdata/*.svg")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d drawings, %v", len(files), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		see(string(text))
	}
	for _, c := range []struct{ game, rules string }{{"tubstap", "map=own04"}, {"lifeboats", "players=6 vote_tie=start_player"}} {
		g, err := strategies.All().Game(c.game)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range arenatest.Sound(t, g.Scene, arenatest.Series(t, g.Game, c.rules, "random")).Frames {
			see(f.SVG)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(drawn)) {
		if !styled[name] {
			t.Errorf("class %s is drawn and has no style", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(styled)) {
		if !drawn[name] {
			t.Errorf("class %s has a style and is never drawn", name)
		}
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`var\(--([a-z0-9-]+)\)`).FindAllStringSubmatch(string(sheet), -1) {
		used[m[1]] = true
	}
	set := map[string]bool{}
	for _, m := range regexp.MustCompile(`--([a-z0-9-]+):`).FindAllStringSubmatch(string(sheet), -1) {
		set[m[1]] = true
		if !used[m[1]] {
			t.Errorf("the colour --%s is not used", m[1])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if !set[name] && (strings.HasPrefix(name, "tb-") || strings.HasPrefix(name, "lb-")) {
			t.Errorf("the colour --%s is nowhere", name)
		}
	}
}
