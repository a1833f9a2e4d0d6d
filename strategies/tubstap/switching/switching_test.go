package switching

import (
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/tubstap"
	"sakusen/strategies/tubstap/muct"
)

func TestComplex(t *testing.T) {
	m, err := tubstap.EmbeddedMap("paper12b")
	if err != nil {
		t.Fatal(err)
	}
	s := m.Start(tubstap.Rules{})
	log := s.LogMoves(tubstap.Red)
	for _, c := range []struct {
		set  Settings
		want bool
	}{
		{Settings{Measure: Units, Units: 12}, true},
		{Settings{Measure: Units, Units: 13}, false},
		{Settings{Measure: Moves, LogMoves: log}, true},
		{Settings{Measure: Moves, LogMoves: log + 0.01}, false},
	} {
		if got := c.set.Complex(s); got != c.want {
			t.Errorf("%+v: %v, want %v (log10 of the moves is %v)", c.set, got, c.want, log)
		}
	}
}

// TestPlaysLikeItsParts: with the threshold out of reach the player is muct,
// to the action.
func TestPlaysLikeItsParts(t *testing.T) {
	m, err := tubstap.EmbeddedMap("own02")
	if err != nil {
		t.Fatal(err)
	}
	set := muct.Settings{Simulations: 100, Expansion: 10, C: 0.15, Attack: 80}
	s := m.Start(tubstap.Rules{})
	never := player{Settings: Settings{Measure: Units, Units: 25}}
	never.deep.Settings = set
	plain := muct.Player{Search: muct.Search{Settings: set}}
	x, y := arena.NewStream(1, 1), arena.NewStream(1, 1)
	never.Turn(s, &x)
	plain.Turn(s, &y)
	if a, b := never.Act(s), plain.Act(s); a != b {
		t.Errorf("%v, muct plays %v", a, b)
	}
}
