package battleship

import (
	"errors"
	"strconv"
	"testing"

	"sakusen/engines/param"
)

// rules makes rules with the given options.
func rules(t testing.TB, given ...param.Value) (*Rules, error) {
	t.Helper()
	r, errs := NewRules(given)
	return r, errors.Join(errs...)
}

func TestRules(t *testing.T) {
	russian := []param.Value{
		{Name: "carrier.ships", Text: "0"}, {Name: "battleship.ships", Text: "1"},
		{Name: "cruiser.ships", Text: "2"}, {Name: "submarine.length", Text: "2"},
		{Name: "submarine.ships", Text: "3"}, {Name: "destroyer.length", Text: "1"}, {Name: "destroyer.ships", Text: "4"},
	}
	for _, c := range []struct {
		name  string
		given []param.Value
		want  string // of the error; of the fleet's squares
	}{
		{"classic", nil, "17"},
		{"ten ships", russian, "20"},
		{"largest", []param.Value{{Name: "width", Text: "16"}, {Name: "height", Text: "16"}, {Name: "carrier.length", Text: "16"}}, "28"},
		{"too many ships", []param.Value{{Name: "destroyer.ships", Text: "9"}}, "fleet of 13 ships: want 1 to 12"},
		{"no ships", []param.Value{{Name: "carrier.ships", Text: "0"}, {Name: "battleship.ships", Text: "0"}, {Name: "cruiser.ships", Text: "0"}, {Name: "submarine.ships", Text: "0"}, {Name: "destroyer.ships", Text: "0"}}, "fleet of 0 ships: want 1 to 12"},
		{"too small", []param.Value{{Name: "width", Text: "4"}, {Name: "height", Text: "4"}}, "the fleet of 17 squares: expected one that can be placed on 4 x 4 squares"},
		{"too long", []param.Value{{Name: "width", Text: "4"}, {Name: "height", Text: "9"}, {Name: "carrier.length", Text: "10"}}, "the fleet of 22 squares: expected one that can be placed on 4 x 9 squares"},
		{"too wide", []param.Value{{Name: "width", Text: "17"}}, "width: expected an integer in 1..16, got 17"},
	} {
		r, err := rules(t, c.given...)
		if err != nil {
			if err.Error() != c.want {
				t.Errorf("%s: got %v, want %s", c.name, err, c.want)
			}
			continue
		}
		if got := r.Fleet().Squares(); c.want != strconv.Itoa(got) {
			t.Errorf("%s: %d squares, want %s", c.name, got, c.want)
		}
	}
}
