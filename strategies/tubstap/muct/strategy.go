package muct

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

// Declare binds the settings, also for strategies that have a search within.
func (s *Settings) Declare(f *param.Fields) {
	program := Program()
	f.Int(&s.Simulations, "simulations", 200, param.Log(10, 1_000_000), "playouts for each unit action; the program has 2000, the paper 20000", param.Fixed())
	f.Int(&s.Expansion, "expansion", program.Expansion, param.Range(0, 200), "visits above which a child is expanded, playouts")
	f.Float(&s.C, "c", program.C, param.Range(0, 2), "weight of exploration")
	f.Int(&s.Attack, "attack_rate", program.Attack, param.Range(0, 100), "chance of drawing an attack in a playout where there is one, per cent; 100 is attack first")
	f.Choice(&s.Mode, "mode", Reference, []string{Reference, Corrected}, "reference: the tree of the original program; corrected: that of the textbooks", param.Fixed())
	f.When("mode", Corrected, func(f *param.Fields) {
		f.Bool(&s.Reuse, "reuse", true, "keep the tree within a turn", param.Fixed())
	})
	s.Clock.declare(f)
}

// Player plays every unit action by a search.
type Player struct {
	Search
	turn *arena.Stream
	left float64 // of the turn's time, seconds
}

// Turn implements tubstap.Player.
func (p *Player) Turn(_ *tubstap.State, chance *arena.Stream) {
	p.turn = chance
	p.left = p.Clock.Seconds
	p.forget()
}

// Act implements tubstap.Player.
func (p *Player) Act(s *tubstap.State) tubstap.Action {
	if p.Clock.runs() {
		p.pace, p.left = p.Clock.spend(p.left, p.Simulations, s)
	}
	return p.Continue(s, p.turn.Uint64())
}

type config struct{ Settings }

func (c *config) Declare(f *param.Fields, _ *tubstap.Options) { c.Settings.Declare(f) }

func (c *config) Player(*tubstap.Options) (tubstap.Player, error) {
	return &Player{Search: Search{Settings: c.Settings}}, nil
}

// Strategy is the catalogue's entry.
func Strategy() tubstap.Strategy {
	return tubstap.Strategy{
		Name: "muct", Doc: "M-UCT: a tree search over unit actions, one search for each.",
		Source: "Muto and Nishino (GAT 2016); Sagehashi, Muto and Nishino 2017, section 3.2",
		New:    func() arena.Config[tubstap.Options, tubstap.Player] { return new(config) },
		Sign:   param.Values{{Name: "simulations", Text: "30"}},
	}
}
