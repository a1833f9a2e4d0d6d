package registry

import (
	"sakusen/engines/chess"
	"sakusen/engines/external/uci"
)

// scoreOf returns the score that an engine tells, a mate in n moves as Mate-n.
func scoreOf(a *uci.Answer) int {
	switch {
	case !a.MateScore:
		return a.Score
	case a.Score <= 0:
		return -chess.Mate - a.Score
	}
	return chess.Mate - a.Score
}
