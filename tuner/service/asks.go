package service

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/external/elsewhere"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
)

// AskRequest is the body of a request for games to play.
type AskRequest struct {
	Limit  int   `json:"n,omitempty" help:"The largest number of asks, 1 to 256; 0 means 1."`
	Blocks int64 `json:"blocks,omitempty" help:"The largest number of blocks in an ask, 1 to 1024; 0 means 16."`
	// Again also hands out asks that were handed out before and have no results.
	Again bool `json:"again,omitempty" help:"Also hand out earlier asks that have no results yet, before new ones."`
	// DeadlineSeconds, unless 0, is the time after which these asks may be handed out
	// again. Without it they wait for their results for ever.
	DeadlineSeconds int64 `json:"deadline_seconds,omitempty" help:"The seconds after which the asks may be handed out again; 0 means never."`
}

// Asked is the answer to an [AskRequest].
type Asked struct {
	Study string `json:"study"`
	State string `json:"state" schema:"State"`
	// Asks may be fewer than Limit, or none: then the study waits for the results of the
	// Open ones.
	Asks   []Ask         `json:"asks"`
	Open   int           `json:"open" help:"The number of asks without results, including those of this answer."`
	Result *tuner.Result `json:"result" help:"The result, as sakusen tune --json prints it; null until the study is done."`
}

// Ask is consecutive blocks of games between the same entrants.
type Ask struct {
	Ask      int64        `json:"ask" help:"The number of the ask in the study."`
	Study    string       `json:"study"`
	Phase    string       `json:"phase" schema:"Phase"`
	Entrants []askEntrant `json:"entrants"`
	// Games are the games of each block: by seat, the index of the entrant in it.
	Games    [][]int    `json:"games" help:"The games of each block. A game lists, for each seat, the index of the entrant in entrants."`
	Blocks   []askBlock `json:"blocks"`
	Deadline *time.Time `json:"deadline,omitempty"`
}

// askEntrant is a player: a program and its parameters.
type askEntrant struct {
	Name     string                     `json:"name"`
	Strategy string                     `json:"strategy"`
	Params   map[string]json.RawMessage `json:"params" help:"Values by parameter name: numbers, booleans or texts."`
}

// askBlock is a block of an ask. All its games have the same seed.
type askBlock struct {
	Block int64  `json:"block"`
	Seed  string `json:"seed" help:"The seed of all games of the block: 64 bits, decimal."`
}

// BlockResult is the result of a block of an ask.
type BlockResult struct {
	Ask   int64 `json:"ask"`
	Block int64 `json:"block"`
	// Params are the parameters that were played, by entrant: they must be those of the ask.
	Params []map[string]json.RawMessage `json:"params" help:"The parameters that each entrant played with; they must equal those of the ask."`
	// Games are as the ask lists them. Each is as docs/protocol.md has it, by seat:
	// {"ranks": [1, 2]} or {"scores": [...]}, with "errors" and "metrics".
	Games  []json.RawMessage `json:"games" help:"The results, in the order of the ask's games. Each has a value for each seat: {\"ranks\": [1, 2]} or {\"scores\": [...]}; errors and metrics may be added."`
	Worker string            `json:"worker,omitempty" help:"The name of the machine or process that played."`
	Line   int               `json:"-"` // in the file that it was read from, from 1; 0 for none
}

// Results is the body of a request that reports results.
type Results struct {
	Results []BlockResult `json:"results"`
}

// Accepted is the answer to [Results].
type Accepted struct {
	Study  string        `json:"study"`
	State  string        `json:"state" schema:"State"`
	Blocks int           `json:"blocks" help:"The number of blocks in the request."`
	Open   int           `json:"open" help:"The number of asks without results."`
	Result *tuner.Result `json:"result" help:"The result, as sakusen tune --json prints it; null until the study is done."`
}

// CheckInternal returns an error if the games of a study are played by other programs.
func CheckInternal(spec *tuner.Spec) error {
	if !spec.Elsewhere() {
		return nil
	}
	return New(Invalid, fmt.Sprintf("the games of study %q are played elsewhere, since its file declares a program: sakusen study ask FILE hands out what is to be played, and sakusen study tell %s takes the results", spec.Name, spec.Name))
}

