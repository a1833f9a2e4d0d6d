package tubstap

import (
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/tubstap"
)

// TestAnnihilates: a turn that wins at once is found and played.
func TestAnnihilates(t *testing.T) {
	m, _, err := tubstap.ParseMap([]byte(`SIZEX[6];SIZEY[3];TURNLIMIT[10];HPTHRESHOLD[0];UNITNUMRED[1];UNITNUMBLUE[1];
UNIT[1,1,attacker,0,10,0];UNIT[3,1,infantry,1,10,0];MAP[0,0,0,0,0,0];MAP[0,5,5,5,5,0];MAP[0,0,0,0,0,0];`))
	if err != nil {
		t.Fatal(err)
	}
	p := dlmcPlayer{dlmcSettings: dlmcProgram()}
	chance := arena.NewStream(1, 2)
	s := m.Start(tubstap.Rules{})
	p.Turn(s, &chance)
	if a := p.Act(s); a.Target != 1 {
		t.Errorf("played %v", a)
	}
}

// TestPlansWholeTurns: the plan is legal to its end, as its units do not
// depend on chance.
func TestPlansWholeTurns(t *testing.T) {
	m, err := tubstap.EmbeddedMap("own05")
	if err != nil {
		t.Fatal(err)
	}
	s := m.Start(tubstap.Rules{})
	p := dlmcPlayer{dlmcSettings: dlmcSettings{Sequences: 20, Rollouts: 5, Depth: 2}}
	chance := arena.NewStream(3, 4)
	for !s.Over() {
		for p.Turn(s, &chance); !s.TurnDone(); {
			a := p.Act(s)
			if err := s.Check(a); err != nil {
				t.Fatal(err)
			}
			s.Do(a)
		}
		s.EndTurn()
	}
}
