package store

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/store/goptunadb"
)

// playedToy returns a database that holds the study "toy", run to its end.
func playedToy(t *testing.T) *Store {
	t.Helper()
	s := openNew(t)
	if _, err := runToy(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return s
}

// A study of Sakusen's is read by goptuna, and refuses to be written; a study of
// one's own is kept beside it.
func TestStudiesForGoptuna(t *testing.T) {
	s, err := goptunadb.New(t.Context(), playedToy(t).DB())
	if err != nil {
		t.Fatal(err)
	}
	study, err := goptuna.LoadStudy("toy", goptuna.StudyOptionStorage(s))
	if err != nil {
		t.Fatal(err)
	}
	trials, err := study.GetTrials()
	if err != nil || len(trials) != toyBatches*toyBatch {
		t.Fatalf("%d trials, %v", len(trials), err)
	}
	value, err := study.GetBestValue()
	params, err2 := study.GetBestParams()
	if err := errors.Join(err, err2); err != nil || len(params) == 0 {
		t.Fatalf("best %v at %v, %v", value, params, err)
	}
	complete := 0
	for i, x := range trials {
		if x.Number != i || !x.State.IsFinished() || len(x.Params) == 0 || len(x.IntermediateValues) == 0 {
			t.Errorf("trial %d: %+v", i, x)
		}
		if x.State == goptuna.TrialStateComplete {
			if complete++; x.Value > value {
				t.Errorf("trial %d has %v, more than the best, %v", x.Number, x.Value, value)
			}
		}
	}
	if complete == 0 || complete == len(trials) {
		t.Errorf("%d of %d trials are complete; a race stops some", complete, len(trials))
	}
	_, err = s.CreateNewTrial(study.ID)
	_, err2 = s.CloneTrial(study.ID, trials[0])
	for i, err := range []error{err, err2, s.SetTrialUserAttr(trials[0].ID, "k", "v"), s.SetTrialValue(trials[0].ID, 1), s.DeleteStudy(study.ID),
		s.SetStudyDirection(study.ID, goptuna.StudyDirectionMinimize)} {
		if !errors.Is(err, goptunadb.ErrHasLog) {
			t.Errorf("%d: %v, want ErrHasLog", i, err)
		}
	}
	if err := s.SetStudyUserAttr(study.ID, "seen", "yes"); err != nil {
		t.Errorf("an attribute of the study: %v", err)
	}
	mine, err := goptuna.CreateStudy("mine", goptuna.StudyOptionStorage(s), goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize), goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	err = mine.Optimize(func(trial goptuna.Trial) (float64, error) { return trial.SuggestFloat("x", 0, 1) }, 5)
	if all, err2 := mine.GetTrials(); errors.Join(err, err2) != nil || len(all) != 5 {
		t.Errorf("%d trials, %v, %v", len(all), err, err2)
	}
}

// The example program, which is a module of its own, opens a database that
// Sakusen wrote, prints a study of it, and adds to a study of its own.
func TestExampleProgram(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("there is no go tool")
	}
	s := playedToy(t)
	path := s.DB().Path()
	if err := s.DB().Close(); err != nil {
		t.Fatal(err)
	}
	run := func(study string) (string, error) {
		c := exec.CommandContext(t.Context(), tool, "run", ".", path, study)
		c.Dir = "../../examples/goptuna"
		c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		out, err := c.CombinedOutput()
		return string(out), err
	}
	for _, want := range []string{"study toy-by-hand has 1 trials\n", "study toy-by-hand has 2 trials\n"} {
		out, err := run("toy")
		if err != nil || !strings.HasPrefix(out, "best: trial ") || !strings.HasSuffix(out, want) || strings.Count(out, "Pruned") < 3 {
			t.Errorf("%v, %s\nwant at the end %s", err, out, want)
		}
	}
	if out, err := run("absent"); err == nil || !strings.Contains(out, `"absent": study not found`) {
		t.Errorf("%v, %s", err, out)
	}
}
