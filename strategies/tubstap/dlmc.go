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

package tubstap

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/boards"
	"sakusen/engines/tubstap/rollout"
)

// dlmcSettings are the player's parameters.
type dlmcSettings struct {
	Sequences int // random turns tried
	Rollouts  int // continuations of each
	Depth     int // half-turns of a continuation
}

// dlmcProgram is M3Lee's own budget.
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

// score is the sum of the values of continuations after a trial: the lead of
// the side that made it in weighted HP, doubled when a side has no unit.
func (p *dlmcPlayer) score() int {
	p.end.EndTurn()
	p.board = boards.On(p.end, dlmcConfig, p.board)
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

// draw is a uniform choice among all moves and then all attacks, those
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

// DLMC is the catalogue's entry.
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
