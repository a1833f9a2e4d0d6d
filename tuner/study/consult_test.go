package study_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/study"
)

// silent is a sampler that stops answering before its test ends: where is what it does not
// answer, after says after how many draws.
type silent struct {
	tuner.Proposer
	where string
	after int
	asked chan struct{} // closed when it is asked for what it does not answer
	left  chan struct{} // closed when it was told that the study no longer waits
	ended chan struct{} // closed by the test
}

func newSilent(t *testing.T, setup *tuner.Setup, where string, after int) *silent {
	t.Helper()
	p, err := sampler.Kinds{}.New(setup.Sampler, setup.Tune.Params, setup.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	return &silent{p, where, after, make(chan struct{}), make(chan struct{}), make(chan struct{})}
}

// never does not return before the test ends.
func (s *silent) never(v *tuner.View) {
	close(s.asked)
	<-v.Left
	close(s.left)
	<-s.ended
}

func (s *silent) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	if s.where == "propose" && draw >= s.after {
		s.never(v)
	}
	return s.Proposer.Propose(v, draw)
}

func (s *silent) Answer(v *tuner.View) (tuner.Answer, bool, error) {
	if s.where == "answer" {
		s.never(v)
	}
	return s.Proposer.(tuner.Answerer).Answer(v)
}

func (s *silent) Explain(v *tuner.View, at param.Values) []tuner.Known {
	if s.where == "explain" {
		s.never(v)
	}
	return s.Proposer.(tuner.Explainer).Explain(v, at)
}

// silences are what a sampler of a study by duels can fail to answer.
var silences = []string{"propose", "answer", "explain"}

// runSilent runs the study with such a sampler, and returns what it wrote.
func runSilent(ctx context.Context, t *testing.T, s *silent, setup *tuner.Setup) (*memory, error) {
	t.Helper()
	m := newMemory()
	_, err := runSilentTo(ctx, t, s, setup, m)
	return m, err
}

// runSilentTo runs the study with a sampler and a record of its own.
func runSilentTo(ctx context.Context, t *testing.T, p tuner.Proposer, setup *tuner.Setup, m *memory) (*tuner.Result, error) {
	t.Helper()
	st, err := study.Open(ctx, setup, study.Options{Host: arena.NewPool(2), Proposer: p, Record: m})
	if err != nil {
		t.Fatal(err)
	}
	return st.Run(ctx)
}

// A study whose sampler does not answer is left when it is interrupted: what it has written
// stays, nothing is added, and it goes on with a sampler that answers.
func TestSilentSamplerIsLeft(t *testing.T) {
	setup := read(t, duelStudy)
	whole := newMemory()
	want, err := run(t, setup, whole, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, where := range silences {
		t.Run(where, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			s := newSilent(t, setup, where, 40)
			defer close(s.ended)
			go func() {
				<-s.asked
				cancel()
			}()
			m, err := runSilent(ctx, t, s, setup)
			if !tuner.Interrupted(t.Context(), err) {
				t.Fatalf("the study ended with %v", err)
			}
			<-s.left
			if n := len(m.entries); n == 0 || where != "explain" && n >= len(whole.entries) {
				t.Errorf("%d entries of %d", n, len(whole.entries))
			}
			if got, err := run(t, setup, m, 2); err != nil || got.Digest != want.Digest {
				t.Errorf("it goes on to %v (%v)", got, err)
			}
		})
	}
}

