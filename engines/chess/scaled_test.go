package chess

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
)

// machine is how fast one is, and what its engines have come to there.
type machine struct {
	speed               float64 // of the one for which the clocks are meant
	games, moves, nodes int64
	late                int64 // games
	score               int64 // of the first entrant, half points
}

// paced is an engine that thinks as its clock tells it, for some time more than it intends, and
// searches as many nodes as the speed of its machine allows. The side that has searched more nodes
// wins more often.
type paced struct {
	on     *machine
	chance *rand.Rand
}

func (*paced) Begin(*View) error { return nil }
func (*paced) End(*View)         {}

func (p *paced) Move(v *View) Reply {
	clock := v.Clock[v.Side]
	means := max(1, min(clock/30+3*v.Limit.Increment/4, clock-30))
	// A system takes 1.5 ms of a move on average, and now and then a share of a second.
	over := p.chance.ExpFloat64() * 1.5
	if p.chance.IntN(2000) == 0 {
		over += 30 + 70*p.chance.Float64()
	}
	nodes := int64(float64(means) * 1000 * p.on.speed)
	p.on.moves++
	p.on.nodes += nodes
	legal := v.Line.Now().Legal(nil)
	// An evaluation that many nodes make better decides the game by the rule of adjudication.
	score := int(200*(math.Log2(float64(nodes)/200000)) + 400*p.chance.NormFloat64())
	return Reply{Move: legal[p.chance.IntN(len(legal))], Spent: means + int64(math.Round(over)), Nodes: nodes, Scored: true, Score: score}
}

// With clocks scaled by their speed, machines of speed .5, 1 and 2 let engines look at the same number of
// nodes a move, no game is lost on time, and equal entrants score alike.
func TestScaledClocks(t *testing.T) {
	blocks := int64(200)
	if !suite.Few() {
		blocks = 3334 // 20 004 games on the three
	}
	machines := []*machine{{speed: .5}, {speed: 1}, {speed: 2}}
	for i, m := range machines {
		strategy := func(name string) Strategy {
			return Strategy{Name: name, Doc: "A player.", Source: "ours", New: func(*param.Fields, *Rules) arena.Maker[Player] {
				return arena.Made[Player](&paced{m, rand.New(rand.NewPCG(uint64(i), uint64(len(name))))})
			}}
		}
		values, err := param.ParseValues("limit=clock:8+0.08,most_plies=160,resign=900,resign_moves=1,resign_both=false")
		if err != nil {
			t.Fatal(err)
		}
		rs, err := arena.Enter(Game(), strategy("one"), strategy("other")).OpenRules(values)
		if err != nil {
			t.Fatal(err)
		}
		s := arena.Series{Ruleset: rs, Seed: 5, To: blocks, Scale: 1 / m.speed}
		for _, name := range []string{"one", "other"} {
			e, err := rs.Entrant(name)
			if err != nil {
				t.Fatal(err)
			}
			s.Entrants = append(s.Entrants, e)
		}
		late := rs.Component("overtime")
		if _, err := arena.NewPool(1).Play(t.Context(), s, func(r *arena.Run) error {
			for block := range r.Blocks {
				for rotation := range r.Rotations {
					m.games++
					m.score += r.Game(block, rotation, rotation)[0]
					m.late += r.Game(block, rotation, 0)[2+late] + r.Game(block, rotation, 1)[2+late]
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	usual := float64(machines[1].nodes) / float64(machines[1].moves)
	for _, m := range machines {
		nodes, score := float64(m.nodes)/float64(m.moves), float64(m.score)/float64(2*m.games)
		t.Logf("speed %g: %d games, %.0f nodes a move, score %.4f, %d lost on time", m.speed, m.games, nodes, score, m.late)
		if math.Abs(math.Log2(nodes/usual)) > .03 || 1000*m.late >= m.games || math.Abs(score-.5) > 3.3*.5/math.Sqrt(float64(m.games)) {
			t.Errorf("speed %g: %.0f nodes a move, expected about %.0f; %d of %d games lost on time; score %.4f", m.speed, nodes, usual, m.late, m.games, score)
		}
	}
	if !slices.ContainsFunc(machines, func(m *machine) bool { return m.moves > 20*m.games }) {
		t.Error("the games are too short to tell anything")
	}
}
