// Package muct plays TUBSTAP between thirty sorts of M-UCT from a table: every two
// of them have met in hundreds of real blocks, and a block here is one of those,
// drawn with replacement. So a game costs nothing, what any member is worth against
// any other is exact in this game, and its ground is that of real ones, with what
// the table's finite number of blocks adds to it.
//
//	elo := muct.Elo(muct.Nth(29), muct.Default)
package muct

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/stats"
)

// rules are those of the game, which has no options.
type rules struct{}

// Catalogue returns the game alone.
func Catalogue() arena.Catalogue {
	return arena.Catalogue{arena.Enter(arena.Definition[rules, *member]{
		Name: "muct-table", Doc: "M-UCT against M-UCT on a small TUBSTAP map, from a table of blocks that were played.",
		Source:      "ours; M-UCT: Muto and Nishino (GAT 2016)",
		Declare:     func(*rules, *param.Fields) {},
		Seats:       func(*rules) int { return 2 },
		FreshChance: true,
		Components:  []string{"points"},
		Metrics:     []arena.Metric{{Name: "points", Doc: "half points of a game", Of: "points"}},
		Referee:     func(*rules) (arena.Referee[*member], error) { return referee{}, nil },
	}, arena.Strategy[rules, *member]{
		Name: "muct", Doc: "M-UCT with a member's parameters.", Source: "ours",
		New: func(f *param.Fields, _ *rules) arena.Maker[*member] {
			m := &member{}
			f.Float(&m.C, "c", Default.C, param.Grid(0, 0.6, 0.15), "weight of exploration")
			f.Int(&m.Expansion, "expansion", Default.Expansion, param.Grid(0, 10, 10), "visits above which a child is expanded, playouts")
			f.Int(&m.AttackRate, "attack_rate", Default.AttackRate, param.Grid(60, 100, 20), "chance of drawing an attack in a playout where there is one, per cent")
			return func() (*member, error) { return m, m.check() }
		},
	})}
}

type referee struct{}

// Play implements arena.Referee. Both games of a block draw the same block of the
// table, and each pair of members has chance of its own.
func (referee) Play(fx *arena.Fixture, players []*member, out *arena.Outcome) error {
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

// Where the games of the table were played.
const (
	Map         = "generate(3, 6, 4)" // 6 x 6 cells, 4 units a side
	simulations = 40                  // playouts for each unit action
)

// member is one of the players of the table: M-UCT with these parameters.
type member struct {
	C          float64 // weight of exploration: 0, 0.15, 0.3, 0.45, 0.6
	Expansion  int     // visits above which a child is expanded, playouts: 0 or 10
	AttackRate int     // chance of drawing an attack in a playout, per cent: 60, 80, 100
}

// Default is M-UCT as it is, the baseline.
var Default = member{C: 0.15, Expansion: 10, AttackRate: 80}

const (
	weights    = 5
	expansions = 2
	rates      = 3
	// Members is the number of members.
	Members = weights * expansions * rates
)

// Nth returns the member of a number, 0 to Members - 1.
func Nth(n int) member {
	return member{
		C: float64(15*(n/(expansions*rates))) / 100, Expansion: 10 * (n / rates % expansions), AttackRate: 60 + 20*(n%rates),
	}
}

// number returns the place of a member among all.
func (m member) number() int {
	return (int(math.Round(m.C/0.15))*expansions+m.Expansion/10)*rates + (m.AttackRate-60)/20
}

// check refuses what is no member of the table, as numbers between the steps are.
func (m *member) check() error {
	if n := m.number(); n < 0 || n >= Members || math.Abs(Nth(n).C-m.C) > 1e-9 || Nth(n).Expansion != m.Expansion || Nth(n).AttackRate != m.AttackRate {
		return fmt.Errorf("c, expansion, attack_rate: expected a member of the table, got %g, %d, %d", m.C, m.Expansion, m.AttackRate)
	}
	return nil
}

// Read makes a member of its parameters.
func Read(values param.Values) (member, error) {
	var m member
	var at [3]float64
	for i, name := range []string{"c", "expansion", "attack_rate"} {
		text, ok := values.Get(name)
		if !ok {
			return m, fmt.Errorf("muct: no parameter %s", name)
		}
		var err error
		if at[i], err = strconv.ParseFloat(text, 64); err != nil {
			return m, fmt.Errorf("muct: %s: %w", name, err)
		}
	}
	m = member{C: at[0], Expansion: int(at[1]), AttackRate: int(at[2])}
	return m, m.check()
}

// blocksTable are the blocks that were played between any two members: their
// numbers, and how many blocks of two games gave the first of them 0, a half, 1,
// one and a half and 2 points. A member against itself has one game a block, and
// twice the points of who began. TestTable writes it anew.
//
//go:embed blocks.csv
var blocksTable string

// pair are the blocks of two members by the first's half points.
type pair struct {
	blocks [5]int64
	all    int64
}

// pairs are all of them, by the lower and the higher number.
var pairs = sync.OnceValue(func() *[Members][Members]pair {
	rows, err := csv.NewReader(strings.NewReader(blocksTable)).ReadAll()
	if err != nil {
		panic(err) // it is embedded
	}
	var all [Members][Members]pair
	for _, row := range rows[1:] {
		var n [7]int64
		for i, text := range row {
			if n[i], err = strconv.ParseInt(text, 10, 64); err != nil {
				panic(err)
			}
		}
		p := &all[n[0]][n[1]]
		copy(p.blocks[:], n[2:])
		for _, k := range p.blocks {
			p.all += k
		}
	}
	return &all
})

// score returns the share of the points that a member wins against another, 0 to 1: in
// this game it is exact.
func score(a, b member) float64 {
	i, j := a.number(), b.number()
	if i == j {
		return 0.5
	}
	p, points := &pairs()[min(i, j)][max(i, j)], int64(0)
	for half, n := range p.blocks {
		points += int64(half) * n
	}
	score := float64(points) / float64(4*p.all)
	if i > j {
		score = 1 - score
	}
	return score
}

// Elo returns that score as a difference of strength.
func Elo(a, b member) float64 { return stats.Elo(score(a, b), 2) }

// entrant returns the member as the game TUBSTAP knows it.
func (m member) entrant() string {
	return fmt.Sprintf("muct(simulations=%d,c=%g,expansion=%d,attack_rate=%d)", simulations, m.C, m.Expansion, m.AttackRate)
}
