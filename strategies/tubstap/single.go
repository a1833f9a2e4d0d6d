package tubstap

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/rollout"
)

// Random plays TUBSTAP at random: an unmoved unit, then one of its
// legal actions, both uniformly. It is the floor for every other player.

// randomPlayer plays at random. The zero value is ready.
type randomPlayer struct {
	chance *arena.Stream
	list   []tubstap.Action
}

// Turn implements tubstap.Player.
func (p *randomPlayer) Turn(_ *tubstap.State, chance *arena.Stream) { p.chance = chance }

// Act implements tubstap.Player.
func (p *randomPlayer) Act(s *tubstap.State) tubstap.Action {
	k := p.chance.IntN(s.Unmoved(s.Mover()))
	id := s.FirstUnmoved()
	for ; k > 0; k-- {
		id++
		for !s.Movable(id) {
			id++
		}
	}
	p.list = s.AppendAll(p.list[:0], id)
	return p.list[p.chance.IntN(len(p.list))]
}

// Random returns the catalogue's entry.
func Random() tubstap.Strategy {
	return tubstap.Strategy{
		Name: "random", Doc: "A random unmoved unit does one of its legal actions.", Source: "ours",
		New: func(*param.Fields, *tubstap.Options) arena.Maker[tubstap.Player] {
			return arena.Made[tubstap.Player](new(randomPlayer))
		},
	}
}

// Single is the best single action: the one-ply player that comes
// with TUBSTAP (Sample_MaxActionEvalFunc), strong where a position is too
// complex to search.
//
// It is asked once for each unit action and weighs everything anew: the
// attack with the best balance of damage done and taken wins; without a
// worthwhile attack one unit, drawn at random, walks towards good cover and
// good targets.
//
//	choice := p.choose(s)
//	if !choice.Attacks {
//		a = p.walk(s, unit)
//	}
//
// Source: Murayama, Fujiki and Ikeda's platform (JAIST), 0.108; Sagehashi,
// Muto and Nishino 2017, section 3.1.

// Single returns the catalogue's entry.
func Single() tubstap.Strategy {
	return tubstap.Strategy{
		Name: "single", Doc: "The best single action, one ply deep (Sample_MaxActionEvalFunc).",
		Source: "Murayama, Fujiki and Ikeda, TUBSTAP 0.108; Sagehashi, Muto and Nishino 2017, section 3.1",
		New: func(*param.Fields, *tubstap.Options) arena.Maker[tubstap.Player] {
			return arena.Made[tubstap.Player](new(singlePlayer))
		},
	}
}

// lowest is the bound that an attack's value must exceed.
const lowest = -20

// choice is the best attack, if there is one worth making.
type choice struct {
	Attacks bool
	Action  tubstap.Action
	Value   int
}

// threat is the greatest damage an enemy could do to the mover's units that
// have acted in this turn, from where they stand; counters do not count.
type threat struct {
	Enemy  int // unit id
	Damage int // HP
}

// singlePlayer plays the best single action. The zero value is ready.
type singlePlayer struct {
	chance *arena.Stream
	list   []tubstap.Action
	threat []int
}

// Turn implements tubstap.Player.
func (p *singlePlayer) Turn(_ *tubstap.State, chance *arena.Stream) { p.chance = chance }

// Act implements tubstap.Player.
func (p *singlePlayer) Act(s *tubstap.State) tubstap.Action {
	if c := p.choose(s); c.Attacks {
		return c.Action
	}
	k := p.chance.IntN(s.Unmoved(s.Mover()))
	for id := range s.Units() {
		if !s.Movable(id) {
			continue
		}
		if k == 0 {
			return p.walk(s, id)
		}
		k--
	}
	panic("single: asked to act without an unmoved unit")
}

