package solve

import (
	"fmt"

	"sakusen/engines/daifugo"
	"sakusen/strategies/daifugo/positions"
)

// Layers is what the method positions needs of its caller. The zero Layers
// works serially from the start and asks for the opening alone.
type Layers struct {
	Pool positions.Pool // nil: positions.Serial
	// From is a loaded solver to continue from; nil starts anew.
	From positions.Solver
	// Ask are further positions to evaluate when their layer is reached.
	Ask []daifugo.Position
	// After, unless nil, is called with every layer that is done; an error from
	// it stops the run and is returned.
	After func(s positions.Solver) error
}

// positions makes layer after layer.
func (r Request) positions(l *Layers, a *Answer) error {
	if l == nil {
		l = &Layers{}
	}
	pool := l.Pool
	if pool == nil {
		pool = positions.Serial
	}
	s := l.From
	if s == nil {
		var err error
		if s, err = positions.New(r.Rules, r.Memory); err != nil {
			return err
		}
	}
	if len(l.Ask) > 0 {
		a.Asked = make([]Asked, len(l.Ask))
	}
	if err := l.Check(); err != nil {
		return err
	}
	for {
		if err := l.answer(s, a); err != nil {
			return err
		}
		if s.Cards() == positions.Top(r.Rules) {
			break
		}
		s.Next(pool)
		if l.After != nil {
			if err := l.After(s); err != nil {
				return err
			}
		}
	}
	v, err := positions.Opening(s)
	if err != nil {
		return err
	}
	a.Solution = v.Sets(r.Rules)
	a.made(s.Entries())
	return nil
}

// Check refuses positions whose layer the loaded solver has left behind.
func (l *Layers) Check() error {
	if l.From == nil {
		return nil
	}
	for i, p := range l.Ask {
		if !p.Over() && held(&p) <= l.From.Cards() {
			return fmt.Errorf("position %d has %d cards, and the saved layer is past it, with %d: start from the beginning to value it",
				i+1, held(&p), l.From.Cards())
		}
	}
	return nil
}

// answer values the positions asked for that stand on the layer held.
func (l *Layers) answer(s positions.Solver, a *Answer) error {
	for i, p := range l.Ask {
		if a.Asked[i].Ranks != nil || !p.Over() && held(&p) != s.Cards()+1 {
			continue
		}
		v, err := s.Value(&p)
		if err != nil {
			return err
		}
		a.Asked[i].Ranks = v.Sets(s.Rules())
	}
	return nil
}

// held is the number of cards in all hands.
func held(p *daifugo.Position) int {
	n := 0
	for i := range p.Rules().Seats {
		n += p.Hand(i).Len()
	}
	return n
}
