package arena

import (
	"context"
	"errors"
	"testing"

	"sakusen/engines/param"
)

type slowRules struct{}

// slowPlayer is asked once a game.
type slowPlayer interface{ wait() }

// slow thinks until it is let.
type slow struct{ begun, let chan struct{} }

func (s slow) Declare(*param.Fields, *slowRules)                 {}
func (s slow) Player(*slowRules) (slowPlayer, error)             { return s, nil }
func (s slow) Play(_ *Fixture, p []slowPlayer, _ *Outcome) error { p[0].wait(); return nil }
func (s slow) wait() {
	s.begun <- struct{}{}
	<-s.let
}

// A series that is interrupted does not wait for a game that takes long: the game
// keeps its worker to its end, and nothing is observed of it.
func TestInterrupted(t *testing.T) {
	s := slow{make(chan struct{}, 100), make(chan struct{})}
	g := Enter(Definition[slowRules, slowPlayer]{
		Name: "slow", Doc: "Takes its time.", Source: "ours", Seats: func(*slowRules) int { return 2 },
		Referee: func(*slowRules) (Referee[slowPlayer], error) { return s, nil },
	}, Strategy[slowRules, slowPlayer]{Name: "slow", Doc: "Thinks.", Source: "ours", New: func(f *param.Fields, r *slowRules) Maker[slowPlayer] {
		c := s
		c.Declare(f, r)
		return func() (slowPlayer, error) { return c.Player(r) }
	}})
	rs, errs := g.Open(nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	e, err := rs.Entrant("slow")
	if err != nil {
		t.Fatal(err)
	}
	p := NewPool(1)
	p.patience = 0
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	observed := 0
	go func() {
		_, err := p.Play(ctx, Series{Ruleset: rs, Entrants: []Entrant{e, e}, To: 3}, func(*Run) error { observed++; return nil })
		ended <- err
	}()
	<-s.begun
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	p.mu.Lock()
	if len(p.free) != 0 {
		t.Error("the worker is given away while it plays")
	}
	p.mu.Unlock()
	close(s.let)
	tally, err := p.Play(t.Context(), Series{Ruleset: rs, Entrants: []Entrant{e, e}, To: 3}, nil)
	if err != nil || tally.Blocks != 3 || observed != 0 {
		t.Errorf("after it: %v, %d blocks; of the interrupted one %d runs were observed", err, tally.Blocks, observed)
	}
}
