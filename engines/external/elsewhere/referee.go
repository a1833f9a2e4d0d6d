package elsewhere

import (
	"errors"
	"fmt"
	"hash/fnv"

	"sakusen/engines/arena"
)

// seeding is the purpose of the stream that gives a block its seed.
const seeding arena.Purpose = 0

// Fault says that a program was asked for a game and told no result.
type Fault struct {
	Kind string // crash, stall or garbage
	Said string
}

func (f *Fault) Error() string { return f.Kind + ": " + f.Said }

// referee asks programs for games.
type referee struct{}

// Play implements arena.Referee.
func (referee) Play(fx *arena.Fixture, players []Player, out *arena.Outcome) error {
	chance := fx.Chance(seeding)
	q := Question{Seed: chance.Uint64(), Game: fx.Block*int64(len(players)) + int64(fx.Rotation)}
	for _, p := range players {
		if p.Program() != players[0].Program() {
			return fmt.Errorf("players of one game belong to one program, which knows its rules: got %s and %s", players[0].Program(), p.Program())
		}
		q.Sides = append(q.Sides, p.Side())
	}
	if fx.Story != nil {
		fx.Story(fmt.Sprintf("seed %d", q.Seed))
		for seat, s := range q.Sides {
			fx.Story(fmt.Sprintf("seat %d: %s %s", seat+1, s.Name, s.Params))
		}
	}
	a, err := players[0].Play(&q)
	var fault *Fault
	if errors.As(err, &fault) {
		a = &Answer{Said: fault.Error(), Ranks: make([]int, len(players)), Errors: make([]bool, len(players)), void: true}
		for seat := range players {
			a.Ranks[seat] = 1
		}
	} else if err != nil {
		return err
	}
	out.Transcript.Add(q.Seed)
	h := fnv.New64a()
	h.Write([]byte(a.Said))
	out.Transcript.Add(h.Sum64())
	out.Share(func(seat int) bool { return a.Ranks[seat] == 1 })
	for seat := range players {
		counts := out.Counts(seat)
		if a.void {
			counts[voided]++
		}
		if a.Errors[seat] {
			out.Faults[seat] = true
			counts[faultsMade]++
		}
		for i := range a.Metrics {
			counts[firstMetric+i] = a.Metrics[i][seat]
		}
	}
	if fx.Story != nil {
		fx.Story(a.Said)
	}
	if fx.Watch != nil {
		fx.Watch(*a)
	}
	return nil
}
