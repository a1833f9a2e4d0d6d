package web

import (
	"strings"
	"testing"

	"sakusen/tuner/view"
)

// Names of opponents that do not fit a chart are shortened so that they still differ.
func TestLabels(t *testing.T) {
	for _, names := range [][]string{
		{"checkerboard", "checkerboard(place.kind=edge1)", "checkerboard(place.kind=edge2)"},
		{"mp(start_squares=50,open_hits=a)", "mp(start_squares=60,open_hits=a)", "mp(start_squares=70,open_hits=a)"},
	} {
		var all []view.Opponent
		for _, name := range names {
			all = append(all, view.Opponent{Name: name})
		}
		seen := map[string]bool{}
		for i, label := range labels(all) {
			if seen[label] || len([]rune(label)) > mostOpponent {
				t.Errorf("%s is drawn as %s", names[i], label)
			}
			seen[label] = true
		}
	}
}

// The numbers of trials that alone are drawn are read from an address.
func TestNumbersOf(t *testing.T) {
	if all, err := numbersOf("3,1,200"); err != nil || len(all) != 3 || !all[200] || all[2] {
		t.Errorf("%v %v", all, err)
	}
	for _, text := range []string{"1,", "a", "-1", "1-3", strings.Repeat("1,", mostOnly) + "1"} {
		if all, err := numbersOf(text); err == nil {
			t.Errorf("%.20q is read as %d numbers", text, len(all))
		}
	}
}