// CheckExternal returns an error if the games of a study are played by this program.
func CheckExternal(spec *tuner.Spec) error {
	if spec.Elsewhere() {
		return nil
	}
	return New(Conflict, fmt.Sprintf("the games of study %q are played by this program (sakusen tune): ask and tell need a study file with tune.declare", spec.Name))
}

// ExternalGames hands out the games of studies whose games are played by other programs, and
// takes the results.
type ExternalGames struct{ s *Service }

// ExternalGames returns the operations on studies whose games are played by other programs.
func (t *Studies) ExternalGames() *ExternalGames { return &ExternalGames{t.s} }

// externalStudy is a stored study whose games are played by other programs.
type externalStudy struct {
	store.Details
	setup *tuner.Setup
}

// study finds such a study.
func (t *ExternalGames) study(ctx context.Context, name string) (*externalStudy, error) {
	d, spec, err := find(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	if err := CheckExternal(spec); err != nil {
		return nil, err
	}
	setup, err := storedSetup(d, t.s.games.all())
	return &externalStudy{d, setup}, err
}

// held returns an error if the study's state allows neither asks nor results. what is the
// operation, for the message.
func (x *externalStudy) held(what string) error {
	switch x.State {
	case tuner.Queued, tuner.Running, tuner.Done:
		return nil
	}
	return New(Conflict, fmt.Sprintf("study %q is %s: to %s it must be running (sakusen study resume %s)", x.Name, x.State, what, x.Name))
}

// standing returns a study's state, and its result or nil.
func (t *ExternalGames) standing(ctx context.Context, name string) (string, *tuner.Result, error) {
	d, err := FindStudy(ctx, t.s.store, name)
	if err != nil {
		return "", nil, err
	}
	r, err := storedResult(d)
	return string(d.State), r, err
}

// series returns the games of an ask.
func (x *externalStudy) series(rs *arena.Ruleset, a *store.Ask) (arena.Series, error) {
	s := arena.Series{Ruleset: rs, Seed: a.Seed, Phase: a.Phase, From: a.From, To: a.To}
	for _, e := range a.Entrants {
		entrant, err := rs.Entrant(e.Entrant)
		if err != nil {
			return s, fmt.Errorf("ask %d of study %q: %w", a.Number, x.Name, err)
		}
		entrant.Name = e.Name
		s.Entrants = append(s.Entrants, entrant)
	}
	return s, nil
}

// forward returns the open asks of a study. If there are none it runs the study on first.
func (t *ExternalGames) forward(ctx context.Context, x *externalStudy) ([]store.Ask, error) {
	open, err := t.s.store.Study(x.ID).Asks().Open(ctx)
	if err != nil || len(open) > 0 || x.State == tuner.Done {
		return open, err
	}
	if err := t.advance(ctx, x); err != nil {
		return nil, err
	}
	return t.s.store.Study(x.ID).Asks().Open(ctx)
}

// advance runs a study until games are missing, which become asks, or to its verdict.
func (t *ExternalGames) advance(ctx context.Context, x *externalStudy) error {
	f := StudyFile{Setup: x.setup}
	var err error
	if f.Signatures, err = x.setup.Ruleset.Signatures(ctx, x.setup.Strategies()...); err != nil {
		return err
	}
	h, err := headerOf(x.setup.Spec, f.Signatures)
	if err != nil {
		return err
	}
	log, _, err := t.s.store.Studies.Resume(ctx, h, f.Source, 0)
	if err != nil {
		return err
	}
	proposer, err := t.s.o.Samplers.New(x.setup.Sampler, x.setup.Tune.Params, x.setup.Tune.Fix)
	if err != nil {
		return err
	}
	host := &tuner.Awaited{}
	running, err := study.Open(ctx, x.setup, study.Options{Host: host, Blocks: t.s.store.Blocks(), Proposer: proposer, Explainer: t.s.o.Samplers.Explainer(x.setup), Record: log, Hook: t.s.o.Hook, Begun: taker(t.s.store, t.s.o.Samplers, f)})
	if err != nil {
		return err
	}
	if x.State != tuner.Running || x.Message != tuner.AwaitedMessage {
		if err := log.SetState(ctx, tuner.Running, tuner.AwaitedMessage); err != nil {
			return err
		}
	}
	result, err := running.Run(ctx)
	switch {
	case errors.Is(err, tuner.ErrAwaited):
		return errors.Join(t.s.store.Study(x.ID).Asks().Want(ctx, wanted(host.Missing())), log.SetGames(ctx, running.Played()))
	case err != nil && tuner.Interrupted(ctx, err):
		return err
	case err != nil:
		return errors.Join(err, log.SetState(context.WithoutCancel(ctx), tuner.Failed, err.Error()))
	}
	result.Commit = t.s.o.Settings.Commit
	text, err := result.JSON()
	if err != nil {
		return err
	}
	return errors.Join(log.SetGames(ctx, result.Games), log.Finish(ctx, text))
}

// wanted returns asks for the missing games of a study.
func wanted(missing []arena.Series) []store.Ask {
	var out []store.Ask
	for _, s := range missing {
		a := store.Ask{Phase: s.Phase, Seed: s.Seed, From: s.From, To: s.To}
		for _, e := range s.Entrants {
			a.Entrants = append(a.Entrants, store.AskedEntrant{Name: e.Name, Entrant: e.Canonical()})
		}
		out = append(out, a)
	}
	sortAsks(out)
	return out
}

// sortAsks sorts asks by phase, trial, block and opponent, so that their order does not
// depend on the order in which games were found missing.
func sortAsks(asks []store.Ask) {
	number := func(a *store.Ask) int {
		n, err := strconv.Atoi(strings.TrimPrefix(a.Entrants[0].Name, "trial "))
		if err != nil {
			return -1
		}
		return n
	}
	slices.SortFunc(asks, func(a, b store.Ask) int {
		return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(number(&a), number(&b)), cmp.Compare(a.From, b.From),
			slices.CompareFunc(a.Entrants, b.Entrants, func(x, y store.AskedEntrant) int { return cmp.Compare(x.Entrant, y.Entrant) }))
	})
}

