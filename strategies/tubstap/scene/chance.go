package scene

import (
	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/boards"
	"sakusen/engines/tubstap/rollout"
)

// playouts is the number of games that are played on at random from a position.
const playouts = 32

// odds are the chances of both sides in one game.
type odds struct {
	options tubstap.Options
	board   rollout.Board
	now     []float64 // by side, as they were worked out last
}

// after are the chances after an event. They are worked out at the end of each turn, which
// takes milliseconds; within a turn they stay.
func (o *odds) after(event any) []float64 {
	switch e := event.(type) {
	case tubstap.Began:
		o.playOn(&e.Board)
	case tubstap.TurnEnded:
		o.playOn(&e.Board)
	case tubstap.Refused:
		o.now = []float64{score(e.Team.Other(), tubstap.Red), score(e.Team.Other(), tubstap.Blue)}
	case tubstap.Ended:
		o.now = []float64{score(e.Winner, tubstap.Red), score(e.Winner, tubstap.Blue)}
	}
	return append([]float64(nil), o.now...)
}

// playOn is the average share of the point of games played on at random by the rules, four
// actions of five being attacks where there are any. Its standard error is at most 0.089.
func (o *odds) playOn(b *tubstap.Board) {
	state := tubstap.NewState(b.Map, o.options.Rules(), append([]tubstap.Unit(nil), b.Units...), b.Mover, b.Counter)
	o.board = boards.On(state, rollout.Config{Attack: rollout.Reference().Attack, Corrected: true, Equal: 1}, o.board)
	draw, halves := rollout.Chance{State: uint64(b.Counter)}, 0
	for range playouts {
		o.board.Reset()
		halves += o.board.Playout(&draw)
	}
	share := float64(halves) / (2 * playouts)
	o.now = []float64{1 - share, 1 - share}
	o.now[b.Mover] = share
}
