package tubstap

import (
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/tubstap"
)

// TestReferenceMatches plays the program's own 400 games of this player
// against itself (200 with Red first, 200 with the sides exchanged) and
// compares Red's wins, Blue's and draws with the program's counts, within
// four standard errors of the difference. The counts were made with the
// published program 0.108 on the embedded maps; it seeds its generator by a
// coarse clock, so that its games are less independent than ours.
func TestReferenceMatches(t *testing.T) {
	for name, want := range map[string][2][3]int{
		"paper12a": {{45, 120, 35}, {109, 49, 42}},
		"paper12b": {{159, 41, 0}, {40, 160, 0}},
		"paper10a": {{1, 176, 23}, {184, 2, 14}},
	} {
		m, err := tubstap.EmbeddedMap(name)
		if err != nil {
			t.Fatal(err)
		}
		for half, start := range []*tubstap.State{m.Start(tubstap.Rules{}), m.StartSwapped(tubstap.Rules{})} {
			var got [3]int
			for game := range 200 {
				got[play(t, start, uint64(game))]++
			}
			for i := range got {
				p := float64(got[i]+want[half][i]) / 400
				if diff := math.Abs(float64(got[i] - want[half][i])); diff > 1+4*math.Sqrt(400*p*(1-p)) {
					t.Errorf("%s, half %d: red, blue, draws %v, the program has %v", name, half, got, want[half])
					break
				}
			}
			t.Logf("%s, half %d: red, blue, draws %v, the program has %v", name, half, got, want[half])
		}
	}
}

// play returns 0 or 1 for the winner and 2 for a draw.
func play(t *testing.T, start *tubstap.State, seed uint64) int {
	s := start.Clone()
	var players [2]singlePlayer
	chance := [2]arena.Stream{arena.NewStream(seed, 0), arena.NewStream(seed, 1)}
	for !s.Over() {
		p := &players[s.Mover()]
		for p.Turn(s, &chance[s.Mover()]); !s.TurnDone(); {
			s.Do(p.Act(s))
		}
		s.EndTurn()
	}
	winner, _ := s.Result()
	if winner == tubstap.Nobody {
		return 2
	}
	return int(winner)
}
