package muct

import (
	"fmt"
	"math"
	"strconv"

	"sakusen/engines/param"
)

// Where the games of the table were played.
const (
	Map         = "generate(3, 6, 4)" // 6 x 6 cells, 4 units a side
	Simulations = 40                  // playouts for each unit action
)

// Member is one of the players of the table: M-UCT with these parameters.
type Member struct {
	C          float64 // weight of exploration: 0, 0.15, 0.3, 0.45, 0.6
	Expansion  int     // visits above which a child is expanded, playouts: 0 or 10
	AttackRate int     // chance of drawing an attack in a playout, per cent: 60, 80, 100
}

// Default is M-UCT as it is, the baseline.
var Default = Member{C: 0.15, Expansion: 10, AttackRate: 80}

const (
	weights    = 5
	expansions = 2
	rates      = 3
	// Members is the number of members.
	Members = weights * expansions * rates
)

// Nth is the member of a number, 0 to Members - 1.
func Nth(n int) Member {
	return Member{
		C: float64(15*(n/(expansions*rates))) / 100, Expansion: 10 * (n / rates % expansions), AttackRate: 60 + 20*(n%rates),
	}
}

// number is the place of a member among all.
func (m Member) number() int {
	return (int(math.Round(m.C/0.15))*expansions+m.Expansion/10)*rates + (m.AttackRate-60)/20
}

// Declare implements arena.Config.
func (m *Member) Declare(f *param.Fields, _ *rules) {
	f.Float(&m.C, "c", Default.C, param.Grid(0, 0.6, 0.15), "weight of exploration")
	f.Int(&m.Expansion, "expansion", Default.Expansion, param.Grid(0, 10, 10), "visits above which a child is expanded, playouts")
	f.Int(&m.AttackRate, "attack_rate", Default.AttackRate, param.Grid(60, 100, 20), "chance of drawing an attack in a playout where there is one, per cent")
}

// Check refuses what is no member of the table, as numbers between the steps are.
func (m *Member) check() error {
	if n := m.number(); n < 0 || n >= Members || math.Abs(Nth(n).C-m.C) > 1e-9 || Nth(n).Expansion != m.Expansion || Nth(n).AttackRate != m.AttackRate {
		return fmt.Errorf("c, expansion, attack_rate: expected a member of the table, got %g, %d, %d", m.C, m.Expansion, m.AttackRate)
	}
	return nil
}

// Player implements arena.Config.
func (m *Member) Player(*rules) (*Member, error) { return m, m.check() }

// Read makes a member of its parameters.
func Read(values param.Values) (Member, error) {
	var m Member
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
	m = Member{C: at[0], Expansion: int(at[1]), AttackRate: int(at[2])}
	return m, m.check()
}