// A sampler has ten minutes for an answer; after that the study has failed, and says why.
// What it knows of the parameters costs no verdict: a note says that it has said nothing.
func TestSilentSamplerFails(t *testing.T) {
	for _, where := range silences {
		synctest.Test(t, func(t *testing.T) {
			setup := read(t, duelStudy)
			s := newSilent(t, setup, where, 40)
			began := time.Now()
			r, err := runSilentTo(t.Context(), t, s, setup, newMemory())
			if where == "explain" {
				if err != nil || r.Validation == nil || len(r.Parameters) > 0 || !strings.Contains(strings.Join(r.Notes, "\n"), "sampler surface says nothing of the parameters: the sampler has not answered: ") {
					t.Errorf("%s: %+v (%v)", where, r, err)
				}
			} else if !errors.Is(err, tuner.ErrSamplerSilent) || !strings.Contains(err.Error(), "sampler surface: ") || !strings.Contains(err.Error(), "the sampler has not answered: it was asked for ") {
				t.Errorf("%s: %v", where, err)
			}
			if waited := time.Since(began); waited < tuner.SamplerPatience {
				t.Errorf("%s: left after %s", where, waited)
			}
			<-s.left
			close(s.ended)
			time.Sleep(time.Hour) // what plays the games ends
		})
	}
}

// panicking is a sampler that panics.
type panicking struct{ tuner.Proposer }

func (panicking) Propose(*tuner.View, int) (param.Values, bool, error) { panic("no idea") }

// A panic of a sampler fails its study with an error that knows where.
func TestSamplerPanics(t *testing.T) {
	_, err := runSilentTo(t.Context(), t, panicking{}, read(t, hillOf("uniform", "")), newMemory())
	if p, ok := errors.AsType[*tuner.SamplerPanicError](err); !ok || err.Error() != "sampler uniform: trial 0: the sampler panicked: no idea" || !strings.Contains(string(p.Stack), "panicking") {
		t.Errorf("it ends with %v", err)
	}
}

// baffled is a sampler that panics when it is asked what it knows of the parameters.
type baffled struct{ tuner.Proposer }

func (baffled) Explain(*tuner.View, param.Values) []tuner.Known { panic("no idea") }

// What a sampler knows of the parameters costs no verdict where it panics.
func TestExplanationPanics(t *testing.T) {
	setup := read(t, duelStudy)
	p, err := sampler.Kinds{}.New(setup.Sampler, setup.Tune.Params, setup.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	r, err := runSilentTo(t.Context(), t, answering{baffled{p}, p.(tuner.Answerer)}, setup, newMemory())
	if err != nil || r.Validation == nil || !strings.Contains(strings.Join(r.Notes, "\n"), "sampler surface says nothing of the parameters: the sampler panicked: no idea") {
		t.Errorf("it ends with %+v (%v)", r, err)
	}
}

// answering is such a sampler that answers.
type answering struct {
	baffled
	tuner.Answerer
}

// wrong is a sampler that proposes the same each time.
type wrong param.Values

func (w wrong) Propose(*tuner.View, int) (param.Values, bool, error) {
	return param.Values(w), true, nil
}

// What a sampler proposes has each parameter once, with a canonical value in the range that
// is tuned; everything else fails the study, and is not played as something else.
func TestWrongProposals(t *testing.T) {
	setup := read(t, hillOf("uniform", ""))
	p, err := sampler.Kinds{}.New(setup.Sampler, setup.Tune.Params, setup.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	right, _, err := p.Propose(&tuner.View{}, 0)
	if err != nil || right[0].Name != "x" {
		t.Fatal(right, err)
	}
	first := func(name, text string) wrong {
		return append(wrong{{Name: name, Text: text}}, right[1:]...)
	}
	for want, w := range map[string]wrong{
		"proposes xs: expected a tuned parameter": first("xs", "0.5"),
		"expected each parameter once":            append(wrong(right), right[0]),
		"expected a value of x as well":           wrong(right[1:]),
		"proposes x=2: expected a number":         first("x", "2"),
		"proposes x=: expected a number":          first("x", ""),
		"proposes x=0.50: expected 0.5, the":      first("x", "0.50"),
	} {
		_, err := runSilentTo(t.Context(), t, w, setup, newMemory())
		if err == nil || !strings.HasPrefix(err.Error(), "sampler uniform: trial 0: proposes ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", w, err, want)
		}
	}
}
