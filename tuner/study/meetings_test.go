package study_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"sakusen/engines/arena"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/insight"
	"sakusen/tuner/sampler"
	"sakusen/tuner/study"
)

// witness is a host that notes every block that it plays.
type witness struct {
	arena.Host
	mu   sync.Mutex
	seen map[string]bool
}

// blocksOf names the blocks of a series.
func blocksOf(s arena.Series) []string {
	var who []string
	for _, e := range s.Entrants {
		who = append(who, e.Canonical())
	}
	var out []string
	for b := s.From; b < s.To; b++ {
		out = append(out, fmt.Sprintf("%s seed %d %s block %d", strings.Join(who, " / "), s.Seed, s.Phase, b))
	}
	return out
}

func (w *witness) Play(ctx context.Context, s arena.Series, observe func(*arena.Run) error) (arena.Tally, error) {
	w.mu.Lock()
	for _, b := range blocksOf(s) {
		w.seen[b] = true
	}
	w.mu.Unlock()
	return w.Host.Play(ctx, s, observe)
}

// The meetings of all trials, read from the log of a study of each kind under a
// spec reopened from its record, are the blocks that the study has played, and no
// others.
func TestMeetings(t *testing.T) {
	hill := fmt.Sprintf(hillStudy, "quasi")
	for name, text := range map[string]string{
		"halving":   hill,
		"incumbent": strings.Replace(hill, "rungs: [8, 16, 32]", "rungs: [16, 32, 64], incumbent: true", 1),
		"repeats":   strings.Replace(hill, "  strategy: climber\n", "  strategy: climber\n  params: [{name: n, low: 2, high: 5}]\n", 1),
		"renewed":   strings.Replace(hill, "rungs: [8, 16, 32]", "rungs: [16, 32, 64], incumbent: true, blocks: fresh", 1),
		"fresh":     surfaceStudy,
		"few fresh": strings.Replace(surfaceStudy, "params: [{name: x}, {name: n}]", "params: [{name: n, low: 3, high: 5}]", 1),
		"duels":     duelStudy,
		"measured":  strings.Replace(duelStudy, "baseline: climber", `baseline: "climber(kind=fancy,bonus=0)"`, 1),
		"opponents": strings.Replace(hill, "sampler:", "pool: [\"climber(kind=fancy,bonus=0)\"]\nsampler:", 1),
		"boats":     boatStudy,
	} {
		t.Run(name, func(t *testing.T) {
			catalogue := strategies.Catalogue()
			var spec *tuner.Setup
			if name == "boats" {
				var err error
				if spec, err = readBoats(t, text); err != nil {
					t.Fatal(err)
				}
			} else {
				spec, catalogue = read(t, text), games()
			}
			proposer, err := sampler.Kinds{}.New(spec.Sampler, spec.Tune.Params, spec.Tune.Fix)
			if err != nil {
				t.Fatal(err)
			}
			m, w := newMemory(), &witness{Host: arena.NewPool(2), seen: map[string]bool{}}
			st, err := study.Open(context.Background(), spec, study.Options{Host: w, Proposer: proposer, Record: m})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := st.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			stored, err := json.Marshal(spec)
			if err != nil {
				t.Fatal(err)
			}
			again, err := reopen(stored, catalogue)
			if err != nil {
				t.Fatal(err)
			}
			checkMeetings(t, again, m.entries, w.seen)
		})
	}
}

func checkMeetings(t *testing.T, spec *tuner.Setup, entries []entry.Entry, played map[string]bool) {
	t.Helper()
	index := insight.NewMeetings(spec)
	for _, e := range entries {
		if err := index.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	told := map[string]bool{}
	for n := range index.Trials() {
		list, err := index.Of(n)
		if err != nil {
			t.Fatal(err)
		}
		places := map[string]bool{}
		for _, m := range list {
			if name := m.Series.Entrants[m.Trial].Name; name != fmt.Sprintf("trial %d", n) {
				t.Errorf("trial %d: %q sits in its place", n, name)
			}
			place := fmt.Sprint(m.Series.Phase, m.Series.From, m.Nth)
			if places[place] {
				t.Errorf("trial %d: two meetings are %s", n, place)
			}
			places[place] = true
			for _, b := range blocksOf(m.Series) {
				told[b] = true
			}
		}
	}
	if maps.Equal(told, played) {
		return
	}
	shown := 0
	for b := range told {
		if !played[b] && shown < 5 {
			t.Errorf("told, not played: %s", b)
			shown++
		}
	}
	shown = 0
	for b := range played {
		if !told[b] && shown < 5 {
			t.Errorf("played, not told: %s", b)
			shown++
		}
	}
	t.Errorf("%d blocks are told of %d", len(told), len(played))
}

// What is no record of a study is refused, not believed.
func TestMeetingsMistakes(t *testing.T) {
	stored, err := json.Marshal(read(t, fmt.Sprintf(hillStudy, "quasi")))
	if err != nil {
		t.Fatal(err)
	}
	for old, new := range map[string]string{
		`"game":"hill"`: `"game":"mountain"`, `"rungs":[8,16,32]`: `"rungs":[]`, `"baseline":"climber`: `"baseline":"walker`, `{"version"`: `["version"`,
	} {
		if _, err := reopen([]byte(strings.Replace(string(stored), old, new, 1)), games()); err == nil {
			t.Errorf("%s is reopened", new)
		}
	}
	spec, err := reopen(stored, games())
	if err != nil {
		t.Fatal(err)
	}
	index := insight.NewMeetings(spec)
	for _, e := range []entry.Entry{
		{Kind: entry.KindAsk, Payload: json.RawMessage(`{"trials":[{"number":7}]}`)},
		{Kind: entry.KindRung, Payload: json.RawMessage(`{"trial":0,"rung":0,"blocks":8}`)},
		{Kind: entry.KindRung, Payload: json.RawMessage(`[`)},
		{Kind: entry.KindDuel, Payload: json.RawMessage(`{"a":0,"b":-1}`)},
		{Kind: entry.KindFinal, Payload: json.RawMessage(`{"trial":3,"evidence":[{"blocks":8}]}`)},
	} {
		if err := index.Add(e); err == nil {
			t.Errorf("%s %s is taken in", e.Kind, e.Payload)
		}
	}
	if _, err := index.Of(0); err == nil {
		t.Error("a trial that does not exist has met somebody")
	}
}
