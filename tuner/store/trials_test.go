package store

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/goptunadb"
)

// Random histories of entries, some of them abandoned, leave the trials that
// goptuna's in-memory storage has after the same calls.
func TestTrialsAgainstGoptuna(t *testing.T) {
	axes := []*tuner.Dimension{
		unitAxis,
		{Param: param.Param{Name: "kind", Kind: param.Choice, Choices: []string{"random", "packed", "<&>"}}},
		{Param: param.Param{Name: "squares", Kind: param.Int, Domain: param.Grid(10, 100, 10)}},
		{Param: param.Param{Name: "big", Kind: param.Int, Domain: param.Domain{Low: 1, High: 1000, Log: true}}},
	}
	texts := [][]string{{"0", "0.25", "1"}, {"random", "packed", "<&>"}, {"10", "20", "100"}, {"1", "7", "1000"}}
	abandoned := errors.New("abandoned")
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 5))
		s := openNew(t)
		l := mustCreate(t, s, "one")
		oracle, count := goptuna.NewInMemoryStorage(), 0
		for range 60 {
			keep := rng.IntN(4) > 0
			if rng.IntN(10) == 0 {
				var err error
				if l, err = s.Studies.Open(t.Context(), "one"); err != nil {
					t.Fatal(err)
				}
			}
			var same []func() error
			err := l.Append(t.Context(), logEntry(entry.KindRung, "{}"), func(trials tuner.Trials) error {
				here := count
				for range 1 + rng.IntN(8) {
					n, axis, pick := rng.IntN(here+1), rng.IntN(len(axes)), rng.IntN(3)
					if n == here {
						here++
						if err := trials.Create(n); err != nil {
							return err
						}
						same = append(same, func() error { _, err := oracle.CreateNewTrial(1); return err })
					}
					if state, err := trials.State(n); err != nil || state.Finished() {
						if err == nil && trials.SetNote(n, "late", "x") == nil {
							t.Errorf("trial %d is %s and took a note", n, state)
						}
						continue
					}
					key, value := fmt.Sprint(rng.IntN(9)), rng.NormFloat64()
					switch d := axes[axis]; rng.IntN(6) {
					case 0:
						if len(oracleParams(oracle, n)) > 0 || len(same) > 4 {
							continue // a second value is refused by the file
						}
						internal, err := d.Internal(d.Distribution(false), texts[axis][pick])
						if err := errors.Join(err, trials.SetParam(n, d, texts[axis][pick])); err != nil {
							return err
						}
						same = append(same, func() error { return oracle.SetTrialParam(n, d.Name, internal, d.ByValue(false)) })
						return finished(keep, abandoned)
					case 1:
						if err := trials.SetAttr(n, key, "system"); err != nil {
							return err
						}
						same = append(same, func() error { return oracle.SetTrialSystemAttr(n, key, "system") })
					case 2:
						if err := trials.SetNote(n, key, "user"); err != nil {
							return err
						}
						same = append(same, func() error { return oracle.SetTrialUserAttr(n, key, "user") })
					case 3:
						step := int64(count*1000 + len(same)*100 + rng.IntN(1e9))
						if err := trials.Report(n, step, value); err != nil {
							return err
						}
						same = append(same, func() error { return oracle.SetTrialIntermediateValue(n, int(step), value) })
					default:
						state := []entry.TrialState{entry.TrialComplete, entry.TrialPruned, entry.TrialFailed}[pick]
						if err := errors.Join(trials.SetValue(n, value), trials.SetState(n, state)); err != nil {
							return err
						}
						same = append(same, func() error {
							return errors.Join(oracle.SetTrialValue(n, value), oracle.SetTrialState(n, map[entry.TrialState]goptuna.TrialState{entry.TrialComplete: goptuna.TrialStateComplete, entry.TrialPruned: goptuna.TrialStatePruned, entry.TrialFailed: goptuna.TrialStateFail}[state]))
						})
					}
				}
				return finished(keep, abandoned)
			})
			if keep && err != nil || !keep && !errors.Is(err, abandoned) {
				t.Fatal(err)
			}
			if !keep {
				continue
			}
			for _, do := range same {
				if err := do(); err != nil {
					t.Fatal(err)
				}
			}
			all, err := oracle.GetAllTrials(1)
			if err != nil {
				t.Fatal(err)
			}
			count = len(all)
		}
		compareTrials(t, s, l.ID(), oracle)
		compareTrials(t, reopen(t, s), l.ID(), oracle)
	}
}

