package tubstap

import (
	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
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

// Random is the catalogue's entry.
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

// Single is the catalogue's entry.
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

// walk is the move of a unit that has nothing worth attacking: the end cell
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
