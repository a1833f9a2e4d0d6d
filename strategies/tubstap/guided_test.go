package tubstap

import (
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/rollout"
)

// TestStrikesFirst: on a road too narrow to pass, the side that strikes wins.
func TestStrikesFirst(t *testing.T) {
	m, _, err := tubstap.ParseMap([]byte(`SIZEX[7];SIZEY[3];TURNLIMIT[10];HPTHRESHOLD[0];UNITNUMRED[1];UNITNUMBLUE[1];
UNIT[1,1,antiair,0,10,0];UNIT[4,1,infantry,1,10,0];MAP[0,0,0,0,0,0,0];MAP[0,5,5,5,5,5,0];MAP[0,0,0,0,0,0,0];`))
	if err != nil {
		t.Fatal(err)
	}
	p := guidedPlayer{guidedSettings: tuned()}
	chance := arena.NewStream(1, 1)
	s := m.Start(tubstap.Rules{})
	p.Turn(s, &chance)
	if a := p.Act(s); a != (tubstap.Action{Unit: 0, X: 3, Y: 1, Target: 1}) {
		t.Errorf("played %v", a)
	}
}

// TestTreeAddsUp: priors are shares; a node has as many visits as its
// children together; rewards lie between 0 and 1.
func TestTreeAddsUp(t *testing.T) {
	m, err := tubstap.EmbeddedMap("own05")
	if err != nil {
		t.Fatal(err)
	}
	p := guidedPlayer{guidedSettings: tuned()}
	p.Simulations = 1000
	chance := arena.NewStream(2, 2)
	s := m.Start(tubstap.Rules{})
	for p.Turn(s, &chance); !s.TurnDone(); {
		a := p.Act(s)
		if err := s.Check(a); err != nil {
			t.Fatal(err)
		}
		s.Do(a)
	}
	for i, n := range p.nodes {
		sum, visits, total := 0.0, int32(0), 0.0
		for c := n.first; c < n.first+n.count; c++ {
			sum += p.prior[c]
			visits += p.visits[c]
			total += p.total[c]
		}
		if math.Abs(sum-1) > 1e-9 || visits != n.visits || math.Abs(total-n.total) > 1e-6 || total > float64(visits) || total < 0 {
			t.Fatalf("node %d: priors %v, %d visits of %d, rewards %v of %v", i, sum, visits, n.visits, total, n.total)
		}
	}
}

func TestWeights(t *testing.T) {
	for flatness, want := range map[int]rollout.Weights{0: {20, 20, 15, 10, 7, 2}, 100: {10, 10, 10, 10, 10, 10}, 50: {15, 15, 13, 10, 9, 6}} {
		if got := (&guidedSettings{Flatness: flatness}).weights(); got != want {
			t.Errorf("flatness %d: %v, want %v", flatness, got, want)
		}
	}
}