func finished(keep bool, abandoned error) error {
	if keep {
		return nil
	}
	return abandoned
}

func oracleParams(oracle goptuna.Storage, number int) map[string]any {
	params, _ := oracle.GetTrialParams(number)
	return params
}

func compareTrials(t *testing.T, s *Store, study int, oracle goptuna.Storage) {
	t.Helper()
	theirs, err := oracle.GetAllTrials(1)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := s.Study(study).TrialPage(t.Context(), 0, 10000)
	if err != nil || len(ours) != len(theirs) || len(ours) == 0 {
		t.Fatalf("%d trials, the oracle has %d (%v)", len(ours), len(theirs), err)
	}
	for i := range ours {
		a, b := plain(ours[i]), plain(theirs[i])
		if a.StudyID != study {
			t.Errorf("trial %d is of study %d", i, a.StudyID)
		}
		a.ID, a.StudyID = b.ID, b.StudyID // the oracle's ids are numbers, and it does not know the study
		if !reflect.DeepEqual(a, b) {
			t.Errorf("trial %d: %+v, the oracle has %+v", i, a, b)
		}
	}
}

// What the loop must not write is refused, and nothing of its entry is kept.
func TestTrialsRefuse(t *testing.T) {
	s := openNew(t)
	l := mustCreate(t, s, "one")
	err := l.Append(t.Context(), logEntry(entry.KindAsk, "{}"), func(trials tuner.Trials) error {
		return errors.Join(trials.Create(0), trials.SetParam(0, unitAxis, "0.5"), trials.Report(0, 8, 0.5))
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]func(tuner.Trials) error{
		"a number that is not the next": func(x tuner.Trials) error { return x.Create(2) },
		"a trial that is not there":     func(x tuner.Trials) error { return x.SetValue(7, 1) },
		"a value that is no number":     func(x tuner.Trials) error { return x.SetValue(0, math.NaN()) },
		"an infinite step":              func(x tuner.Trials) error { return x.Report(0, 16, math.Inf(1)) },
		"a second value of a step":      func(x tuner.Trials) error { return x.Report(0, 8, 0.6) },
		"a second value of a parameter": func(x tuner.Trials) error { return x.SetParam(0, unitAxis, "0.6") },
		"a text that is no number": func(x tuner.Trials) error {
			return x.SetParam(0, &tuner.Dimension{Param: param.Param{Name: "y", Kind: param.Float}}, "high")
		},
		"a state that does not exist": func(x tuner.Trials) error { return x.SetState(0, "resting") },
		"an error that is passed over": func(x tuner.Trials) error {
			_ = x.Report(0, 8, 0.6)
			return nil
		},
	} {
		if err := l.Append(t.Context(), logEntry(entry.KindRung, "{}"), bad); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	var not *goptunadb.NotFiniteError
	err = l.Append(t.Context(), logEntry(entry.KindRung, "{}"), func(x tuner.Trials) error { return x.SetValue(0, math.Inf(-1)) })
	if !errors.As(err, &not) {
		t.Errorf("%v, want a NotFiniteError", err)
	}
	if entries, err := l.Entries(t.Context()); err != nil || len(entries) != 1 {
		t.Errorf("%d entries (%v), want that of the ask alone", len(entries), err)
	}
	// After a failure the log goes on.
	err = l.Append(t.Context(), logEntry(entry.KindAsk, "{}"), func(x tuner.Trials) error {
		return errors.Join(x.Create(1), x.SetParam(1, unitAxis, "0.25"))
	})
	if page, err2 := s.Study(l.ID()).TrialPage(t.Context(), 0, 9); errors.Join(err, err2) != nil || len(page) != 2 || page[1].Params["x"] != 0.25 {
		t.Errorf("%+v, %v, %v", page, err, err2)
	}
}
