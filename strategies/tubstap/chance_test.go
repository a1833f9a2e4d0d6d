package tubstap

import (
	"testing"

	"sakusen/engines/tubstap"
)

// Sides of equal strength have about equal chances, a much stronger one has the greater.
func TestOdds(t *testing.T) {
	m, err := tubstap.EmbeddedMap("paper12b")
	if err != nil {
		t.Fatal(err)
	}
	var o odds
	board := m.Start(tubstap.Rules{AntiAirInfantry: 105}).Board()
	even := o.after(tubstap.Began{Board: board})
	if len(even) != 2 || even[0]+even[1] != 1 || even[0] < 0.1 || even[0] > 0.9 {
		t.Fatalf("%v", even)
	}
	weak := append([]tubstap.Unit(nil), board.Units...)
	for i, left := range weak {
		if left.Team == tubstap.Blue {
			weak[i].HP = 1
		}
	}
	board.Units = weak
	if now := o.after(tubstap.TurnEnded{Board: board}); now[tubstap.Red] < 0.9 {
		t.Errorf("10 HP a unit against 1: %v", now)
	}
	if now := o.after(tubstap.Ended{Board: board, Winner: tubstap.Nobody}); now[0] != 0.5 {
		t.Errorf("after a draw: %v", now)
	}
}