// The default and the bounds of a request for asks.
const (
	usualBlocks = 16
	mostAsks    = 256
	mostOfAsk   = 1024 // blocks
)

// Ask hands out asks. If none is open it runs the study on first.
func (t *ExternalGames) Ask(ctx context.Context, name string, r AskRequest) (*Asked, error) {
	if r.Limit == 0 {
		r.Limit = 1
	}
	if r.Blocks == 0 {
		r.Blocks = usualBlocks
	}
	switch {
	case r.Limit < 1 || r.Limit > mostAsks:
		return nil, New(Invalid, fmt.Sprintf("n: expected 1 to %d, got %d", mostAsks, r.Limit))
	case r.Blocks < 1 || r.Blocks > mostOfAsk:
		return nil, New(Invalid, fmt.Sprintf("blocks: expected 1 to %d, got %d", mostOfAsk, r.Blocks))
	case r.DeadlineSeconds < 0 || r.DeadlineSeconds > 1e8:
		return nil, New(Invalid, fmt.Sprintf("deadline_seconds: expected 0 to 1e8, got %d", r.DeadlineSeconds))
	}
	defer t.s.turns.take(name)()
	x, err := t.study(ctx, name)
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
	for _, fresh := range []bool{false, true} { // asks that were handed out before come first
		for _, a := range open {
			was := !a.Asked.IsZero()
			over := was && (r.Again || !a.Again.IsZero() && !now.Before(a.Again))
			if len(some) < r.Limit && (fresh && !was || !fresh && over) {
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

// ListOpenAsks returns the asks that are handed out and have no results yet.
func (t *ExternalGames) ListOpenAsks(ctx context.Context, name string) (*Asked, error) {
	x, err := t.study(ctx, name)
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

// ask returns a stored ask in the form in which it is handed out.
func (x *externalStudy) ask(a *store.Ask) (Ask, error) {
	s, err := x.series(x.setup.RulesetOf(a.Phase), a)
	out := Ask{Ask: a.Number, Study: x.Name, Phase: a.Phase.String()}
	if !a.Again.IsZero() {
		out.Deadline = &a.Again
	}
	for _, e := range s.Entrants {
		params, bad := x.typed(e)
		err = errors.Join(err, bad)
		out.Entrants = append(out.Entrants, askEntrant{Name: e.Name, Strategy: e.Strategy, Params: params})
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
		out.Blocks = append(out.Blocks, askBlock{b, param.Seed(elsewhere.Seed(a.Seed, a.Phase, b)).String()})
	}
	return out, err
}

// typed returns an entrant's parameters as JSON values.
func (x *externalStudy) typed(e arena.Entrant) (map[string]json.RawMessage, error) {
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
