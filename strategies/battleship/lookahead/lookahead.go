// Package lookahead is the attack LAx.y.z: like MP from z unknown squares on,
// but looking x shots ahead that all miss. It shoots first at the square that
// begins the sequence which leaves the fewest placements of the enemy's fleet,
// that is the sequence with the greatest probability of a hit at all; at each
// step only the y squares with the greatest hit probability are followed.
//
//	rules.Entrant("lookahead(shots=2,kept=8,start_squares=70)") // LA2.8.70
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing
// Strategies in a Classic Battleship Game without Considering Opponent
// Models", 2002, section 3. The paper finds no significant gain over MP70; its
// LA2.8.70 chooses another square in 1.6 % of the decisions. [Reversals] counts ours.
package lookahead

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/count"
	"sakusen/strategies/battleship/mp"
)

// Strategy is the strategy's entry in the catalogue.
func Strategy() arena.Strategy[battleship.Rules, battleship.Player] {
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "lookahead",
		Doc:    "Like mp, but looks several shots ahead that all miss (LAx.y.z).",
		Source: "Sakuta and Iida 2002, section 3",
		New:    func() arena.Config[battleship.Rules, battleship.Player] { return &config{} },
	}
}

type config struct {
	shots, kept int
	attack      mp.Attack
}

func (c *config) Declare(f *param.Fields, r *battleship.Rules) {
	f.Int(&c.shots, "shots", 2, param.Range(1, maxShots), "shots looked ahead, the one to be fired included, shots")
	f.Int(&c.kept, "kept", 8, param.Range(1, maxKept), "squares followed at each step, squares")
	c.attack.Declare(f, r)
}

func (c *config) Player(r *battleship.Rules) (battleship.Player, error) {
	return c.attack.Player(r, &search{counter: count.New(r.Board()), shots: c.shots, kept: c.kept})
}
