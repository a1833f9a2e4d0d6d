package study

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// consultant is the sampler as the study calls it.
type consultant struct {
	setup    *tuner.Setup
	proposer tuner.Proposer
	answers  bool // the proposer answers with its model
	hook     func(point string)
	left     left // of a proposer that has not answered
}

// left tells samplers that the study no longer waits for them.
type left struct {
	once sync.Once
	done chan struct{}
}

// leave closes the channel.
func (l *left) leave() { l.once.Do(func() { close(l.done) }) }

// reply is what a call of a sampler came to.
type reply[T any] struct {
	value    T
	err      error
	returned bool
	panicked any
	stack    []byte
}

// consult returns what a call of the sampler returns. It returns before the call does when
// the context ends, with the context's error, and when the sampler's time is over, with an
// error that wraps tuner.ErrSamplerSilent. A panic of the sampler is a [*tuner.SamplerPanicError].
func consult[T any](ctx context.Context, c *consultant, what string, call func() (T, error)) (T, error) {
	answers := make(chan reply[T], 1)
	go func() {
		var a reply[T]
		defer func() {
			if !a.returned {
				a.panicked, a.stack = recover(), debug.Stack()
			}
			answers <- a
		}()
		c.hook("sampler")
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
		c.left.leave()
		return none, ctx.Err()
	case <-timer.C:
		c.left.leave()
		return none, fmt.Errorf("%w: it was asked for %s %s ago; what it does is not stopped before the program ends", tuner.ErrSamplerSilent, what, tuner.SamplerPatience)
	}
}

// propose returns the sampler's next proposal for the whole space, which can be played, and
// false where it has nothing further to propose.
func (c *consultant) propose(ctx context.Context, view *tuner.View, draw int) (param.Values, bool, error) {
	type proposal struct {
		values param.Values
		ok     bool
	}
	p, err := consult(ctx, c, "a proposal", func() (p proposal, err error) {
		p.values, p.ok, err = c.proposer.Propose(view, draw)
		return p, err
	})
	if err != nil || !p.ok {
		return nil, false, err
	}
	space := c.setup.Tune.Params
	if err := space.CheckProposal(p.values); err != nil {
		return nil, false, err
	}
	return space.Ordered(c.setup.Tune.Fix, space.Whole(p.values)), true, nil
}

// notes returns what the sampler says of a proposal beside its values.
func (c *consultant) notes(ctx context.Context, draw int) (param.Values, error) {
	a, ok := c.proposer.(tuner.Annotator)
	if !ok {
		return nil, nil
	}
	return consult(ctx, c, "the attributes of a proposal", func() (param.Values, error) { return a.Attributes(draw), nil })
}

// best returns the answer of the sampler's model, for the whole space, and false where it
// has none.
func (c *consultant) best(ctx context.Context, a tuner.Answerer, view *tuner.View) (tuner.Answer, bool, error) {
	type best struct {
		answer tuner.Answer
		ok     bool
	}
	b, err := consult(ctx, c, "its answer", func() (b best, err error) {
		b.answer, b.ok, err = a.Answer(view)
		return b, err
	})
	if err != nil || !b.ok {
		return tuner.Answer{}, false, err
	}
	if err := c.setup.Tune.Params.CheckProposal(b.answer.Values); err != nil {
		return tuner.Answer{}, false, err
	}
	b.answer.Values = c.setup.Tune.Params.Whole(b.answer.Values)
	return b.answer, true, nil
}
