// Package muct plays TUBSTAP between thirty sorts of M-UCT from a table: every two
// of them have met in hundreds of real blocks, and a block here is one of those,
// drawn with replacement. So a game costs nothing, what any member is worth against
// any other is exact in this game, and its ground is that of real ones, with what
// the table's finite number of blocks adds to it.
//
//	elo := muct.Elo(muct.Nth(29), muct.Default)
package muct

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// rules are those of the game, which has no options.
type rules struct{}

// Catalogue is the game alone.
func Catalogue() arena.Catalogue {
	return arena.Catalogue{arena.Enter(arena.Definition[rules, *Member]{
		Name: "muct-table", Doc: "M-UCT against M-UCT on a small TUBSTAP map, from a table of blocks that were played.",
		Source:      "ours; M-UCT: Muto and Nishino (GAT 2016)",
		Declare:     func(*rules, *param.Fields) {},
		Seats:       func(*rules) int { return 2 },
		FreshChance: true,
		Components:  []string{"points"},
		Metrics:     []arena.Metric{{Name: "points", Doc: "half points of a game", Of: "points"}},
		Referee:     func(*rules) (arena.Referee[*Member], error) { return referee{}, nil },
	}, arena.Strategy[rules, *Member]{
		Name: "muct", Doc: "M-UCT with a member's parameters.", Source: "ours",
		New: func() arena.Config[rules, *Member] { return &Member{} },
	})}
}

type referee struct{}

// Play implements arena.Referee. Both games of a block draw the same block of the
// table, and each pair of members has chance of its own.
func (referee) Play(fx *arena.Fixture, players []*Member, out *arena.Outcome) error {
	var at [2]int
	for seat, m := range players {
		at[seat] = m.number()
	}
	low, high := min(at[0], at[1]), max(at[0], at[1])
	chance := fx.Chance(arena.Purpose(low*Members + high))
	p := &pairs()[low][high]
	draw, half := int64(chance.IntN(int(p.all))), 0
	for draw >= p.blocks[half] {
		draw -= p.blocks[half]
		half++
	}
	// Of the lower member's half points in both games it has these in this one: odd and
	// split ones fall to either game by a coin.
	more := chance.Bool() == (at[0] == low)
	points := half / 2
	switch {
	case half%2 == 1 && more:
		points++
	case half == 2 && more:
		points = 2
	case half == 2:
		points = 0
	}
	out.Transcript.Add(uint64(draw))
	out.Transcript.Add(uint64(half))
	lower := 0
	if at[0] != low {
		lower = 1
	}
	out.Counts(lower)[0], out.Counts(1 - lower)[0] = int64(points), int64(2-points)
	switch points {
	case 0:
		out.Win(1 - lower)
	case 1:
		out.Share(func(int) bool { return true })
	case 2:
		out.Win(lower)
	}
	return nil
}
