// Package dlmc is depth-limited Monte Carlo: it draws whole turns at random,
// plays each on for two turns many times, and plays the best.
//
// At its first action of a turn it makes Sequences random turns of its own
// side, each unit action uniform among all moves and attacks of all unmoved
// units. A sequence that annihilates the enemy is played at once. Others are
// scored by Rollouts of the enemy's and the own next turn, in which units
// first attack while any can and then move, by weighted HP.
//
//	p := dlmc.Player{Settings: dlmc.Program}
//
// Source: the variant inside M3Lee (second at GAT 2016) of the platform's
// depth-limited Monte Carlo (Fujiki, Ikeda and Viennot, IEEE CIG 2015).
package dlmc

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

// Settings are the player's parameters.
type Settings struct {
	Sequences int // random turns tried
	Rollouts  int // continuations of each
	Depth     int // half-turns of a continuation
}

// Program is M3Lee's own budget.
var Program = Settings{Sequences: 150, Rollouts: 50, Depth: 2}

// weight of a unit's HP in the value of a position.
var weight = [tubstap.Kinds]float64{
	tubstap.Fighter: 2, tubstap.Attacker: 2, tubstap.Panzer: 1.5, tubstap.Cannon: 1, tubstap.AntiAir: 0.7, tubstap.Infantry: 0.2,
}

// Player implements tubstap.Player.
type Player struct {
	Settings
	chance  *arena.Stream
	plan    []tubstap.Action // rest of the chosen turn
	trial   []tubstap.Action
	list    []tubstap.Action
	attacks []tubstap.Action
	end     *tubstap.State // after a trial
	state   *tubstap.State // in a rollout
}

// Turn implements tubstap.Player.
func (p *Player) Turn(_ *tubstap.State, chance *arena.Stream) {
	p.chance = chance
	p.plan = p.plan[:0]
}

// Act implements tubstap.Player.
func (p *Player) Act(s *tubstap.State) tubstap.Action {
	if len(p.plan) == 0 {
		p.think(s)
	}
	a := p.plan[0]
	p.plan = p.plan[1:]
	return a
}

// think chooses the turn. The sum of the rollouts' values decides; the first
// of equals wins.
func (p *Player) think(s *tubstap.State) {
	if p.end == nil || p.end.Units() != s.Units() {
		p.end, p.state = s.Clone(), s.Clone()
	}
	own := s.Mover()
	best := 0.0
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
		p.end.EndTurn()
		sum := 0.0
		for range p.Rollouts {
			sum += p.rollout(own)
		}
		if i == 0 || sum > best {
			best = sum
			plan = append(plan[:0], p.trial...)
		}
	}
	p.plan = plan
}

// draw is a uniform choice among all moves and then all attacks, those
// without damage included, of all unmoved units.
func (p *Player) draw(s *tubstap.State) tubstap.Action {
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

// rollout plays Depth half-turns from the end of a trial and values the
// position for the own side.
func (p *Player) rollout(own tubstap.Team) float64 {
	s := p.state
	s.CopyFrom(p.end)
	for range p.Depth {
		if s.Over() {
			break
		}
		for !s.TurnDone() {
			p.attacks = p.attacks[:0]
			for id := range s.Units() {
				if s.Movable(id) {
					p.attacks = s.AppendAttacks(p.attacks, id)
				}
			}
			if len(p.attacks) == 0 {
				break
			}
			s.Do(p.attacks[p.chance.IntN(len(p.attacks))])
		}
		for id := range s.Units() {
			if s.TurnDone() {
				break
			}
			if s.Movable(id) {
				p.list = s.AppendMoves(p.list[:0], id)
				s.Do(p.list[p.chance.IntN(len(p.list))])
			}
		}
		s.EndTurn()
	}
	return value(s, own)
}

// value is the difference of weighted HP, doubled when a side has none.
func value(s *tubstap.State, own tubstap.Team) float64 {
	var sum [2]float64
	for id := range s.Units() {
		if u := s.Unit(id); u.Alive() {
			sum[u.Team] += float64(weight[u.Kind] * float64(u.HP))
		}
	}
	v := sum[own] - sum[own.Other()]
	if sum[0] == 0 || sum[1] == 0 {
		v *= 2
	}
	return v
}

type config struct{ Settings }

func (c *config) Declare(f *param.Fields, _ *tubstap.Options) {
	f.Int(&c.Sequences, "sequences", Program.Sequences, param.Range(1, 2000), "random turns tried, turns", param.Fixed())
	f.Int(&c.Rollouts, "rollouts", Program.Rollouts, param.Range(1, 1000), "continuations of each turn, playouts", param.Fixed())
	f.Int(&c.Depth, "depth", Program.Depth, param.Range(1, 10), "length of a continuation, half-turns")
}

func (c *config) Player(*tubstap.Options) (tubstap.Player, error) {
	return &Player{Settings: c.Settings}, nil
}

// Strategy is the catalogue's entry.
var Strategy = tubstap.Strategy{
	Name: "dlmc", Doc: "Depth-limited Monte Carlo: the best of many random turns by short playouts.",
	Source: "M3Lee (GAT 2016), after Fujiki, Ikeda and Viennot 2015",
	New:    func() arena.Config[tubstap.Options, tubstap.Player] { return new(config) },
	Sign:   param.Values{{Name: "sequences", Text: "5"}, {Name: "rollouts", Text: "3"}},
}
