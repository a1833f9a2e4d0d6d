package chess

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"sakusen/engines/arena"
)

// Games collects the games of a series as PGN, whoever plays them in which order:
//
//	var games chess.Games
//	games.Of(&series)
//	... play the series ...
//	err := games.Write(w, series.To)
type Games struct {
	mu    sync.Mutex
	texts map[place]string
}

// place is where a game stands in its series.
type place struct {
	block    int64
	rotation int
}

// Of watches a series of chess that is about to be played.
func (g *Games) Of(s *arena.Series) {
	g.texts = map[place]string{}
	entrants := s.Entrants
	s.Watch = func(block int64, rotation int) func(any) {
		white := (2 - rotation) % 2 // entrant e sits in seat (e + rotation) mod 2
		record := &Record{
			Event: "sakusen " + s.Phase.String(), Round: round(block, rotation),
			Players: [2]string{entrants[white].Name, entrants[1-white].Name},
		}
		for side, e := range []arena.Entrant{entrants[white], entrants[1-white]} {
			if text := e.Params.String(); text != "" {
				record.Tags = append(record.Tags, [2]string{[]string{"WhiteOptions", "BlackOptions"}[side], text})
			}
		}
		return func(event any) {
			record.Watch(event)
			if _, over := event.(Ended); over {
				g.mu.Lock()
				defer g.mu.Unlock()
				g.texts[place{block, rotation}] = record.PGN()
			}
		}
	}
}

// round is a game's round: its block and, behind a point, its rotation, from 1.
func round(block int64, rotation int) string { return fmt.Sprintf("%d.%d", block+1, rotation+1) }

// Write writes the games of the blocks before one, in order.
func (g *Games) Write(w io.Writer, before int64) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	order := slices.SortedFunc(maps.Keys(g.texts), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.rotation, b.rotation))
	})
	for _, at := range order {
		if at.block >= before {
			break
		}
		if _, err := io.WriteString(w, g.texts[at]); err != nil {
			return err
		}
	}
	return nil
}
