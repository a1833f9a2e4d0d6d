package goptunadb

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/c-bata/goptuna"
)

func openAt(t testing.TB, path string) *Storage {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func openNew(t testing.TB) *Storage {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "x.db"))
}

// reopen reads the storage's file anew, through a handle for reading.
func reopen(t testing.TB, s *Storage) *Storage {
	t.Helper()
	r, err := OpenReadOnly(t.Context(), s.studies.db.Path())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// probe is one property that a goptuna.Storage should have.
type probe struct {
	name string
	// differs says why goptuna's in-memory storage, the oracle, does not have
	// the property; the test fails when it has it after all.
	differs string
	check   func(s goptuna.Storage) error
}

func expect(what string, got, expected any) error {
	if !reflect.DeepEqual(got, expected) {
		return fmt.Errorf("%s: got %#v, expected %#v", what, got, expected)
	}
	return nil
}

func expectError(what string, got, expected error) error {
	if !errors.Is(got, expected) {
		return fmt.Errorf("%s: got error %v, expected %v", what, got, expected)
	}
	return nil
}

func refused(what string, err error) error {
	if err == nil {
		return fmt.Errorf("%s: was accepted", what)
	}
	return nil
}

// newTrial makes a study and a running trial in it.
func newTrial(s goptuna.Storage) (study, trial int, err error) {
	if study, err = s.CreateNewStudy("battery"); err != nil {
		return 0, 0, err
	}
	trial, err = s.CreateNewTrial(study)
	return study, trial, err
}

var (
	unit  = goptuna.UniformDistribution{Low: 0, High: 1}
	kinds = goptuna.CategoricalDistribution{Choices: []string{"random", "packed", "<&>"}}
)

var battery = []probe{
	{name: "study by name", check: func(s goptuna.Storage) error {
		id, err := s.CreateNewStudy("n")
		if err != nil {
			return err
		}
		found, err := s.GetStudyIDFromName("n")
		name, err2 := s.GetStudyNameFromID(id)
		direction, err3 := s.GetStudyDirection(id)
		return errors.Join(err, err2, err3, expect("id", found, id), expect("name", name, "n"),
			expect("direction", direction, goptuna.StudyDirectionMinimize))
	}},
	{name: "study without a name", check: func(s goptuna.Storage) error {
		id, err := s.CreateNewStudy("")
		if err != nil {
			return err
		}
		name, err := s.GetStudyNameFromID(id)
		if err == nil && len(name) < len(goptuna.DefaultStudyNamePrefix)+16 {
			err = fmt.Errorf("name %q", name)
		}
		return err
	}},
	{name: "unknown study", check: func(s goptuna.Storage) error {
		_, err1 := s.GetStudyIDFromName("nobody")
		_, err2 := s.GetStudyNameFromID(4711)
		_, err3 := s.GetStudyDirection(4711)
		_, err4 := s.CreateNewTrial(4711)
		_, err5 := s.GetBestTrial(4711)
		_, err6 := s.CloneTrial(4711, goptuna.FrozenTrial{})
		return errors.Join(refused("name", err1), refused("id", err2),
			expectError("direction", err3, goptuna.ErrInvalidStudyID),
			expectError("trial", err4, goptuna.ErrInvalidStudyID),
			expectError("best", err5, goptuna.ErrInvalidStudyID),
			expectError("clone", err6, goptuna.ErrInvalidStudyID),
			expectError("set direction", s.SetStudyDirection(4711, goptuna.StudyDirectionMaximize), goptuna.ErrInvalidStudyID),
			expectError("delete", s.DeleteStudy(4711), goptuna.ErrInvalidStudyID))
	}},
	{name: "unknown study in every call", differs: "it does not look at the id", check: func(s goptuna.Storage) error {
		_, err1 := s.GetAllTrials(4711)
		_, err2 := s.GetStudyUserAttrs(4711)
		_, err3 := s.GetStudySystemAttrs(4711)
		return errors.Join(expectError("trials", err1, goptuna.ErrInvalidStudyID),
			expectError("user attributes", err2, goptuna.ErrInvalidStudyID),
			expectError("system attributes", err3, goptuna.ErrInvalidStudyID),
			expectError("set user attribute", s.SetStudyUserAttr(4711, "k", "v"), goptuna.ErrInvalidStudyID),
			expectError("set system attribute", s.SetStudySystemAttr(4711, "k", "v"), goptuna.ErrInvalidStudyID))
	}},
	{name: "study attributes", check: func(s goptuna.Storage) error {
		id, err := s.CreateNewStudy("n")
		if err != nil {
			return err
		}
		err = errors.Join(s.SetStudyUserAttr(id, "k", "user"), s.SetStudySystemAttr(id, "k", "system"),
			s.SetStudyUserAttr(id, "k", "user 2"), s.SetStudyUserAttr(id, "nul\x00", "作戦\n"))
		user, err1 := s.GetStudyUserAttrs(id)
		system, err2 := s.GetStudySystemAttrs(id)
		return errors.Join(err, err1, err2, expect("user", user, map[string]string{"k": "user 2", "nul\x00": "作戦\n"}),
			expect("system", system, map[string]string{"k": "system"}))
	}},
	{name: "two studies", differs: "it holds one study", check: func(s goptuna.Storage) error {
		a, err1 := s.CreateNewStudy("a")
		b, err2 := s.CreateNewStudy("b")
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		ta, err1 := s.CreateNewTrial(a)
		tb, err2 := s.CreateNewTrial(b)
		na, err3 := s.GetTrialNumberFromID(ta)
		nb, err4 := s.GetTrialNumberFromID(tb)
		of, err5 := s.GetStudyIDFromTrialID(tb)
		return errors.Join(err1, err2, err3, err4, err5, expect("numbers", []int{na, nb}, []int{0, 0}), expect("study", of, b))
	}},
	{name: "study name taken", differs: "a second study is the first one renamed", check: func(s goptuna.Storage) error {
		_, err1 := s.CreateNewStudy("a")
		_, err2 := s.CreateNewStudy("a")
		return errors.Join(err1, expectError("again", err2, ErrStudyExists))
	}},
	{name: "direction that does not exist", differs: "it takes any text", check: func(s goptuna.Storage) error {
		id, err := s.CreateNewStudy("a")
		return errors.Join(err, refused("direction", s.SetStudyDirection(id, "sideways")))
	}},
	{name: "delete study", check: func(s goptuna.Storage) error {
		study, trial, err := newTrial(s)
		err = errors.Join(err, s.SetTrialParam(trial, "x", 0.5, unit), s.SetTrialUserAttr(trial, "k", "v"),
			s.SetTrialIntermediateValue(trial, 1, 2), s.SetStudyUserAttr(study, "k", "v"), s.DeleteStudy(study))
		_, err1 := s.GetTrial(trial)
		_, err2 := s.GetStudyIDFromName("battery")
		_, err3 := s.GetStudyIDFromTrialID(trial)
		return errors.Join(err, expectError("trial", err1, goptuna.ErrInvalidTrialID), refused("name", err2), refused("study of trial", err3))
	}},
	{name: "new trial", check: func(s goptuna.Storage) error {
		before := time.Now().Add(-time.Second)
		study, trial, err := newTrial(s)
		if err != nil {
			return err
		}
		got, err := s.GetTrial(trial)
		if err == nil && (got.DatetimeStart.Before(before) || got.DatetimeStart.After(time.Now().Add(time.Second))) {
			err = fmt.Errorf("started %v", got.DatetimeStart)
		}
		of, err2 := s.GetStudyIDFromTrialID(trial)
		second, err3 := s.CreateNewTrial(study)
		number, err4 := s.GetTrialNumberFromID(second)
		return errors.Join(err, err2, err3, err4, expect("state", got.State, goptuna.TrialStateRunning), expect("id", got.ID, trial),
			expect("number", got.Number, 0), expect("complete", got.DatetimeComplete.IsZero(), true), expect("study", of, study),
			expect("params", got.Params, map[string]any{}), expect("second", number, 1))
	}},
	{name: "trial knows its study", differs: "it leaves StudyID unset", check: func(s goptuna.Storage) error {
		study, trial, err := newTrial(s)
		if err != nil {
			return err
		}
		got, err := s.GetTrial(trial)
		return errors.Join(err, expect("study", got.StudyID, study))
	}},
	{name: "unknown trial", check: func(s goptuna.Storage) error {
		_, err1 := s.GetTrial(4711)
		_, err2 := s.GetTrialParam(4711, "x")
		_, err3 := s.GetTrialParams(4711)
		_, err4 := s.GetTrialNumberFromID(-1)
		_, err5 := s.GetTrialUserAttrs(4711)
		_, err6 := s.GetTrialSystemAttrs(4711)
		_, err7 := s.GetStudyIDFromTrialID(4711)
		invalid := goptuna.ErrInvalidTrialID
		return errors.Join(expectError("trial", err1, invalid), expectError("param", err2, invalid), expectError("params", err3, invalid),
			expectError("number", err4, invalid), expectError("user", err5, invalid), expectError("system", err6, invalid), refused("study", err7),
			expectError("value", s.SetTrialValue(4711, 1), invalid), expectError("state", s.SetTrialState(4711, 1), invalid),
			expectError("param", s.SetTrialParam(4711, "x", 0.5, unit), invalid),
			expectError("step", s.SetTrialIntermediateValue(4711, 1, 1), invalid),
			expectError("user", s.SetTrialUserAttr(4711, "k", "v"), invalid), expectError("system", s.SetTrialSystemAttr(4711, "k", "v"), invalid))
	}},
	{name: "parameters of every distribution", check: func(s goptuna.Storage) error {
		_, trial, err := newTrial(s)
		if err != nil {
			return err
		}
		params := map[string]any{}
		dists := map[string]any{}
		for name, p := range map[string]struct {
			internal float64
			dist     any
			value    any
		}{
			"uniform":  {0.1, unit, 0.1},
			"log":      {1e-300, goptuna.LogUniformDistribution{Low: 1e-300, High: 1e300}, 1e-300},
			"int":      {3.2, goptuna.IntUniformDistribution{Low: -5, High: math.MaxInt}, 3},
			"step":     {23, goptuna.StepIntUniformDistribution{Low: 10, High: 100, Step: 10}, 20},
			"discrete": {0.26, goptuna.DiscreteUniformDistribution{Low: 0, High: 1, Q: 0.25}, 0.25},
			"choice":   {2, kinds, "<&>"},
		} {
			err = errors.Join(err, s.SetTrialParam(trial, name, p.internal, p.dist))
			internal, err2 := s.GetTrialParam(trial, name)
			err = errors.Join(err, err2, expect(name, internal, p.internal))
			params[name], dists[name] = p.value, p.dist
		}
		got, err2 := s.GetTrialParams(trial)
		frozen, err3 := s.GetTrial(trial)
		_, err4 := s.GetTrialParam(trial, "absent")
		return errors.Join(err, err2, err3, expect("params", got, params), expect("frozen params", frozen.Params, params),
			expect("distributions", frozen.Distributions, dists), refused("absent parameter", err4),
			refused("unknown distribution", s.SetTrialParam(trial, "odd", 1, "uniform")))
	}},
	{name: "parameter set twice", differs: "the second one wins silently", check: func(s goptuna.Storage) error {
		_, trial, err := newTrial(s)
		return errors.Join(err, s.SetTrialParam(trial, "x", 0.5, unit), s.SetTrialParam(trial, "x", 0.5, unit),
			expectError("another value", s.SetTrialParam(trial, "x", 0.6, unit), ErrParamExists),
			expectError("another distribution", s.SetTrialParam(trial, "x", 0.5, goptuna.UniformDistribution{Low: 0, High: 2}), ErrParamExists))
	}},
	{name: "index outside the choices", differs: "it panics", check: func(s goptuna.Storage) error {
		_, trial, err := newTrial(s)
		return errors.Join(err, refused("3 of 3", s.SetTrialParam(trial, "k", 3, kinds)), refused("-1 of 3", s.SetTrialParam(trial, "k", -1, kinds)))
	}},
	{name: "value and state", check: func(s goptuna.Storage) error {
		study, trial, err := newTrial(s)
		err = errors.Join(err, s.SetTrialValue(trial, 1.5), s.SetTrialValue(trial, 2.5), s.SetTrialState(trial, goptuna.TrialStateRunning),
			s.SetTrialState(trial, goptuna.TrialStateWaiting), s.SetTrialState(trial, goptuna.TrialStateComplete))
		got, err2 := s.GetTrial(trial)
		best, err3 := s.GetBestTrial(study)
		closed := goptuna.ErrTrialCannotBeUpdated
		return errors.Join(err, err2, err3, expect("value", got.Value, 2.5), expect("complete", got.DatetimeComplete.IsZero(), false),
			expect("best", best.ID, trial), expectError("value", s.SetTrialValue(trial, 3), closed),
			expectError("state", s.SetTrialState(trial, goptuna.TrialStateRunning), closed),
			expectError("param", s.SetTrialParam(trial, "x", 0.5, unit), closed),
			expectError("step", s.SetTrialIntermediateValue(trial, 1, 1), closed),
			expectError("user", s.SetTrialUserAttr(trial, "k", "v"), closed),
			expectError("system", s.SetTrialSystemAttr(trial, "k", "v"), closed))
	}},
	{name: "numbers that are not finite", differs: "it stores them, and SQL would make NaN a NULL", check: func(s goptuna.Storage) error {
		_, trial, err := newTrial(s)
		for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			err = errors.Join(err, refused("value", s.SetTrialValue(trial, x)),
				refused("intermediate value", s.SetTrialIntermediateValue(trial, 1, x)),
				refused("parameter", s.SetTrialParam(trial, "x", x, unit)))
		}
		got, err2 := s.GetTrial(trial)
		return errors.Join(err, err2, expect("value", got.Value, 0.0), expect("steps", len(got.IntermediateValues), 0))
	}},
	{name: "state that does not exist", differs: "it takes any number", check: func(s goptuna.Storage) error {
		_, trial, err := newTrial(s)
		return errors.Join(err, refused("5", s.SetTrialState(trial, 5)), refused("-1", s.SetTrialState(trial, -1)))
	}},
	{name: "intermediate values", check: func(s goptuna.Storage) error {
		_, trial, err := newTrial(s)
		err = errors.Join(err, s.SetTrialIntermediateValue(trial, 8, 0.5), s.SetTrialIntermediateValue(trial, 0, -0.25),
			refused("step again", s.SetTrialIntermediateValue(trial, 8, 0.75)))
		got, err2 := s.GetTrial(trial)
		return errors.Join(err, err2, expect("values", got.IntermediateValues, map[int]float64{8: 0.5, 0: -0.25}))
	}},
	{name: "trial attributes", check: func(s goptuna.Storage) error {
		_, trial, err := newTrial(s)
		err = errors.Join(err, s.SetTrialUserAttr(trial, "k", "u"), s.SetTrialSystemAttr(trial, "k", "s"), s.SetTrialSystemAttr(trial, "k", "s2"))
		user, err1 := s.GetTrialUserAttrs(trial)
		system, err2 := s.GetTrialSystemAttrs(trial)
		return errors.Join(err, err1, err2, expect("user", user, map[string]string{"k": "u"}), expect("system", system, map[string]string{"k": "s2"}))
	}},
	{name: "best trial", check: func(s goptuna.Storage) error {
		study, err := s.CreateNewStudy("b")
		if err != nil {
			return err
		}
		_, none := s.GetBestTrial(study)
		var ids []int
		for i, value := range []float64{3, 1, 4, 1, 5, 5} {
			id, err := s.CreateNewTrial(study)
			state := goptuna.TrialStateComplete
			if i == 4 {
				state = goptuna.TrialStatePruned
			}
			if err := errors.Join(err, s.SetTrialValue(id, value), s.SetTrialState(id, state)); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		low, err1 := s.GetBestTrial(study)
		err2 := s.SetStudyDirection(study, goptuna.StudyDirectionMaximize)
		high, err3 := s.GetBestTrial(study)
		summaries, err4 := s.GetAllStudySummaries()
		return errors.Join(expectError("none", none, goptuna.ErrNoCompletedTrials), err1, err2, err3, err4,
			expect("minimum, first of two", low.ID, ids[1]), expect("maximum, pruned left out", high.ID, ids[5]),
			expect("summaries", len(summaries), 1), expect("summary", summaries[0].BestTrial.ID, ids[5]))
	}},
	{name: "complete without a value", differs: "its value is 0", check: func(s goptuna.Storage) error {
		study, bare, err := newTrial(s)
		err = errors.Join(err, s.SetTrialState(bare, goptuna.TrialStateComplete))
		_, none := s.GetBestTrial(study)
		told, err2 := s.CreateNewTrial(study)
		err = errors.Join(err, err2, s.SetTrialValue(told, 7), s.SetTrialState(told, goptuna.TrialStateComplete),
			expectError("none", none, goptuna.ErrNoCompletedTrials))
		for _, direction := range []goptuna.StudyDirection{goptuna.StudyDirectionMinimize, goptuna.StudyDirectionMaximize} {
			err2 := s.SetStudyDirection(study, direction)
			best, err3 := s.GetBestTrial(study)
			summaries, err4 := s.GetAllStudySummaries()
			err = errors.Join(err, err2, err3, err4, expect(string(direction), best.ID, told), expect("summary", summaries[0].BestTrial.ID, told))
		}
		return err
	}},
	{name: "clone", check: func(s goptuna.Storage) error {
		study, err := s.CreateNewStudy("c")
		if err != nil {
			return err
		}
		start := time.Date(2025, 1, 2, 3, 4, 5, 678, time.UTC)
		base := goptuna.FrozenTrial{
			State: goptuna.TrialStateComplete, Value: 0.75, DatetimeStart: start, DatetimeComplete: start.Add(time.Hour),
			IntermediateValues: map[int]float64{1: 0.5}, InternalParams: map[string]float64{"k": 1}, Params: map[string]any{"k": "packed"},
			Distributions: map[string]any{"k": kinds}, UserAttrs: map[string]string{"u": "1"}, SystemAttrs: map[string]string{"s": "2"},
		}
		id, err := s.CloneTrial(study, base)
		if err != nil {
			return err
		}
		got, err := s.GetTrial(id)
		base.ID, base.StudyID, base.Number = id, study, 0
		return errors.Join(err, expect("clone", got, base), expectError("closed", s.SetTrialValue(id, 1), goptuna.ErrTrialCannotBeUpdated))
	}},
	{name: "enqueued trial is popped", check: func(s goptuna.Storage) error {
		study, err := goptuna.CreateStudy("q", goptuna.StudyOptionStorage(s), goptuna.StudyOptionLogger(nil))
		if err != nil {
			return err
		}
		if err := study.EnqueueTrial(map[string]float64{"x": 0.25}); err != nil {
			return err
		}
		trials, err := s.GetAllTrials(study.ID)
		if err != nil || len(trials) != 1 {
			return fmt.Errorf("trials %v: %w", trials, err)
		}
		trial := goptuna.Trial{Study: study, ID: trials[0].ID}
		err = s.SetTrialState(trial.ID, goptuna.TrialStateRunning)
		x, err2 := trial.SuggestFloat("x", 0, 1)
		return errors.Join(err, err2, expect("fixed value", x, 0.25))
	}},
	{name: "what was handed out stays", differs: "it shares maps that race", check: func(s goptuna.Storage) error {
		study, trial, err := newTrial(s)
		if err != nil {
			return err
		}
		all, err1 := s.GetAllTrials(study)
		one, err2 := s.GetTrial(trial)
		params, err3 := s.GetTrialParams(trial)
		err = errors.Join(err1, err2, err3, s.SetTrialParam(trial, "x", 0.5, unit), s.SetTrialUserAttr(trial, "k", "v"),
			s.SetTrialIntermediateValue(trial, 1, 1), s.SetTrialValue(trial, 9), s.SetTrialState(trial, goptuna.TrialStateComplete))
		if _, err := s.CreateNewTrial(study); err != nil {
			return err
		}
		return errors.Join(err, expect("slice", len(all), 1), expect("state", all[0].State, goptuna.TrialStateRunning),
			expect("value", all[0].Value, 0.0), expect("params", all[0].Params, map[string]any{}),
			expect("steps", one.IntermediateValues, map[int]float64{}), expect("map", params, map[string]any{}))
	}},
}

func TestBattery(t *testing.T) {
	for _, p := range battery {
		t.Run(p.name, func(t *testing.T) {
			s := openNew(t)
			if err := p.check(s); err != nil {
				t.Errorf("store: %v", err)
			}
			compareWithFile(t, s)
			err := checkOracle(p)
			if p.differs == "" && err != nil {
				t.Errorf("in-memory storage: %v", err)
			}
			if p.differs != "" && err == nil {
				t.Errorf("listed as a difference (%s), but the in-memory storage does the same", p.differs)
			}
		})
	}
}

func checkOracle(p probe) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return p.check(goptuna.NewInMemoryStorage())
}

// compareWithFile checks that a storage, which keeps finished trials in memory,
// says the same as its file read anew.
func compareWithFile(t testing.TB, s *Storage) {
	t.Helper()
	r := reopen(t, s)
	kept, err1 := s.GetAllStudySummaries()
	read, err2 := r.GetAllStudySummaries()
	if err := errors.Join(err1, err2, expect("summaries from the file", read, kept)); err != nil {
		t.Fatal(err)
	}
	for _, summary := range kept {
		a, err1 := s.GetAllTrials(summary.ID)
		b, err2 := r.GetAllTrials(summary.ID)
		if len(a)+len(b) > 0 {
			err1 = errors.Join(err1, expect("trials from the file", b, a))
		}
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
	}
}
