package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/external/elsewhere"
	"sakusen/engines/param"
	"sakusen/tuner/store"
)

// The bounds of a request for something to play.
const (
	usualBlocks = 16
	mostAsks    = 256
	mostOfAsk   = 1024 // blocks
)

// Ask hands out something to play. The search goes on first where nothing is open.
func (t *Elsewhere) Ask(ctx context.Context, name string, r AskRequest) (*Asked, error) {
	if r.N == 0 {
		r.N = 1
	}
	if r.Blocks == 0 {
		r.Blocks = usualBlocks
	}
	switch {
	case r.N < 1 || r.N > mostAsks:
		return nil, New(Invalid, fmt.Sprintf("n: expected 1 to %d, got %d", mostAsks, r.N))
	case r.Blocks < 1 || r.Blocks > mostOfAsk:
		return nil, New(Invalid, fmt.Sprintf("blocks: expected 1 to %d, got %d", mostOfAsk, r.Blocks))
	case r.DeadlineSeconds < 0 || r.DeadlineSeconds > 1e8:
		return nil, New(Invalid, fmt.Sprintf("deadline_seconds: expected 0 to 1e8, got %d", r.DeadlineSeconds))
	}
	defer t.s.turns.take(name)()
	x, err := t.told(ctx, name)
	if err == nil {
		err = x.held("ask for games")
	}
	if err != nil {
		return nil, err
	}
	out := &Asked{Study: name, Asks: []Ask{}}
	open, err := t.forward(ctx, x)
	if err != nil {
		return nil, err
	}
	now := t.s.o.Clock()
	var some []store.Ask
	for _, fresh := range []bool{false, true} { // what was handed out before comes first
		for _, a := range open {
			was := !a.Asked.IsZero()
			over := was && (r.Again || !a.Again.IsZero() && !now.Before(a.Again))
			if len(some) < r.N && (fresh && !was || !fresh && over) {
				some = append(some, a)
			} else if was && !fresh {
				out.Open++
			}
		}
	}
	until := time.Time{}
	if r.DeadlineSeconds > 0 {
		until = now.Add(time.Duration(r.DeadlineSeconds) * time.Second).UTC()
	}
	if len(some) > 0 {
		if some, err = t.s.store.Study(x.ID).Asks().HandOut(ctx, some, r.Blocks, until); err != nil {
			return nil, err
		}
	}
	out.Open += len(some)
	for i := range some {
		a, err := x.ask(&some[i])
		if err != nil {
			return nil, err
		}
		out.Asks = append(out.Asks, a)
	}
	out.State, out.Result, err = t.standing(ctx, name)
	return out, err
}

// Out is what is handed out and not told.
func (t *Elsewhere) Out(ctx context.Context, name string) (*Asked, error) {
	x, err := t.told(ctx, name)
	if err != nil {
		return nil, err
	}
	out := &Asked{Study: name, Asks: []Ask{}}
	open, err := t.s.store.Study(x.ID).Asks().Open(ctx)
	for i := range open {
		if err == nil && !open[i].Asked.IsZero() {
			var a Ask
			a, err = x.ask(&open[i])
			out.Asks = append(out.Asks, a)
		}
	}
	if err != nil {
		return nil, err
	}
	out.Open = len(out.Asks)
	out.State, out.Result, err = t.standing(ctx, name)
	return out, err
}

// ask is a stored ask as it is handed out.
func (x *told) ask(a *store.Ask) (Ask, error) {
	s, err := x.series(x.setup.Ruleset, a)
	out := Ask{Ask: a.Number, Study: x.Name, Phase: a.Phase.String()}
	if !a.Again.IsZero() {
		out.Deadline = &a.Again
	}
	for _, e := range s.Entrants {
		params, bad := x.typed(e)
		err = errors.Join(err, bad)
		out.Entrants = append(out.Entrants, AskEntrant{Name: e.Name, Strategy: e.Strategy, Params: params})
	}
	rotations := len(s.Entrants)
	if rotations > 0 && arena.AllEqual(s.Entrants) {
		rotations = 1 // equals in all seats: one game
	}
	for r := range rotations {
		seats := make([]int, len(s.Entrants))
		for e := range seats {
			seats[(e+r)%len(seats)] = e
		}
		out.Games = append(out.Games, seats)
	}
	for b := a.From; b < a.To; b++ {
		out.Blocks = append(out.Blocks, AskBlock{b, param.Seed(elsewhere.Seed(a.Seed, a.Phase, b)).String()})
	}
	return out, err
}

// typed are an entrant's parameters as JSON.
func (x *told) typed(e arena.Entrant) (map[string]json.RawMessage, error) {
	space, err := x.setup.Ruleset.Space(e.Strategy)
	out := map[string]json.RawMessage{}
	for _, v := range e.Params {
		for _, p := range space {
			if p.Name != v.Name {
				continue
			}
			if out[v.Name] = json.RawMessage(v.Text); p.Kind == param.Choice || !json.Valid([]byte(v.Text)) {
				out[v.Name], _ = json.Marshal(v.Text)
			}
		}
	}
	return out, err
}
