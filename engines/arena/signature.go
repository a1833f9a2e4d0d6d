package arena

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"sakusen/engines/lru"
	"sakusen/engines/param"
)

// signatureBlocks is the number of blocks played for each variant of a
// strategy: enough to meet every phase of a game, few enough to be computed
// whenever a study starts.
const signatureBlocks = 2

// signatureSeed is the seed of the fixed fixtures.
const signatureSeed = 0x5369676e

// Signature returns the fold of the transcript digests of a strategy's games with
// itself over fixed fixtures, as sixteen hexadecimal digits: it changes when
// play changes, and only then. It plays the strategy's defaults (with the small
// budgets of Strategy.Sign) and, one at a time, every other value of its choices
// and switches.
func (rs *Ruleset) Signature(ctx context.Context, strategy string) (string, error) {
	if rs.Game.Outside(strategy) {
		id, err := rs.identify(strategy)
		return id.signature(), err
	}
	space, err := rs.Space(strategy)
	if err != nil {
		return "", err
	}
	sign := rs.Game.about(strategy).sign
	for _, p := range space { // rules may move a range away from a value
		if text, ok := sign.Get(p.Name); ok {
			if _, err := p.Canonical(text); err != nil {
				sign = sign.With(p.Name, p.Default)
			}
		}
	}
	variants := []param.Values{sign}
	for _, p := range space {
		values := p.Choices
		if p.Kind == param.Bool {
			values = []string{"false", "true"}
		}
		for _, v := range values {
			if v == p.Default {
				continue
			}
			given := sign
			for _, c := range p.When {
				given = given.With(c.Name, c.Value)
			}
			variants = append(variants, given.With(p.Name, v))
		}
	}
	d := newSlot()
	h := uint64(0)
	for _, given := range variants {
		e, err := rs.NewEntrant(strategy, strategy, given)
		if err != nil {
			return "", fmt.Errorf("signature: %w", err)
		}
		if h, err = rs.signed(ctx, d, h, signatureBlocks, e, e); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%016x", h), nil
}

// signed plays blocks of an entrant with another in all other seats, and mixes their digests
// into h.
func (rs *Ruleset) signed(ctx context.Context, d *slot, h uint64, blocks int, e, other Entrant) (uint64, error) {
	s := Series{Ruleset: rs, Seed: signatureSeed, Phase: Match, To: int64(blocks), Entrants: []Entrant{e}}
	for len(s.Entrants) < rs.Seats {
		s.Entrants = append(s.Entrants, other)
	}
	run, _, err := d.play(ctx, &s, s.key(), chunk{blocks: blocks})
	if err != nil {
		return h, fmt.Errorf("signature of %s: %w", e.Canonical(), err)
	}
	if run.Blocks < blocks {
		return h, ctx.Err()
	}
	for b := range run.Blocks {
		h = mix(h ^ run.blockDigest(b))
	}
	return h, nil
}

// UnsteadyError says that a strategy's signature came out differently when it was
// worked out a second time: it does not play the same way twice.
type UnsteadyError struct {
	Game, Strategy string
	First, Second  string
}

func (e *UnsteadyError) Error() string {
	return fmt.Sprintf("%s: strategy %s does not play the same way twice: its signature is %s, and %s when it is worked out again. A player must not consult a clock, a counter that other games move, or the order of a map",
		e.Game, e.Strategy, e.First, e.Second)
}

// steady returns the signature of a strategy, worked out twice; the error is an
// [*UnsteadyError] where the two differ.
func (rs *Ruleset) steady(ctx context.Context, strategy string) (string, error) {
	first, err := rs.Signature(ctx, strategy)
	if err != nil {
		return "", err
	}
	second, err := rs.Signature(ctx, strategy)
	if err == nil && first != second {
		err = &UnsteadyError{rs.Game.Name, strategy, first, second}
	}
	return first, err
}

// Signatures joins the signature of the game, which is that of the first
// strategy of its line in the catalogue, with those of the given strategies. A game
// whose strategies are all external programs has none of its own. Each
// is worked out once in the life of the game, by playing its fixtures twice; where the context ends first its
// error is returned at once.
func (rs *Ruleset) Signatures(ctx context.Context, strategies ...string) (string, error) {
	first := rs.Game.Strategies[0].Name
	parts := []string{}
	seen := map[string]bool{}
	for i, name := range append([]string{first}, strategies...) {
		if seen[name] || i == 0 && rs.Game.Outside(name) {
			continue
		}
		seen[name] = true
		if rs.Game.Outside(name) { // it may have changed since it was asked last
			sig, err := rs.Signature(ctx, name)
			if err != nil {
				return "", err
			}
			parts = append(parts, name+":"+sig)
			continue
		}
		sig, err := rs.Game.signed.get(ctx, rs.Hash()+" "+name, func(ctx context.Context) (string, error) { return rs.steady(ctx, name) })
		if err != nil {
			return "", err
		}
		parts = append(parts, name+":"+sig)
	}
	return strings.Join(parts, " "), nil
}

// signed remembers a game's signatures by rules and strategy. They depend on nothing but
// this program, and on a large map one takes minutes. One is computed at a time, in a
// goroutine that continues when the caller gives up, so that a later call finds it.
type signed struct {
	number int64 // of this game as it was joined, in this process

	turn chan struct{} // has room for one: full while a signature is computed

	mu   sync.Mutex
	done *lru.Cache[string, string]
}

// signedKept bounds the signatures that are remembered.
const signedKept = 1000

// joined counts the games that were made or joined.
var joined atomic.Int64

func newSigned() *signed {
	return &signed{number: joined.Add(1), turn: make(chan struct{}, 1), done: lru.New[string, string](signedKept)}
}

// find returns a remembered signature, empty where there is none.
func (m *signed) find(key string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	signature, _ := m.done.Get(key)
	return signature
}

// keep remembers a signature.
func (m *signed) keep(key, signature string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done.Put(key, signature)
}

// get returns the signature of a key; it is computed if it is not remembered. If the
// context ends first, get returns its error at once.
func (m *signed) get(ctx context.Context, key string, work func(context.Context) (string, error)) (string, error) {
	if s := m.find(key); s != "" {
		return s, nil
	}
	select {
	case m.turn <- struct{}{}:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if s := m.find(key); s != "" || ctx.Err() != nil {
		<-m.turn
		return s, ctx.Err()
	}
	type answer struct {
		signature string
		err       error
	}
	told := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if v := recover(); v != nil {
				a.err = fmt.Errorf("signature: panic: %v\n%s", v, debug.Stack())
			}
			if a.err == nil {
				m.keep(key, a.signature)
			}
			<-m.turn
			told <- a
		}()
		a.signature, a.err = work(context.WithoutCancel(ctx))
	}()
	select {
	case a := <-told:
		return a.signature, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
