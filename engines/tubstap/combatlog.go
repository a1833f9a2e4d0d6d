package tubstap

import (
	"strconv"
	"strings"
)

// CombatHeader is the first line of a combat log ("Resing" is the program's).
const CombatHeader = "WinTeam,Resing,EndTurn,AttackCntBlue_0_5,AttackCntRed_0_5,attackCntBlue_6_11,attackCntRed_6_11,AllUnitHP_Blue,AllUnitHP_Red," +
	"F_UnitHP_Blue,A_UnitHP_Blue,P_UnitHP_Blue,U_UnitHP_Blue,R_UnitHP_Blue,I_UnitHP_Blue," +
	"F_UnitHP_Red,A_UnitHP_Red,P_UnitHP_Red,U_UnitHP_Red,R_UnitHP_Red,I_UnitHP_Red"

// CombatLine describes a finished game: winner (-1 for a draw), whether it
// was resigned (True or False, as C# writes them), half-turns, attacks of either side in turns 0 to 5 and 6 to
// 11, HP left in sum and by kind.
func (g *Game) CombatLine() string {
	s := g.State
	winner, end := s.Result()
	resigned := "False"
	if end == Resignation {
		resigned = "True"
	}
	var attacks [2][2]int // six turns, team
	for _, t := range g.Record.Turns {
		for _, step := range t.Steps {
			if step.Type == TypeAttack && t.Index < 12 {
				attacks[t.Index/6][t.Team]++
			}
		}
	}
	var hp [2][Kinds]int
	for _, u := range s.units {
		if u.HP > 0 {
			hp[u.Team][u.Kind] += int(u.HP)
		}
	}
	n := []int{
		s.counter,
		attacks[0][Blue], attacks[0][Red], attacks[1][Blue], attacks[1][Red], s.hp[Blue], s.hp[Red],
	}
	n = append(append(n, hp[Blue][:]...), hp[Red][:]...)
	var b strings.Builder
	b.WriteString(strconv.Itoa(int(winner)) + "," + resigned)
	for _, v := range n {
		b.WriteString("," + strconv.Itoa(v))
	}
	return b.String()
}
