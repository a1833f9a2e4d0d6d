package daifugo

import (
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/daifugo"
)

func sampledMade(t *testing.T, judge string) daifugo.Blind {
	t.Helper()
	c := &sampledConfig{deals: 20, nodes: 200, spendBelow: 2, judge: judge}
	return c.player(&daifugo.Options{Players: 3, Cards: 6, Deal: daifugo.Uneven, Hands: daifugo.HiddenHands})
}

// What the player does depends on nothing that it cannot see.
func TestSeesNoHands(t *testing.T) {
	rules := daifugo.Rules{Seats: 3, Cards: 6, Ranks: 3}
	differ := 0
	for seed := range uint64(60) {
		deal := arena.NewStream(seed, 5)
		mine := daifugo.Hand(1 + deal.IntN(63))
		p, err := daifugo.Deal(rules, []daifugo.Hand{mine, 0b000111, 0b110001})
		if err != nil {
			t.Fatal(err)
		}
		q, err := daifugo.Deal(rules, []daifugo.Hand{mine, 0b111000, 0b011010})
		if err != nil {
			t.Fatal(err)
		}
		for _, judge := range []string{judgePlayout, judgeRanks, judgeGreedy} {
			var moves [2]daifugo.Move
			for i, position := range []*daifugo.Position{&p, &q} {
				v := daifugo.See(position, make([]daifugo.Hand, 3))
				chance := arena.NewStream(seed, 9)
				moves[i], _ = sampledMade(t, judge).ChooseBlind(&v, &chance)
				if !position.Legal(moves[i]) {
					t.Fatalf("%s: illegal move %v", judge, moves[i])
				}
			}
			if moves[0] != moves[1] {
				t.Errorf("%s, seed %d: %v and %v", judge, seed, moves[0], moves[1])
			}
			if judge == judgePlayout {
				open, _ := sampledMade(t, judge).Choose(&p, nil)
				if open != moves[0] {
					differ++
				}
			}
		}
	}
	if differ == 0 {
		t.Error("knowing the hands never makes a difference")
	}
}

// With one card that no player can beat and one that any player may, every judge of the open
// game wins at once: 6, then the 1.
func TestWins(t *testing.T) {
	p, err := daifugo.Deal(daifugo.Rules{Seats: 3, Cards: 6, Ranks: 3}, []daifugo.Hand{0b100001, 0b011110, 0b011110})
	if err != nil {
		t.Fatal(err)
	}
	for _, judge := range []string{judgePlayout, judgeRanks, judgeGreedy} {
		if m, _ := sampledMade(t, judge).Choose(&p, nil); m != 6 {
			t.Errorf("%s plays %v, want 6", judge, m)
		}
	}
}
