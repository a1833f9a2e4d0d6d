package chess

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"sakusen/engines/arena"
)

// Games collects the games of a series as PGN, in the order of blocks and rotations:
//
//	var games chess.Games
//	games.Of(&series)
//	... play the series ...
//	err := games.Write(w, series.To)
type Games struct {
	// Match, unless empty, is written in a tag of that name, by which Read knows the games
	// of the same match.
	Match string
	// Ended, unless nil, is told each game that has ended.
	Ended func(text string)

	mu        sync.Mutex
	texts     map[place]string
	rotations int
}

// place is where a game stands in its series.
type place struct {
	block    int64
	rotation int
}

// Of watches a series of chess that is about to be played.
func (g *Games) Of(s *arena.Series) {
	g.texts, g.rotations = map[place]string{}, len(s.Entrants)
	if arena.AllEqual(s.Entrants) {
		g.rotations = 1
	}
	entrants := s.Entrants
	s.Watch = func(block int64, rotation int) func(any) {
		white := (2 - rotation) % 2 // entrant e sits in seat (e + rotation) mod 2
		record := &record{
			Event: "sakusen " + s.Phase.String(), Round: round(block, rotation),
			Players: [2]string{entrants[white].Name, entrants[1-white].Name},
		}
		if g.Match != "" {
			record.Tags = append(record.Tags, [2]string{"Match", g.Match})
		}
		for side, e := range []arena.Entrant{entrants[white], entrants[1-white]} {
			if text := e.Params.String(); text != "" {
				record.Tags = append(record.Tags, [2]string{[]string{"WhiteOptions", "BlackOptions"}[side], text})
			}
		}
		return func(event any) {
			record.watch(event)
			if _, over := event.(Ended); over {
				g.mu.Lock()
				defer g.mu.Unlock()
				text := record.pgn()
				g.texts[place{block, rotation}] = text
				if g.Ended != nil {
					g.Ended(text)
				}
			}
		}
	}
}

// round returns a game's round: its block and, behind a point, its rotation, from 1.
func round(block int64, rotation int) string { return fmt.Sprintf("%d.%d", block+1, rotation+1) }

// Has reports whether all games of a block are there.
func (g *Games) Has(block int64) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for rotation := range g.rotations {
		if _, ok := g.texts[place{block, rotation}]; !ok {
			return false
		}
	}
	return true
}

// Read takes the games of the same match from a PGN text that Write or Ended has written,
// and tells how many others there are. The rest of a game that was cut off is passed over.
func (g *Games) Read(text string) (others int) {
	for at := range strings.SplitSeq("\n"+text, "\n[Event ") {
		if strings.TrimSpace(at) == "" {
			continue
		}
		game := "[Event " + at
		var b int64
		var r int
		_, after, ok := strings.Cut(game, "\n[Round \"")
		if n, _ := fmt.Sscanf(after, "%d.%d\"", &b, &r); !ok || n != 2 || !strings.Contains(game, fmt.Sprintf("\n[Match %q]\n", g.Match)) {
			others++
			continue
		}
		whole := strings.TrimRight(game, "\n")
		if _, result, _ := strings.Cut(after, "\n[Result \""); strings.HasSuffix(whole, " "+strings.SplitN(result, "\"", 2)[0]) || strings.HasSuffix(whole, "\n"+strings.SplitN(result, "\"", 2)[0]) {
			g.texts[place{b - 1, r - 1}] = whole + "\n\n"
		}
	}
	return others
}

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
