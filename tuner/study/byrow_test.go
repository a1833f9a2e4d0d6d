package study_test

import (
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	"sakusen/tuner/study"
)

// listed is a sampler that is told all trials at once.
type listed struct {
	tuner.Proposer
	tuner.Answerer
	t    *testing.T
	seen int
}

func (p *listed) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	p.seen = max(p.seen, len(v.Told))
	return p.Proposer.Propose(v, draw)
}

// byRow is a sampler that asks for trials one by one.
type byRow struct {
	listed
	last int // the last place that a view had
}

func (*byRow) ByRow() bool { return true }

func (p *byRow) Propose(v *tuner.View, draw int) (param.Values, bool, error) {
	if v.Told != nil {
		p.t.Error("a sampler that asks one by one is told all")
	}
	for _, d := range v.Duels {
		p.last = max(p.last, d.A, d.B)
	}
	for _, o := range v.Observed {
		p.last = max(p.last, o.Trial)
	}
	if p.last > 0 {
		if at := v.At(p.last); at.Number != p.last || len(at.Proposed) != len(v.Space) {
			p.t.Errorf("trial %d of a view: %+v", p.last, at)
		}
	}
	return p.Proposer.Propose(v, draw)
}

// A sampler that asks for trials one by one proposes what it would if it were told all at once: in
// duels and against the baseline, and with a parameter that has one value.
func TestByRowChangesNothing(t *testing.T) {
	for _, text := range []string{
		answeringStudies["spsa"], answeringStudies["spsa against the baseline"],
		strings.Replace(answeringStudies["spsa"], "fix: [{name: kind, value: fancy}]", "fix: [{name: kind, value: fancy}], params: [{name: x}, {name: n, low: 5, high: 5}]", 1),
	} {
		spec := read(t, text)
		digest := func(wrap func(tuner.Proposer) tuner.Proposer) string {
			p, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
			if err != nil {
				t.Fatal(err)
			}
			st, err := study.Open(t.Context(), spec, study.Options{Host: arena.NewPool(2), Proposer: wrap(p), Record: newMemory()})
			if err != nil {
				t.Fatal(err)
			}
			r, err := st.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return r.Digest
		}
		all := &listed{t: t}
		want := digest(func(p tuner.Proposer) tuner.Proposer { all.Proposer, all.Answerer = p, p.(tuner.Answerer); return all })
		rows := &byRow{listed: listed{t: t}}
		got := digest(func(p tuner.Proposer) tuner.Proposer {
			rows.Proposer, rows.Answerer = p, p.(tuner.Answerer)
			return rows
		})
		if got != want || all.seen < 40 || rows.last < 40 {
			t.Errorf("%s\ndigest %s one by one, %s all at once; %d and %d trials", text, got, want, rows.last, all.seen)
		}
	}
}
