package goptunadb

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/engines/suite"
)

var metamorphicRuns = flag.Int("metamorphic-runs", 12, "random histories that the storage is compared over")

// twin is a study that both storages hold: ours, and an in-memory one of its own.
type twin struct {
	id     int
	oracle *goptuna.InMemoryStorage
	ids    []int // our ids of the trials, by number
}

// history drives random operations. The id of an oracle's trial is its number.
type history struct {
	t      *testing.T
	rng    *rand.Rand
	store  *Storage
	twins  []*twin
	named  int
	opened func() *Storage
	ops    map[string]int
}

// TestRandomOperations compares random histories on our storage, with files that
// are opened anew in between, with goptuna's in-memory storage.
func TestRandomOperations(t *testing.T) {
	runs := *metamorphicRuns
	if suite.Few() {
		runs = 3
	}
	ops := map[string]int{}
	for seed := range runs {
		h := &history{t: t, rng: rand.New(rand.NewPCG(uint64(seed), 7)), ops: ops}
		path := filepath.Join(t.TempDir(), "x.db")
		h.opened = func() *Storage {
			if h.store != nil {
				h.store.Close()
			}
			s, err := Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		h.reopen()
		for range 60 {
			h.round()
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
		h.compare(h.store)
		compareWithFile(t, h.store)
		h.store.Close()
	}
	t.Logf("operations: %v", ops)
}

func (h *history) reopen() {
	h.store = h.opened()
	h.ops["reopen"]++
}

func (h *history) round() {
	if h.rng.IntN(12) == 0 {
		h.reopen()
	} else {
		for range h.rng.IntN(12) {
			h.operate(h.store)
		}
	}
	h.compare(h.store)
}

func (h *history) pick() *twin { return h.twins[h.rng.IntN(len(h.twins))] }

// operate does one random operation on s and on the oracle.
func (h *history) operate(s goptuna.Storage) {
	if len(h.twins) == 0 || h.rng.IntN(20) == 0 {
		h.createStudy(s)
		return
	}
	w := h.pick()
	pick := h.rng.IntN(18)
	switch {
	case pick == 0 && len(h.twins) > 1 && h.rng.IntN(3) == 0:
		h.deleteStudy(s, w)
		return
	case pick <= 4 || len(w.ids) == 0:
		h.createTrial(s, w)
		return
	}
	number := h.rng.IntN(len(w.ids) + 1) // one beyond the end now and then
	if h.rng.IntN(3) > 0 {
		number = max(0, len(w.ids)-1-h.rng.IntN(3)) // mostly a late one
	}
	name, do := h.edit(pick, number)
	id := -1
	if number < len(w.ids) {
		id = w.ids[number]
	}
	err := do(s, w.id, id)
	h.ops[name]++
	if expected := do(w.oracle, goptuna.InMemoryStorageStudyID, number); !sameError(err, expected) {
		h.t.Errorf("%s: %v, the oracle says %v", name, err, expected)
	}
}

// edit draws an operation on a trial or on its study.
func (h *history) edit(pick, number int) (string, func(s goptuna.Storage, study, trial int) error) {
	value := h.rng.NormFloat64()
	if h.rng.IntN(4) == 0 {
		value = float64(h.rng.IntN(3)) // equal values, and integers
	}
	key := string(rune('a' + h.rng.IntN(4)))
	text := fmt.Sprint(h.rng.IntN(100))
	switch pick {
	case 5, 6:
		return "value", func(s goptuna.Storage, _, trial int) error { return s.SetTrialValue(trial, value) }
	case 7, 8:
		step := h.rng.IntN(5)
		return "step", func(s goptuna.Storage, _, trial int) error { return s.SetTrialIntermediateValue(trial, step, value) }
	case 9, 10, 11:
		internal, dist := h.param(key)
		return "param", func(s goptuna.Storage, _, trial int) error {
			if _, err := s.GetTrialParam(trial, key); err == nil {
				return nil // a second value is a listed difference
			}
			return s.SetTrialParam(trial, key, internal, dist)
		}
	case 12, 13:
		state := goptuna.TrialState(h.rng.IntN(5))
		return "state", func(s goptuna.Storage, _, trial int) error {
			if state == goptuna.TrialStateComplete { // without a value is a listed difference
				if err := s.SetTrialValue(trial, value); err != nil {
					return err
				}
			}
			return s.SetTrialState(trial, state)
		}
	case 14:
		return "user attribute", func(s goptuna.Storage, _, trial int) error { return s.SetTrialUserAttr(trial, key, text) }
	case 15:
		return "system attribute", func(s goptuna.Storage, _, trial int) error { return s.SetTrialSystemAttr(trial, key, text) }
	case 16:
		return "study attribute", func(s goptuna.Storage, study, _ int) error {
			return errors.Join(s.SetStudyUserAttr(study, key, text), s.SetStudySystemAttr(study, text, key))
		}
	}
	direction := []goptuna.StudyDirection{goptuna.StudyDirectionMinimize, goptuna.StudyDirectionMaximize}[h.rng.IntN(2)]
	return "direction", func(s goptuna.Storage, study, _ int) error { return s.SetStudyDirection(study, direction) }
}

func (h *history) param(key string) (float64, any) {
	switch key {
	case "a":
		return h.rng.Float64(), unit
	case "b":
		return float64(h.rng.IntN(3)), kinds
	case "c":
		return float64(h.rng.IntN(10)), goptuna.IntUniformDistribution{Low: 0, High: 9 + h.rng.IntN(2)}
	}
	return 10 * float64(h.rng.IntN(10)), goptuna.StepIntUniformDistribution{Low: 0, High: 100, Step: 10}
}

func (h *history) createStudy(s goptuna.Storage) {
	h.named++
	name := fmt.Sprintf("study %d", h.named)
	id, err := s.CreateNewStudy(name)
	if err != nil {
		h.t.Error(err)
	}
	w := &twin{id: id, oracle: goptuna.NewInMemoryStorage()}
	if _, err := w.oracle.CreateNewStudy(name); err != nil {
		h.t.Error(err)
	}
	h.ops["create study"]++
	h.twins = append(h.twins, w)
}

func (h *history) deleteStudy(s goptuna.Storage, w *twin) {
	if err := s.DeleteStudy(w.id); err != nil {
		h.t.Error(err)
	}
	h.ops["delete study"]++
	h.twins = slices.DeleteFunc(slices.Clone(h.twins), func(x *twin) bool { return x == w })
}

func (h *history) createTrial(s goptuna.Storage, w *twin) {
	h.ops["create trial"]++
	base := goptuna.FrozenTrial{
		State: goptuna.TrialState(h.rng.IntN(5)), Value: float64(h.rng.IntN(5)), DatetimeStart: time.Now(), DatetimeComplete: time.Now(),
		IntermediateValues: map[int]float64{1: 2}, InternalParams: map[string]float64{"z": 1},
		Params: map[string]any{"z": "packed"}, Distributions: map[string]any{"z": kinds},
		UserAttrs: map[string]string{}, SystemAttrs: map[string]string{"from": "clone"},
	}
	cloned := h.rng.IntN(4) == 0
	create := func(s goptuna.Storage, study int) (int, error) {
		if !cloned {
			return s.CreateNewTrial(study)
		}
		copied := base // the oracle keeps and changes the maps it is given
		copied.IntermediateValues, copied.InternalParams = maps.Clone(base.IntermediateValues), maps.Clone(base.InternalParams)
		copied.Params, copied.Distributions = maps.Clone(base.Params), maps.Clone(base.Distributions)
		copied.UserAttrs, copied.SystemAttrs = maps.Clone(base.UserAttrs), maps.Clone(base.SystemAttrs)
		return s.CloneTrial(study, copied)
	}
	id, err := create(s, w.id)
	number, err2 := create(w.oracle, goptuna.InMemoryStorageStudyID)
	if err := errors.Join(err, err2); err != nil {
		h.t.Error(err)
	}
	if number != len(w.ids) {
		h.t.Errorf("oracle's number %d, expected %d", number, len(w.ids))
	}
	w.ids = append(w.ids, id)
}

// compare holds everything that the storages say about every study together.
func (h *history) compare(s goptuna.Storage) {
	h.t.Helper()
	for _, w := range h.twins {
		ours, err1 := s.GetAllTrials(w.id)
		theirs, err2 := w.oracle.GetAllTrials(goptuna.InMemoryStorageStudyID)
		err := errors.Join(err1, err2, expect("number of trials", len(ours), len(theirs)))
		if err != nil {
			h.t.Error(err)
			return
		}
		for i := range ours {
			single, err := s.GetTrial(w.ids[i])
			if err = errors.Join(err, expect("one trial and the list", single, ours[i]),
				expect(fmt.Sprintf("trial %d", i), plain(ours[i]), plain(theirs[i])), expect("id", ours[i].ID, w.ids[i])); err != nil {
				h.t.Error(err)
				return
			}
		}
		best, err1 := s.GetBestTrial(w.id)
		oracleBest, err2 := w.oracle.GetBestTrial(goptuna.InMemoryStorageStudyID)
		if !sameError(err1, err2) || best.Number != oracleBest.Number {
			h.t.Errorf("best %d (%v), the oracle says %d (%v)", best.Number, err1, oracleBest.Number, err2)
		}
		user, err1 := s.GetStudyUserAttrs(w.id)
		oracleUser, _ := w.oracle.GetStudyUserAttrs(1)
		system, err2 := s.GetStudySystemAttrs(w.id)
		oracleSystem, _ := w.oracle.GetStudySystemAttrs(1)
		if err := errors.Join(err1, err2, expect("user attributes", user, oracleUser), expect("system attributes", system, oracleSystem)); err != nil {
			h.t.Error(err)
		}
	}
}

// plain leaves out what the oracle cannot know: our ids, and times, which are
// taken twice.
func plain(t goptuna.FrozenTrial) goptuna.FrozenTrial {
	t.ID, t.StudyID = 0, 0
	if !t.DatetimeStart.IsZero() {
		t.DatetimeStart = time.Unix(1, 0)
	}
	if !t.DatetimeComplete.IsZero() {
		t.DatetimeComplete = time.Unix(2, 0)
	}
	return t
}

func sameError(a, b error) bool {
	for _, known := range []error{goptuna.ErrInvalidTrialID, goptuna.ErrTrialCannotBeUpdated, goptuna.ErrNoCompletedTrials, goptuna.ErrInvalidStudyID} {
		if errors.Is(a, known) != errors.Is(b, known) {
			return false
		}
	}
	return (a == nil) == (b == nil)
}

// TestConcurrentUse is for the race detector: several studies are written while
// everything is read.
func TestConcurrentUse(t *testing.T) {
	s := openNew(t)
	var wait sync.WaitGroup
	for g := range 4 {
		id, err := s.CreateNewStudy(fmt.Sprint(g))
		if err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		wait.Go(func() {
			defer close(stop)
			for range 25 {
				trial, err := s.CreateNewTrial(id)
				err = errors.Join(err, s.SetTrialParam(trial, "x", 0.5, unit), s.SetTrialValue(trial, 1), s.SetTrialState(trial, goptuna.TrialStateComplete))
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
		wait.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				all, err := s.GetAllTrials(id)
				_, err2 := s.GetAllStudySummaries()
				if err := errors.Join(err, err2); err != nil {
					t.Error(err)
					return
				}
				for i, trial := range all {
					if trial.Number != i || trial.State.IsFinished() && (trial.Params["x"] != 0.5 || trial.Value != 1) {
						t.Errorf("trial %d: %+v", i, trial)
					}
				}
			}
		})
	}
	wait.Wait()
	compareWithFile(t, s)
}
