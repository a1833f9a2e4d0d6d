// Package boards picks the fastest board that holds a position: narrow,
// else wide, else the plain one.
//
//	b = boards.On(state, rollout.Reference(), b)
//
// Source: ours.
package boards

import (
	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/narrow"
	"sakusen/engines/tubstap/rollout"
	"sakusen/engines/tubstap/wide"
)

// On puts the state on a board. previous, which may be nil, is used again
// where its tables serve; it is lost.
func On(s *tubstap.State, config rollout.Config, previous rollout.Board) rollout.Board {
	switch b := previous.(type) {
	case *narrow.Board:
		if b.Renew(s, config) {
			return b
		}
	case *wide.Board:
		if b.Renew(s, config) {
			return b
		}
	}
	switch {
	case narrow.Fits(s):
		return narrow.New(s, config)
	case wide.Fits(s):
		return wide.New(s, config)
	}
	return rollout.NewPlain(s, config)
}
