package rollout

import "sakusen/engines/tubstap"

// plain is a board on the rules' own state: every list is made anew each
// time it is needed. It takes any map.
type plain struct {
	config  Config
	root    *tubstap.State
	counter int
	side    tubstap.Team // root side
	mover   tubstap.Team // corrected searches only
	s       *tubstap.State
	attacks []tubstap.Action
	actions []tubstap.Action
}

// NewPlain is a board on a copy of the state.
func NewPlain(s *tubstap.State, config Config) *plain {
	p := &plain{config: config, root: s.Clone(), s: s.Clone(), side: s.Mover()}
	p.Reset()
	return p
}

// Reset implements Board.
func (p *plain) Reset() {
	p.s.CopyFrom(p.root)
	p.counter = p.root.Counter()
	p.mover = p.side
}

func pack(a tubstap.Action) Move {
	return Move(uint32(a.Unit)<<24 | uint32(a.X)<<16 | uint32(a.Y)<<8 | uint32(uint8(a.Target)))
}

// noTarget is NoUnit in a Move; unit 255 cannot be a target of a plain board.
const noTarget = 0xff

// Action implements Board.
func (p *plain) Action(m Move) tubstap.Action {
	a := tubstap.Action{Unit: int16(m >> 24), X: int8(m >> 16), Y: int8(m >> 8), Target: int16(uint8(m))}
	if a.Target == noTarget {
		a.Target = tubstap.NoUnit
	}
	return a
}

// Do implements Board.
func (p *plain) Do(m Move) { p.s.Do(p.Action(m)) }

// Commit implements Board.
func (p *plain) Commit(m Move) {
	p.root.Do(p.Action(m))
	p.Reset()
}

// Turn implements Board.
func (p *plain) Turn(e Expansion) {
	if e.Clear {
		p.s.ClearFinished(tubstap.Red)
		p.s.ClearFinished(tubstap.Blue)
	}
	if e.Bump {
		p.counter++
	}
}

// Expand implements Board.
func (p *plain) Expand(list []Move, root bool) ([]Move, Expansion) {
	mover, enemy := p.side, p.side.Other()
	var e Expansion
	switch {
	case p.config.Corrected:
		mover = p.mover
	case root:
	default:
		if p.s.Unmoved(mover) == 0 {
			mover = enemy
			if p.s.Unmoved(mover) == 0 {
				e.Clear = true
				mover = p.side
				if p.s.Alive(mover) == 0 {
					mover = enemy
				}
			}
		}
		e.Bump = e.Clear || p.s.Unmoved(mover) == p.s.Alive(mover)
		p.Turn(e)
	}
	e.Root = mover == p.side
	for id := range p.s.Units() {
		if u := p.s.Unit(id); u.Alive() && !u.Finished && u.Team == mover {
			p.actions = p.s.AppendActions(p.actions[:0], id)
			for _, a := range p.actions {
				list = append(list, pack(a))
			}
		}
	}
	return list, e
}

// RootMoves implements Board.
func (p *plain) RootMoves() bool { return p.mover == p.side }

// Annihilated implements Board.
func (p *plain) Annihilated() bool { return p.s.Alive(0) == 0 || p.s.Alive(1) == 0 }

// Advance implements Board.
func (p *plain) Advance() (over bool, reward int) {
	if p.Annihilated() {
		return true, p.reward()
	}
	if p.s.Unmoved(p.mover) > 0 {
		return false, 0
	}
	p.s.ClearFinished(p.mover)
	p.counter++
	p.mover = p.mover.Other()
	if p.counter >= p.s.Map().TurnLimit {
		return true, p.reward()
	}
	return false, 0
}

