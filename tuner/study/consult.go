package study

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// consult.go is where a study calls its sampler. A sampler may be code of another
// program and may not return, so each call runs in a goroutine of its own, which the study leaves
// behind when it is interrupted or has waited long enough. What the goroutine may touch is
// the sampler and the view that was made for the call; after it was left, neither is used
// again.

// answered is what a call of a sampler came to.
type answered[T any] struct {
	value    T
	err      error
	returned bool
	panicked any
	stack    []byte
}

// consult returns what a call of the sampler returns. It returns before the call does when
// the context ends, with the context's error, and when the sampler's time is over, with an
// error that wraps tuner.ErrSamplerSilent. A panic of the sampler is a [*tuner.SamplerPanicError].
func consult[T any](ctx context.Context, st *Study, what string, call func() (T, error)) (T, error) {
	answers := make(chan answered[T], 1)
	go func() {
		var a answered[T]
		defer func() {
			if !a.returned {
				a.panicked, a.stack = recover(), debug.Stack()
			}
			answers <- a
		}()
		st.journal.hook("sampler")
		a.value, a.err = call()
		a.returned = true
	}()
	timer := time.NewTimer(tuner.SamplerPatience)
	defer timer.Stop()
	var none T
	select {
	case a := <-answers:
		switch {
		case a.returned:
			return a.value, a.err
		case a.panicked != nil:
			return none, &tuner.SamplerPanicError{Value: a.panicked, Stack: a.stack}
		}
		return none, fmt.Errorf("%w: its goroutine has ended", tuner.ErrSamplerSilent)
	case <-ctx.Done():
		st.left.leave()
		return none, ctx.Err()
	case <-timer.C:
		st.left.leave()
		return none, fmt.Errorf("%w: it was asked for %s %s ago; what it does is not stopped before the program ends", tuner.ErrSamplerSilent, what, tuner.SamplerPatience)
	}
}

// propose returns the sampler's next proposal for the whole space, which can be played, and
// false where it has nothing further to propose.
func propose(ctx context.Context, st *Study, view *tuner.View, draw int) (param.Values, bool, error) {
	type proposal struct {
		values param.Values
		ok     bool
	}
	p, err := consult(ctx, st, "a proposal", func() (p proposal, err error) {
		p.values, p.ok, err = st.proposer.Propose(view, draw)
		return p, err
	})
	if err != nil || !p.ok {
		return nil, false, err
	}
	space := st.Setup.Tune.Params
	if err := space.CheckProposal(p.values); err != nil {
		return nil, false, err
	}
	return space.Ordered(st.Setup.Tune.Fix, space.Whole(p.values)), true, nil
}

// notesOf returns what the sampler says of a proposal beside its values.
func notesOf(ctx context.Context, st *Study, draw int) (param.Values, error) {
	a, ok := st.proposer.(tuner.Annotator)
	if !ok {
		return nil, nil
	}
	return consult(ctx, st, "the attributes of a proposal", func() (param.Values, error) { return a.Attributes(draw), nil })
}

// bestOf returns the answer of the sampler's model, for the whole space, and false where it
// has none.
func bestOf(ctx context.Context, st *Study, a tuner.Answerer, view *tuner.View) (tuner.Answer, bool, error) {
	type best struct {
		answer tuner.Answer
		ok     bool
	}
	b, err := consult(ctx, st, "its answer", func() (b best, err error) {
		b.answer, b.ok, err = a.Answer(view)
		return b, err
	})
	if err != nil || !b.ok {
		return tuner.Answer{}, false, err
	}
	if err := st.Setup.Tune.Params.CheckProposal(b.answer.Values); err != nil {
		return tuner.Answer{}, false, err
	}
	b.answer.Values = st.Setup.Tune.Params.Whole(b.answer.Values)
	return b.answer, true, nil
}
