package insight

import (
	"strings"
	"testing"

	"sakusen/tuner/numeral"
)

// A study of many parameters with few games is told what such searches found.
func TestReach(t *testing.T) {
	for _, c := range []struct {
		parameters int
		games      int64
		want       string
	}{
		{2, 2000, ""}, {4, 20000, ""}, {1, 100, ""}, {12, 20000, ""},
		{12, 2000, "with 12 parameters and 2000 games a search may find little: with 2000, and 12 parameters, it found 35 of the 60 Elo that there were on planted hills. More games or fewer parameters find more."},
		{15, 3000, "with 15 parameters and 3000 games a search may find little: with 2000, and 24 parameters, it found 24 of the 60 Elo"},
		{60, 100000, "with 20000, and 24 parameters, it found 43 of"}, {8, 900, "with more games, 2000, and 8 parameters, it found 42 of"},
	} {
		got := reach(c.parameters, c.games)
		if got = strings.ReplaceAll(got, numeral.Thin, ""); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%d parameters, %d games: %q, want %q", c.parameters, c.games, got, c.want)
		}
	}
}
