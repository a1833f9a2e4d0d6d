package daifugo

import (
	"math"
	"testing"

	"sakusen/engines/daifugo"
)

// A game that can only end one way has a chance of 1; if no player is sure the chances are
// between, and together they are 1.
func TestChances(t *testing.T) {
	rules := daifugo.Rules{Seats: 3, Cards: 8, Ranks: 3}
	sure, err := daifugo.Deal(rules, []daifugo.Hand{1 << 7, 0b11, 0b1100})
	if err != nil {
		t.Fatal(err)
	}
	if got := chances(sure, 3); got[0] != 1 || got[1] != 0 || got[2] != 0 {
		t.Errorf("whoever plays the last card now has %v", got)
	}
	open, err := daifugo.Deal(rules, []daifugo.Hand{0b1010, 0b100100, 0b11000001})
	if err != nil {
		t.Fatal(err)
	}
	got := chances(open, 3)
	if sum := got[0] + got[1] + got[2]; math.Abs(sum-1) > 1e-9 || got[0] <= 0 || got[0] >= 1 {
		t.Errorf("the chances are %v", got)
	}
}
