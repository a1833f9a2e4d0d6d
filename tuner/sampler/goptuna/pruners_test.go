package goptuna_test

import (
	"math/rand/v2"
	"testing"

	"github.com/c-bata/goptuna"

	ours "sakusen/tuner/sampler/goptuna"
)

// climb is a plain Goptuna study under a pruner: x in [0,1] is worth x, seen
// through blocks with luck that is common to all trials. Where mean is set a
// trial reports the mean so far after each block, and else each block alone. It
// returns how many trials were stopped, and the best one's x.
func climb(t *testing.T, p goptuna.Pruner, direction goptuna.StudyDirection, mean bool) (stopped int, best float64) {
	t.Helper()
	const blocks = 64
	luck := rand.New(rand.NewPCG(1, 2))
	var common [blocks]float64
	for b := range common {
		common[b] = luck.NormFloat64()
	}
	study, err := goptuna.CreateStudy("p", goptuna.StudyOptionDirection(direction), goptuna.StudyOptionPruner(p),
		goptuna.StudyOptionLogger(nil), goptuna.StudyOptionSampler(goptuna.NewRandomSampler(goptuna.RandomSamplerOptionSeed(3))))
	if err != nil {
		t.Fatal(err)
	}
	sign := 1.0
	if direction == goptuna.StudyDirectionMinimize {
		sign = -1
	}
	objective := func(trial goptuna.Trial) (float64, error) {
		x, err := trial.SuggestFloat("x", 0, 1)
		if err != nil {
			return 0, err
		}
		sum := 0.0
		for b := range common {
			value := sign * (3*x + common[b] + .5*luck.NormFloat64())
			sum += value
			report := value
			if mean {
				report = sum / float64(b+1)
			}
			if err := trial.ShouldPrune(b+1, report); err != nil {
				if err == goptuna.ErrTrialPruned {
					stopped++
				}
				return report, err
			}
		}
		return sum / blocks, nil
	}
	if err := study.Optimize(objective, 40); err != nil {
		t.Fatal(err)
	}
	params, err := study.GetBestParams()
	if err != nil {
		t.Fatal(err)
	}
	return stopped, params["x"].(float64)
}

// Each rule stops most of the worse trials of a plain Goptuna study, in either
// direction, and keeps a good one.
func TestPruners(t *testing.T) {
	for name, c := range map[string]struct {
		pruner goptuna.Pruner
		mean   bool
	}{
		"challenge": {ours.ChallengePruner{Alpha: .05, Blocks: 64}, false},
		"friedman":  {ours.FriedmanPruner{Level: .05, First: 5}, false},
		"halving":   {ours.HalvingPruner{Rungs: []int{8, 16, 32}, Keep: .5}, true},
	} {
		for _, d := range []goptuna.StudyDirection{goptuna.StudyDirectionMaximize, goptuna.StudyDirectionMinimize} {
			stopped, best := climb(t, c.pruner, d, c.mean)
			t.Logf("%s, %s: %d of 40 stopped, best x %.3f", name, d, stopped, best)
			if stopped < 12 || stopped > 39 || best < .8 {
				t.Errorf("%s, %s: %d of 40 stopped, best x %.3f", name, d, stopped, best)
			}
		}
	}
}

// What is asked wrongly is an error; what has nothing to compare goes on.
func TestPrunerEdges(t *testing.T) {
	study, err := goptuna.CreateStudy("p", goptuna.StudyOptionLogger(nil))
	if err != nil {
		t.Fatal(err)
	}
	alone := goptuna.FrozenTrial{ID: 7, IntermediateValues: map[int]float64{1: 1}}
	for name, p := range map[string]goptuna.Pruner{
		"challenge": ours.ChallengePruner{Alpha: .05, Blocks: 64},
		"friedman":  ours.FriedmanPruner{Level: .05, First: 5},
		"halving":   ours.HalvingPruner{Rungs: []int{1}, Keep: .5},
	} {
		for _, trial := range []goptuna.FrozenTrial{alone, {ID: 8}} {
			if stop, err := p.Prune(study, trial); stop || err != nil {
				t.Errorf("%s: %v %v", name, stop, err)
			}
		}
	}
	for name, p := range map[string]goptuna.Pruner{
		"challenge": ours.ChallengePruner{Alpha: 2, Blocks: 64},
		"blocks":    ours.ChallengePruner{Alpha: .05},
		"halving":   ours.HalvingPruner{Rungs: []int{1}, Keep: 2},
	} {
		if _, err := p.Prune(study, alone); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
