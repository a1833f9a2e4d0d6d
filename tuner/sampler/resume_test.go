package sampler_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
)

// spaceFor returns the largest part of space that a sampler serves.
func spaceFor(name string) tuner.Space {
	s := space()
	switch name {
	case "grid":
		return tuner.Space{s[1], s[7], s[8]}
	case "goptuna-cmaes", "jgg", "spsa":
		return tuner.Space{s[0], s[1], s[2], s[3], s[4], s[5]}
	case "surface":
		return s[:8]
	}
	return s
}

// asks is a search as a study holds it: the views that batches were asked with,
// and what was proposed.
type asks struct {
	views     []*tuner.View
	proposals [][]param.Values
	next      *tuner.View
	draws     int
}

// ask lets a sampler propose one more batch, duels where it learns from them,
// and tells what each is worth.
func (a *asks) ask(t testing.TB, p tuner.Proposer, batch int, worth func(param.Values) float64) {
	t.Helper()
	view := a.next
	next := *view
	var got []param.Values
	number := len(a.views)
	for range batch {
		v, ok, err := p.Propose(view, a.draws)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		n := len(next.Told)
		next.Told = append(next.Told, tuner.Told{
			Number: n, Draw: a.draws, Batch: number, Params: view.Space.Activate(view.Fixed, v), Proposed: v,
			Value: worth(v), Noise: .01, Blocks: 4,
		})
		next.Observed = append(next.Observed, tuner.Observation{Trial: n, Batch: number, Value: worth(v), Noise: .01, Blocks: 4})
		if view.Plan.Duels && len(got)%2 == 1 {
			next.Duels = append(next.Duels, tuner.Duel{
				A: n - 1, B: n, Batch: number, Draw: a.draws - 1, Score: math.Min(math.Max(.5+worth(got[len(got)-1])-worth(v), 0), 1), Noise: .1, Blocks: view.Plan.Blocks,
			})
		}
		got = append(got, v)
		a.draws++
	}
	a.views, a.proposals, a.next = append(a.views, view), append(a.proposals, got), &next
}

func newAsks(s tuner.Space, duels bool) *asks {
	return &asks{next: &tuner.View{Space: s, Maximize: true, Seats: 2, Plan: tuner.Plan{
		Games: 4000, Trials: 1000, BlockGames: 2, Blocks: 4, Batch: 12, Duels: duels,
	}}}
}

// A sampler that is made anew goes on as one that never stopped: at once where
// it has no state, after it was asked again for what the log holds where it has.
func TestResumedSamplers(t *testing.T) {
	for _, label := range append((sampler.Kinds{}).Names(), "surface in duels", "surface in duels with a baseline") {
		name, kind, _ := strings.Cut(label, " ")
		t.Run(label, func(t *testing.T) {
			s := spaceFor(name)
			whole := newAsks(s, name == "spsa" || kind != "")
			if strings.HasSuffix(kind, "baseline") {
				plan := &whole.next.Plan
				plan.Games, plan.Blocks = 10_000, 40
				for i, text := range []string{"0", "50", "8", "0.5", "0.5", "1", "false", "a"} {
					whole.next.Baseline = append(whole.next.Baseline, param.Value{Name: s[i].Name, Text: text})
				}
			}
			p := proposer(t, name, 7, s)
			batches := 16
			if suite.Few() {
				batches = 8
			}
			for range batches {
				whole.ask(t, p, 12, value)
			}
			for k := 1; k < batches; k += 4 {
				fresh := proposer(t, name, 7, s)
				draw := 0
				for b := range k + 1 {
					st, ok := fresh.(tuner.Stateful)
					stateful := ok && st.Stateful()
					for i, want := range whole.proposals[b] {
						if b == k || stateful {
							got, ok, err := fresh.Propose(whole.views[b], draw)
							if err != nil || !ok || fmt.Sprint(got) != fmt.Sprint(want) {
								t.Fatalf("resumed at batch %d: proposal %d of batch %d is %v, want %v (%v)", k, i, b, got, want, err)
							}
						}
						draw++
					}
					if stateful && len(whole.proposals[b]) < 12 && b < k {
						if _, ok, _ := fresh.Propose(whole.views[b], draw); ok {
							t.Fatalf("batch %d went on", b)
						}
					}
				}
			}
		})
	}
}

// Samplers that learn reach both ends: told that more is better, or less, on
// every axis, they propose the outermost value of each.
func TestLearnersReachTheEnds(t *testing.T) {
	for _, name := range []string{"tpe", "spsa"} {
		s := spaceFor(name)
		for _, sign := range []float64{1, -1} {
			a := newAsks(s, name == "spsa")
			p := proposer(t, name, 3, s)
			worth := func(v param.Values) float64 {
				sum := 0.0
				for i := range s {
					if len(s[i].When) > 0 {
						continue
					}
					text, _ := v.Get(s[i].Name)
					x := s[i].Number(text)
					low, top := s[i].Domain.Low, s[i].Domain.Top()
					if low == top { // a list
						low, top = 0, float64(s[i].Points()-1)
					}
					if s[i].Domain.Log {
						x, low, top = math.Log(x), math.Log(low), math.Log(top)
					}
					sum += sign * (x - low) / (top - low) / 10
				}
				return sum
			}
			for range 40 {
				a.ask(t, p, 12, worth)
			}
			for i := range s {
				d := &s[i]
				if d.Points() == 0 || len(d.When) > 0 {
					continue
				}
				want := d.Point(0)
				if sign > 0 {
					want = d.Point(d.Points() - 1)
				}
				seen := 0
				for _, told := range a.next.Told {
					if text, _ := told.Proposed.Get(d.Name); text == want {
						seen++
					}
				}
				if seen < len(a.next.Told)/10 {
					t.Errorf("%s, sign %g: %s=%s is proposed %d times of %d", name, sign, d.Name, want, seen, len(a.next.Told))
				}
			}
		}
	}
}