// choose finds the attack with the greatest value; the first of equals wins.
// The value is damage x (10 + threat of the target) - counter x (10 + own HP).
func (p *singlePlayer) choose(s *tubstap.State) choice {
	p.threats(s)
	best := choice{Value: lowest}
	for id := range s.Units() {
		if !s.Movable(id) {
			continue
		}
		hp := int(s.Unit(id).HP)
		p.list = s.AppendAttacks(p.list[:0], id)
		for _, a := range p.list {
			damage, counter := s.Exchange(a)
			if damage == 0 {
				continue
			}
			value := damage*(10+p.threat[a.Target]) - counter*(10+hp)
			if value > best.Value {
				best = choice{Attacks: true, Action: a, Value: value}
			}
		}
	}
	return best
}

// threatsTo lists the threat of every enemy, by id.
func (p *singlePlayer) threatsTo(s *tubstap.State) []threat {
	p.threats(s)
	var out []threat
	for id := range s.Units() {
		if u := s.Unit(id); u.Alive() && u.Team != s.Mover() {
			out = append(out, threat{Enemy: id, Damage: p.threat[id]})
		}
	}
	return out
}

func (p *singlePlayer) threats(s *tubstap.State) {
	p.threat = p.threat[:0]
	finished := s.Alive(s.Mover()) > s.Unmoved(s.Mover())
	for id := range s.Units() {
		worst := 0
		if u := s.Unit(id); finished && u.Alive() && u.Team != s.Mover() {
			p.list = s.AppendAttacks(p.list[:0], id)
			for _, a := range p.list {
				if s.Unit(int(a.Target)).Finished {
					worst = max(worst, s.Damage(id, int(a.Target)))
				}
			}
		}
		p.threat = append(p.threat, worst)
	}
}

// walk returns the move of a unit that has nothing worth attacking: the end cell
// with the best sum of cover and power against one enemy over the distance
// to it. It may stay.
func (p *singlePlayer) walk(s *tubstap.State, id int) tubstap.Action {
	u := s.Unit(id)
	p.list = s.AppendMoves(p.list[:0], id)
	best, score := p.list[0], -1
	for _, a := range p.list {
		cover := 5 * u.Kind.Stars(s.Map().At(int(a.X), int(a.Y)))
		for e := range s.Units() {
			enemy := s.Unit(e)
			if !enemy.Alive() || enemy.Team == u.Team {
				continue
			}
			away := abs(int(a.X)-int(enemy.X)) + abs(int(a.Y)-int(enemy.Y))
			if v := cover + int(s.Power()[u.Kind][enemy.Kind])/(away+5); v > score {
				best, score = a, v
			}
		}
	}
	return best
}

func abs(x int) int { return max(x, -x) }

// Dlmc is depth-limited Monte Carlo: it draws whole turns at random,
// plays each on for two turns many times, and plays the best.
//
// At its first action of a turn it makes Sequences random turns of its own
// side, each unit action uniform among all moves and attacks of all unmoved
// units. A sequence that annihilates the enemy is played at once. Others are
// scored by Rollouts of the enemy's and the own next turn, in which units
// first attack while any can and then move, by weighted HP.
//
//	p := dlmcPlayer{dlmcSettings: dlmcProgram()}
//
// Source: the variant inside M3Lee (second at GAT 2016) of the platform's
// depth-limited Monte Carlo (Fujiki, Ikeda and Viennot, IEEE CIG 2015).

// dlmcSettings are the player's parameters.
type dlmcSettings struct {
	Sequences int // random turns tried
	Rollouts  int // continuations of each
	Depth     int // half-turns of a continuation
}

// dlmcProgram returns M3Lee's own budget.
func dlmcProgram() dlmcSettings { return dlmcSettings{Sequences: 150, Rollouts: 50, Depth: 2} }

// weight of a unit's HP in the value of a position, in tenths.
var weight = rollout.Weights{
	tubstap.Fighter: 20, tubstap.Attacker: 20, tubstap.Panzer: 15, tubstap.Cannon: 10, tubstap.AntiAir: 7, tubstap.Infantry: 2,
}

// dlmcConfig makes units attack while any can, then move.
var dlmcConfig = rollout.Config{Attack: 100, Corrected: true, Equal: 1}

