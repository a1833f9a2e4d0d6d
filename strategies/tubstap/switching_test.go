package tubstap

import (
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/tubstap"
)

func TestComplex(t *testing.T) {
	m, err := tubstap.EmbeddedMap("paper12b")
	if err != nil {
		t.Fatal(err)
	}
	s := m.Start(tubstap.Rules{})
	log := s.LogMoves(tubstap.Red)
	for _, c := range []struct {
		set  switchingSettings
		want bool
	}{
		{switchingSettings{Measure: Units, Units: 12}, true},
		{switchingSettings{Measure: Units, Units: 13}, false},
		{switchingSettings{Measure: Moves, LogMoves: log}, true},
		{switchingSettings{Measure: Moves, LogMoves: log + 0.01}, false},
	} {
		if got := c.set.complex(s); got != c.want {
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
	set := MuctSettings{Simulations: 100, Expansion: 10, C: 0.15, Attack: 80}
	s := m.Start(tubstap.Rules{})
	never := switchingPlayer{switchingSettings: switchingSettings{Measure: Units, Units: 25}}
	never.deep.MuctSettings = set
	plain := MuctPlayer{muctSearch: muctSearch{MuctSettings: set}}
	x, y := arena.NewStream(1, 1), arena.NewStream(1, 1)
	never.Turn(s, &x)
	plain.Turn(s, &y)
	if a, b := never.Act(s), plain.Act(s); a != b {
		t.Errorf("%v, muct plays %v", a, b)
	}
}
