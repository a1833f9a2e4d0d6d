package goptuna_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	adapter "sakusen/tuner/sampler/goptuna"
	"sakusen/tuner/store"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

// hanging is a sampler that does not answer before its test ends.
type hanging chan struct{}

func (h hanging) Sample(*goptuna.Study, goptuna.FrozenTrial, string, any) (float64, error) {
	<-h
	return 0, errors.New("the test has ended")
}

// A study whose sampler waits for one that hangs fails with the name of that one, also where
// both were asked at nearly the same time.
func TestWaitingStudyNamesTheHung(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(hanging)
		kinds := sampler.Kinds{Own: []sampler.Own{{Name: "hanging", New: adapter.Single(func(int64) goptuna.Sampler { return ended })}}}
		var setups []*tuner.Setup
		var samplers []tuner.Proposer
		for _, name := range []string{"hanging", "goptuna-random"} {
			setup, err := studyfile.Read("x.yaml", []byte(`version: 1
name: x
game: laboratory
tune: {strategy: point}
baseline: point
sampler: {name: `+name+`}
budget: {trials: 8, games: 6000}
validation: {max_blocks: 100}
`), strategies.Catalogue(), kinds)
			if err != nil {
				t.Fatal(err)
			}
			p, err := kinds.New(setup.Sampler, setup.Tune.Params, setup.Tune.Fix)
			if err != nil {
				t.Fatal(err)
			}
			setups, samplers = append(setups, setup), append(samplers, p)
		}
		adapter.Apart(samplers...)
		errs := make([]chan error, 2)
		for i, setup := range setups {
			errs[i] = make(chan error, 1)
			st, err := study.Open(t.Context(), setup, study.Options{Host: arena.NewPool(1), Proposer: samplers[i], Record: store.NewMemory()})
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				_, err := st.Run(t.Context())
				errs[i] <- err
			}()
			time.Sleep(5 * time.Second)
		}
		if err := <-errs[1]; err == nil || errors.Is(err, tuner.ErrSamplerSilent) || !strings.Contains(err.Error(), "asked one at a time, and hanging has not answered") {
			t.Errorf("the one that waits: %v", err)
		}
		if err := <-errs[0]; !errors.Is(err, tuner.ErrSamplerSilent) {
			t.Errorf("the one that hangs: %v", err)
		}
		close(ended)
	})
}
