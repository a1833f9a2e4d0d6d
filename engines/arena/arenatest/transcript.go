package arenatest

import (
	"slices"

	"sakusen/engines/arena"
)

// games are results by the digest of the game's transcript.
type games struct {
	results map[uint64][]int64
	told    bool // a mistake is told once
}

func newGames() *games { return &games{results: map[uint64][]int64{}} }

// add compares the games of a run with earlier ones of the same digest: two games with
// different results must not have the same transcript.
func (g *games) add(t T, r *arena.Run) {
	for i, digest := range r.Digests {
		result := make([]int64, r.Seats) // scores; what a metric counts may be thought, not play
		for seat := range result {
			result[seat] = r.Game(i/r.Rotations, i%r.Rotations, seat)[0]
		}
		known, ok := g.results[digest]
		if !ok {
			g.results[digest] = result
			continue
		}
		if !g.told && !slices.Equal(known, result) {
			g.told = true
			t.Errorf("two games with the same transcript digest %016x have different scores %v and %v: add to Outcome.Transcript whatever decides the game", digest, known, result)
		}
	}
}

// transcript: games leave a transcript, which says what was played.
func (c *battery) transcript(t T) {
	var none arena.Transcript
	for shift := range c.entrants {
		_, runs := play(t, 1, c.series(shift))
		for _, r := range runs {
			if slices.Contains(r.Digests, none.Sum()) {
				t.Fatal("a game has an empty transcript: add its moves and its chance to Outcome.Transcript")
			}
		}
	}
	if c.rules.Seats < 2 && len(c.entrants) < 2 {
		return
	}
	// The same chance under other players must leave other transcripts somewhere.
	digests := map[uint64]bool{}
	var texts []string
	for _, e := range c.entrants {
		if slices.Contains(texts, e.Canonical()) {
			continue
		}
		texts = append(texts, e.Canonical())
		s := c.series(0)
		for i := range s.Entrants {
			s.Entrants[i] = e
		}
		tally, _ := play(t, 1, s)
		digests[tally.Digest] = true
	}
	if len(texts) > 1 && len(digests) == 1 {
		t.Errorf("all of %v leave the same transcripts in %d blocks: either they play alike, or the moves are not in Outcome.Transcript", texts, c.Blocks)
	}
}