// dlmcPlayer implements tubstap.Player.
type dlmcPlayer struct {
	dlmcSettings
	chance *arena.Stream
	plan   []tubstap.Action // rest of the chosen turn
	trial  []tubstap.Action
	list   []tubstap.Action
	end    *tubstap.State // after a trial
	board  rollout.Board  // for the continuations
}

// Turn implements tubstap.Player.
func (p *dlmcPlayer) Turn(_ *tubstap.State, chance *arena.Stream) {
	p.chance = chance
	p.plan = p.plan[:0]
}

// Act implements tubstap.Player.
func (p *dlmcPlayer) Act(s *tubstap.State) tubstap.Action {
	if len(p.plan) == 0 {
		p.think(s)
	}
	a := p.plan[0]
	p.plan = p.plan[1:]
	return a
}

// think chooses the turn. The sum of the rollouts' values decides; the first
// of equals wins.
func (p *dlmcPlayer) think(s *tubstap.State) {
	if p.end == nil {
		p.end = s.Clone()
	}
	own := s.Mover()
	best := 0
	var plan []tubstap.Action
	for i := range p.Sequences {
		p.end.CopyFrom(s)
		p.trial = p.trial[:0]
		for !p.end.TurnDone() {
			a := p.draw(p.end)
			p.trial = append(p.trial, a)
			p.end.Do(a)
		}
		if p.end.Alive(own.Other()) == 0 {
			plan = append(plan[:0], p.trial...)
			break
		}
		if sum := p.score(); i == 0 || sum > best {
			best = sum
			plan = append(plan[:0], p.trial...)
		}
	}
	p.plan = plan
}

// score returns the sum of the values of continuations after a trial: the lead of
// the side that made it in weighted HP, doubled when a side has no unit.
func (p *dlmcPlayer) score() int {
	p.end.EndTurn()
	p.board = boardOf(p.end, dlmcConfig, p.board)
	chance := rollout.Chance{State: p.chance.Uint64()}
	depth := p.Depth
	if p.end.Over() {
		depth = 0
	}
	sum := 0
	for range p.Rollouts {
		p.board.Reset()
		lead, _, over := p.board.Sketch(&chance, depth, &weight)
		if over && p.board.Annihilated() {
			lead *= 2
		}
		sum -= lead // the board's root side is the enemy
	}
	return sum
}

// draw returns a uniform choice among all moves and then all attacks, those
// without damage included, of all unmoved units.
func (p *dlmcPlayer) draw(s *tubstap.State) tubstap.Action {
	p.list = p.list[:0]
	for id := range s.Units() {
		if s.Movable(id) {
			p.list = s.AppendMoves(p.list, id)
		}
	}
	for id := range s.Units() {
		if s.Movable(id) {
			p.list = s.AppendAttacks(p.list, id)
		}
	}
	return p.list[p.chance.IntN(len(p.list))]
}

// DLMC returns the catalogue's entry.
func DLMC() tubstap.Strategy {
	return tubstap.Strategy{
		Name: "dlmc", Doc: "Depth-limited Monte Carlo: the best of many random turns by short playouts.",
		Source: "M3Lee (GAT 2016), after Fujiki, Ikeda and Viennot 2015",
		New: func(f *param.Fields, _ *tubstap.Options) arena.Maker[tubstap.Player] {
			p, program := &dlmcPlayer{}, dlmcProgram()
			f.Int(&p.Sequences, "sequences", program.Sequences, param.Range(1, 2000), "random turns tried, turns", param.Fixed())
			f.Int(&p.Rollouts, "rollouts", program.Rollouts, param.Range(1, 1000), "continuations of each turn, playouts", param.Fixed())
			f.Int(&p.Depth, "depth", program.Depth, param.Range(1, 10), "length of a continuation, half-turns")
			return arena.Made[tubstap.Player](p)
		},
		Sign: param.Values{{Name: "sequences", Text: "5"}, {Name: "rollouts", Text: "3"}},
	}
}
