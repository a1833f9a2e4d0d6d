package tubstap

import (
	"fmt"
	"strings"

	"sakusen/engines/plain"
)

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

// String is the line, without its end.
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
