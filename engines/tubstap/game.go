package tubstap

import (
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/plain"
)

// Ending is how a game ended.
type Ending uint8

// The endings.
const (
	Running      Ending = iota
	Annihilation        // a side has no unit
	Resignation
	TurnLimit // judged by the sums of HP
)

// String returns the word used in records of games.
func (e Ending) String() string {
	return [...]string{"running", "annihilation", "resignation", "turnlimit"}[e]
}

// Over reports whether the game has ended. It is asked between turns, after
// EndTurn.
func (s *State) Over() bool {
	_, e := s.Result()
	return e != Running
}

// Result returns the winner (Nobody for a draw or a running game) and the
// ending, tested in the order of the program. A difference of HP equal to
// the threshold is a draw.
func (s *State) Result() (Team, Ending) {
	switch {
	case s.alive[Red] == 0:
		return Blue, Annihilation
	case s.alive[Blue] == 0:
		return Red, Annihilation
	case s.resigned != Nobody:
		return s.resigned.Other(), Resignation
	case s.counter < s.m.TurnLimit:
		return Nobody, Running
	case s.hp[Red] > s.hp[Blue]+s.m.Threshold:
		return Red, TurnLimit
	case s.hp[Blue] > s.hp[Red]+s.m.Threshold:
		return Blue, TurnLimit
	}
	return Nobody, TurnLimit
}

// Game is a game in progress and its record.
type Game struct {
	State  *State
	Record replayFile
	turn   turn
}

// NewGame starts recording at the state, which stands at the start of a
// turn of its map.
func NewGame(s *State) *Game {
	g := &Game{State: s, Record: replayFile{Map: s.m, Rule: ruleSet}}
	g.turn = turn{Index: s.counter, Team: s.mover}
	g.skip()
	return g
}

// Play does one action and ends the turn when it is done. An illegal action changes nothing.
func (g *Game) Play(a Action) error {
	if g.State.Over() {
		return fmt.Errorf("the game is over")
	}
	if err := g.State.Check(a); err != nil {
		return err
	}
	g.turn.Steps = append(g.turn.Steps, g.State.StepOf(a))
	g.State.Do(a)
	if g.State.TurnDone() {
		g.close()
		g.skip()
	}
	return nil
}

// EndTurn lets every unmoved unit stay and ends the turn.
func (g *Game) EndTurn() {
	if g.State.Over() {
		return
	}
	g.stay()
	g.close()
	g.skip()
}

// Resign gives the game up for the mover; its units stay.
func (g *Game) Resign() {
	if g.State.Over() {
		return
	}
	g.stay()
	g.State.resign()
	g.close()
}

func (g *Game) stay() {
	for id := g.State.FirstUnmoved(); id != NoUnit; id = g.State.FirstUnmoved() {
		u := g.State.units[id]
		a := Action{Unit: int16(id), X: u.X, Y: u.Y, Target: NoUnit}
		g.turn.Steps = append(g.turn.Steps, g.State.StepOf(a))
		g.State.Do(a)
	}
}

// close ends the turn in the state and in the record.
func (g *Game) close() {
	g.Record.Turns = append(g.Record.Turns, g.turn)
	g.State.EndTurn()
	g.turn = turn{Index: g.State.counter, Team: g.State.mover}
}

// skip closes turns in which no unit can act, as when all were loaded
// finished.
func (g *Game) skip() {
	for !g.State.Over() && g.State.TurnDone() {
		g.close()
	}
}

// CombatHeader is the first line of a combat log ("Resing" is the program's).
const CombatHeader = "WinTeam,Resing,EndTurn,AttackCntBlue_0_5,AttackCntRed_0_5,attackCntBlue_6_11,attackCntRed_6_11,AllUnitHP_Blue,AllUnitHP_Red," +
	"F_UnitHP_Blue,A_UnitHP_Blue,P_UnitHP_Blue,U_UnitHP_Blue,R_UnitHP_Blue,I_UnitHP_Blue," +
	"F_UnitHP_Red,A_UnitHP_Red,P_UnitHP_Red,U_UnitHP_Red,R_UnitHP_Red,I_UnitHP_Red"

// CombatLine describes a finished game: winner (-1 for a draw), whether it was resigned (True or
// False, as C# writes them), and half-turns. Then come attacks of either side in turns 0 to 5 and 6
// to 11, HP left in sum and by kind.
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
			if step.Type == typeAttack && t.Index < 12 {
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

// ReportHeader is the first line of a result file (the spelling of
// OverTrunCnt is the program's).
const ReportHeader = "MapName,RedPlayerName,BluePlayerName,BattleCnt,WinCntOfRed,WinCntOfBlue,DrawCnt,OverTrunCnt,JudgeWinCntOfRed,JudgeWinCntOfBlue,NoiseOfHP,NoiseOfPos"

// Report counts the games of one pairing on one map: a line of a result
// file. With sides exchanged half-way there are two lines.
type Report struct {
	MapName, Red, Blue string
	Games              int
	Wins               [2]int // by annihilation, resignation or judgement
	Draws              int
	Limit              int    // games that reached the turn limit
	Judged             [2]int // wins at the turn limit
	NoiseHP, NoisePos  bool
}

// Add counts a finished game.
func (r *Report) Add(winner Team, end Ending) {
	r.Games++
	if end == TurnLimit {
		r.Limit++
	}
	if winner == Nobody {
		r.Draws++
		return
	}
	r.Wins[winner]++
	if end == TurnLimit {
		r.Judged[winner]++
	}
}

// String returns the line, without its end.
func (r *Report) String() string {
	return fmt.Sprintf("%s,%s,%s,%d,%d,%d,%d,%d,%d,%d,%s,%s",
		csvText(r.MapName), csvText(r.Red), csvText(r.Blue), r.Games, r.Wins[Red], r.Wins[Blue], r.Draws,
		r.Limit, r.Judged[Red], r.Judged[Blue], csvBool(r.NoiseHP), csvBool(r.NoisePos))
}

func csvBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

func csvText(s string) string {
	s = plain.Cell(s)
	if !strings.ContainsAny(s, ",\"\r\n") {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
