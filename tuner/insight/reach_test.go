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
		{12, 2000, "a search of 12 parameters with 2000 games may find little: on planted hills of 60 Elo, searches of 12 parameters with 2000 games found 35. More games or fewer parameters find more."},
		{15, 3000, "a search of 15 parameters with 3000 games may find little: on planted hills of 60 Elo, searches of 24 parameters with 2000 games found 24."},
		{60, 100000, "searches of 24 parameters with 20000 games found 43."}, {8, 900, "searches of 8 parameters with 2000 games found 42."},
	} {
		got := reach(c.parameters, c.games)
		if got = strings.ReplaceAll(got, numeral.Thin, ""); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%d parameters, %d games: %q, want %q", c.parameters, c.games, got, c.want)
		}
	}
}
