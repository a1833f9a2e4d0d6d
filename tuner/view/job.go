package view

import (
	"time"

	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
)

// JobShare returns how much of a tournament, a run or a test is played, in per cent.
func JobShare(j service.Job) int {
	blocks, of, _ := played(j)
	if j.State == "done" {
		return 100
	}
	return int(min(99, 100*min(blocks, of)/max(1, of)))
}

// JobLeft returns how long a job takes still, empty where that is not known.
func JobLeft(j service.Job) string {
	if j.Progress == nil || j.Progress.Left <= 0 {
		return ""
	}
	return numeral.About(time.Duration(j.Progress.Left * float64(time.Second)))
}

// JobFar returns how far a job is.
func JobFar(j service.Job) string {
	blocks, of, games := played(j)
	text := numeral.Counted(blocks, "block")
	if of > 0 && j.State != "done" {
		text = numeral.Count(blocks) + " of " + numeral.Counted(of, "block")
	}
	return text + ", " + numeral.Counted(games, "game")
}

// JobTook returns how long after it was asked for a job ended; empty while it has not.
func JobTook(j service.Job) string {
	if j.State != "done" {
		return ""
	}
	return "ended " + numeral.Span(j.Updated.Sub(j.Created)) + " after it was asked for"
}

// played returns the blocks of a job, of how many, and its games.
func played(j service.Job) (blocks, of, games int64) {
	if p := j.Progress; p != nil {
		return p.Blocks, p.Of, p.Games
	}
	return j.Blocks, j.Of, j.Games
}