// Playout implements Board.
func (p *plain) Playout(c *Chance) int {
	limit := p.s.Map().TurnLimit
	if p.config.Corrected {
		for over, reward := p.Advance(); ; over, reward = p.Advance() {
			if over {
				return reward
			}
			p.phase(p.mover, c)
		}
	}
	for p.counter < limit {
		p.phase(p.side, c)
		p.counter++
		if p.counter >= limit {
			break
		}
		p.phase(p.side.Other(), c)
		p.counter++
		if p.counter >= limit || p.s.Alive(0) == 0 || p.s.Alive(1) == 0 {
			break
		}
	}
	return p.reward()
}

// Sketch implements Board.
func (p *plain) Sketch(c *Chance, halfTurns int, w *Weights) (lead, reward int, over bool) {
	over, reward = p.Advance()
	for end := p.counter + halfTurns; !over && p.counter < end; over, reward = p.Advance() {
		p.phase(p.mover, c)
	}
	for id := range p.s.Units() {
		u := p.s.Unit(id)
		if v := int(w[u.Kind]) * int(u.HP); u.Team == p.side {
			lead += v
		} else {
			lead -= v
		}
	}
	return lead, reward, over
}

// gain is that of an attack in the weights of the playouts.
func (p *plain) gain(a tubstap.Action) int { return p.Gain(pack(a), &p.config.Worth) }

// Gain implements Board.
func (p *plain) Gain(m Move, w *Weights) int {
	a := p.Action(m)
	if a.Target == tubstap.NoUnit {
		return 0
	}
	damage, counter := p.s.Exchange(a)
	return damage*int(w[p.s.Unit(int(a.Target)).Kind]) - counter*int(w[p.s.Unit(int(a.Unit)).Kind])
}

// phase lets every unmoved unit of a side act at random.
func (p *plain) phase(side tubstap.Team, c *Chance) {
	bound := AttackBound(p.config.Attack)
	for p.s.Unmoved(side) > 0 {
		if p.config.Corrected && p.s.Alive(side.Other()) == 0 {
			return
		}
		attack := c.unit() >= bound
		p.attacks = p.attacks[:0]
		if attack {
			for id := range p.s.Units() {
				if p.unmoved(id, side) {
					p.attacks = p.s.AppendAttacks(p.attacks, id)
				}
			}
		}
		if n := len(p.attacks); n > 0 {
			best := p.attacks[c.next(n)]
			gain := 1
			if p.config.Candidates > 1 {
				gain = p.gain(best)
			}
			for i := 1; i < p.config.Candidates; i++ {
				a := p.attacks[c.next(n)]
				if g := p.gain(a); g > gain {
					best, gain = a, g
				}
			}
			if gain > 0 {
				p.s.Do(best)
				continue
			}
		}
		k := c.next(p.s.Unmoved(side))
		id := 0
		for ; !p.unmoved(id, side) || k > 0; id++ {
			if p.unmoved(id, side) {
				k--
			}
		}
		p.actions = p.s.AppendActions(p.actions[:0], id)
		p.s.Do(p.actions[c.next(len(p.actions))])
	}
	if !p.config.Corrected {
		p.s.ClearFinished(side)
	}
}

func (p *plain) unmoved(id int, side tubstap.Team) bool {
	u := p.s.Unit(id)
	return u.Alive() && !u.Finished && u.Team == side
}

// reward judges the position for the root side, in halves.
func (p *plain) reward() int {
	own, enemy := p.side, p.side.Other()
	if p.s.Alive(own) == 0 {
		return 0
	}
	if p.s.Alive(enemy) == 0 {
		return 2
	}
	return Judge(p.s.HP(own)-p.s.HP(enemy), p.s.Map().Threshold, p.config.Equal)
}

// Judge is the reward in halves for a lead in HP when nobody is annihilated.
// equal is the reward for a lead equal to the threshold.
func Judge(lead, threshold, equal int) int {
	switch {
	case lead > threshold:
		return 2
	case -lead > threshold:
		return 0
	case lead == threshold && lead != 0:
		return equal
	case -lead == threshold && lead != 0:
		return 2 - equal
	case threshold == 0:
		return equal // the program's test looks at the winning side first
	}
	return 1
}
