package view

import (
	"testing"
)

// Names of opponents that do not fit a chart are shortened so that they still differ.
func TestLabels(t *testing.T) {
	for _, names := range [][]string{
		{"checkerboard", "checkerboard(place.kind=edge1)", "checkerboard(place.kind=edge2)"},
		{"mp(start_squares=50,open_hits=a)", "mp(start_squares=60,open_hits=a)", "mp(start_squares=70,open_hits=a)"},
	} {
		var all []Opponent
		for _, name := range names {
			all = append(all, Opponent{Name: name})
		}
		seen := map[string]bool{}
		for i, label := range Labels(all) {
			if seen[label] || len([]rune(label)) > mostOpponent {
				t.Errorf("%s is drawn as %s", names[i], label)
			}
			seen[label] = true
		}
	}
}
