package tubstap

import (
	"strings"
	"testing"
)

func TestDraw(t *testing.T) {
	s := mustMap(t, "own02").Start(Rules{})
	s.Do(Action{Unit: 1, X: 2, Y: 4, Target: NoUnit})
	want := `    1   2   3   4   
1   .   *   .   *fX 
2   =   =RX =   =   
3   =   .FX =fX =   
4   =   =FX'=   .iX 
turn 0 of 20, red to move, HP red 30, blue 30
`
	if got := s.Draw(false); got != want {
		t.Errorf("drawn as\n%s", got)
	}
	if got := s.Draw(true); strings.Count(got, "\x1b[0m") != 6 || !strings.Contains(got, "\x1b[31m\x1b[2mFX'") {
		t.Errorf("drawn as %q", got)
	}
}
