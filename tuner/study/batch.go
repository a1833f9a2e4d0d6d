package study

import (
	"sakusen/tuner"
	"sakusen/tuner/entry"
)

// batch is what was asked for at once and is not told yet.
type batch struct {
	number int
	trials []*tuner.Trial // by place; some may be earlier trials
	draws  []int          // by place
	known  int            // trials that were there before it
	games  int64          // the most that it can take
	ahead  []*ahead       // by place, or by pair in duels; empty where nothing plays ahead
}

// givenDraw is the draw of what no sampler proposed.
const givenDraw = -1

// ahead is what a trial or a pair plays before its batch has its turn.
type ahead struct {
	done     chan struct{} // closed when the others are known
	evidence []entry.Evidence
	err      error
}
