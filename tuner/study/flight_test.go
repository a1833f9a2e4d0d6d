package study_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

// flying returns a study with so many batches out at a time.
func flying(text string, batches int) string {
	before, after, _ := strings.Cut(text, "sampler: {")
	return before + fmt.Sprintf("sampler: {flight: %d, ", batches) + after
}

// slow is a host whose series take their time, each another.
type slow struct {
	arena.Host
	mu     sync.Mutex
	chance *rand.Rand
}

func (s *slow) Play(ctx context.Context, series arena.Series, keep func(*arena.Run) error) (arena.Tally, error) {
	s.mu.Lock()
	wait := time.Duration(s.chance.IntN(1000)) * time.Microsecond
	s.mu.Unlock()
	time.Sleep(wait)
	return s.Host.Play(ctx, series, keep)
}

// With two batches in flight a study ends the same however many workers it has, however
// long its games take and however often it dies; and its budget holds.
func TestTwoBatchesInFlight(t *testing.T) {
	race := fmt.Sprintf(hillStudy, "tpe")
	studies := map[string]string{
		"race": race, "duels": duelStudy, "surface": surfaceStudy,
		"fresh":  strings.Replace(race, "rungs: [8, 16, 32]", "rungs: [8, 16, 32], blocks: fresh, incumbent: true", 1),
		"narrow": strings.NewReplacer("games: 12000", "games: 6300", "[8, 16, 32]", "[8, 16, 32], incumbent: true").Replace(race),
		"spsa":   strings.Replace(duelStudy, "{name: surface", "{name: spsa", 1),
	}
	rounds := 2
	if suite.Few() {
		rounds = 1
	}
	for name, text := range studies {
		if suite.Few() && name != "race" && name != "duels" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			spec := read(t, flying(text, 2))
			whole := newMemory()
			want, err := run(t, spec, whole, 1)
			if err != nil {
				t.Fatal(err)
			}
			alone, err := run(t, read(t, text), newMemory(), 4)
			if err != nil || alone.Digest == want.Digest {
				t.Errorf("a flight of two changes nothing: %v", err)
			}
			if want.Games > spec.Budget.Games || name != "race" && name != "fresh" && allotted(want, spec) < spec.Budget.Games*8/10 {
				t.Errorf("%d games of %d", want.Games, spec.Budget.Games)
			}
			for i := range rounds {
				p, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
				if err != nil {
					t.Fatal(err)
				}
				host := &slow{Host: arena.NewPool(8), chance: rand.New(rand.NewPCG(uint64(i), 1))}
				st, err := study.Open(t.Context(), spec, study.Options{Host: host, Proposer: p, Record: newMemory()})
				if err != nil {
					t.Fatal(err)
				}
				if got, err := st.Run(t.Context()); err != nil || got.Digest != want.Digest {
					t.Errorf("eight workers: %v, %v", got, err)
				}
				if suite.Few() {
					break
				}
			}
			step := every(131, 397)
			for at := 1; at < len(whole.entries); at += step {
				dieAndResume(t, spec, whole, want, at)
			}
			checkFlight(t, whole)
		})
	}
}

// checkFlight reports whether batches were asked for before the one in front was told.
func checkFlight(t *testing.T, m *memory) {
	t.Helper()
	out, most, early := map[int]bool{}, 0, 0
	for _, e := range m.entries {
		switch e.Kind {
		case entry.KindAsk:
			var a entry.Ask
			if err := json.Unmarshal(e.Payload, &a); err != nil {
				t.Fatal(err)
			}
			if len(out) > 0 {
				early++
			}
			for _, x := range a.Trials {
				out[x.Number] = true
			}
			most = max(most, len(out))
		case entry.KindTell:
			var v entry.Tell
			if err := json.Unmarshal(e.Payload, &v); err != nil {
				t.Fatal(err)
			}
			delete(out, v.Trial)
		case entry.KindDuel:
			var v entry.Duel
			if err := json.Unmarshal(e.Payload, &v); err != nil {
				t.Fatal(err)
			}
			delete(out, v.A)
			delete(out, v.B)
		}
	}
	if early == 0 {
		t.Errorf("no batch was asked for early; at most %d trials were out", most)
	}
}

// Who proposes from the batch before has one batch out.
func TestFlightIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		strings.Replace(strings.Replace(surfaceStudy, "{name: surface", "{name: goptuna-cmaes", 1), "race: {rungs: [8]}\n", "", 1): "sampler.flight: expected 1, as goptuna-cmaes proposes a generation",
	} {
		_, err := studyfile.Read("hill.yaml", []byte(flying(text, 2)), games(), sampler.Kinds{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
	if _, err := readBoats(t, strings.Replace(boatStudy, "  name: jgg\n", "  name: jgg\n  flight: 2\n", 1)); err == nil || !strings.Contains(err.Error(), "sampler.flight: expected 1, as a pool") {
		t.Errorf("%v", err)
	}
	text := strings.Replace(surfaceStudy, "sampler: {", "sampler: {flight: 9, ", 1)
	if _, err := studyfile.Read("hill.yaml", []byte(text), games(), sampler.Kinds{}); err == nil || !strings.Contains(err.Error(), "sampler.flight") {
		t.Errorf("%v", err)
	}
}

// The default search, in duels and against the baseline, ends the same with one, four and eight
// batches at a time. It does so with any number of workers whose games end in another order each
// time, and if it is killed at random places, again and again.
func TestFlightIsOfFileAndLog(t *testing.T) {
	for i, text := range []string{surfaceStudy, duelStudy} {
		for _, flight := range []int{1, 4, 8} {
			if suite.Few() && flight != 8 {
				continue
			}
			t.Run(fmt.Sprintf("%d/flight=%d", i, flight), func(t *testing.T) {
				spec := read(t, flying(text, flight))
				fly := func(m *memory, workers int, seed uint64) (*tuner.Result, error) {
					p, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
					if err != nil {
						t.Fatal(err)
					}
					host := &slow{Host: arena.NewPool(workers), chance: rand.New(rand.NewPCG(seed, 2))}
					st, err := study.Open(t.Context(), spec, study.Options{Host: host, Proposer: p, Record: m})
					if err != nil {
						t.Fatal(err)
					}
					return st.Run(t.Context())
				}
				whole := newMemory()
				want, err := fly(whole, 1, 1)
				if err != nil {
					t.Fatal(err)
				}
				if flight > 1 {
					checkFlight(t, whole)
				}
				chance := rand.New(rand.NewPCG(uint64(flight), uint64(i)))
				for _, workers := range []int{3, 16} {
					m, deaths := newMemory(), 0
					for {
						m.die = len(m.entries) + 1 + chance.IntN(len(whole.entries)/3)
						got, err := fly(m, workers, chance.Uint64())
						if err == nil {
							if got.Digest != want.Digest {
								t.Errorf("%d workers, killed %d times: digest %s, want %s", workers, deaths, got.Digest, want.Digest)
							}
							break
						}
						if deaths++; !errors.Is(err, errDied) {
							t.Fatal(err)
						}
					}
					if deaths == 0 {
						t.Error("it was never killed")
					}
				}
			})
		}
	}
}
