package study_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

const twoNumbers = "  strategy: climber\n  fix: [{name: kind, value: plain}]\n  params: [{name: x}, {name: n}]\n"

// hillOf returns a study of two numbers with a sampler, and further lines of the file.
func hillOf(sampler, more string) string {
	text := strings.Replace(fmt.Sprintf(hillStudy, sampler), "  strategy: climber\n", twoNumbers, 1)
	if sampler == "surface" || sampler == "duels" {
		text = strings.NewReplacer("name: duels, ", "", "race: {rungs: [8, 16, 32]}\n", "", "final: {top: 4, blocks: 200}\n", "").Replace(text)
	}
	return text + more
}

// asked returns the trials of a log's asks, in order.
func asked(t *testing.T, log []entry.Entry) (all []entry.Asked) {
	t.Helper()
	for _, e := range log {
		v, err := entry.Read(e, entry.AllEvidence)
		if err != nil {
			t.Fatal(err)
		}
		if a, ok := v.(*entry.Ask); ok {
			all = append(all, a.Trials...)
		}
	}
	return all
}

// Points that a study file names are tried first, by every sampler that takes them; the
// log is the same for any number of workers and after any death.
func TestGivenPointsAreTriedFirst(t *testing.T) {
	for _, name := range []string{"uniform", "quasi", "tpe", "goptuna-random", "goptuna-tpe", "surface", "duels"} {
		t.Run(name, func(t *testing.T) {
			spec := read(t, hillOf(name, "begin: [{x: 0.71, n: 5}, {x: 0.25}]\n"))
			if spec.Duels != (name == "duels") {
				t.Fatalf("duels: %v", spec.Duels)
			}
			whole := newMemory()
			want, err := run(t, spec, whole, 1)
			if err != nil {
				t.Fatal(err)
			}
			var given []string
			for i, a := range asked(t, whole.entries) {
				if text, ok := a.Attrs.Get(tuner.AttrGiven); ok {
					if a.Draw != -1 || i > 2 {
						t.Errorf("place %d: %+v", i, a)
					}
					given = append(given, text+" "+a.Params.String())
				}
			}
			if !slices.Equal(given, []string{"0 x=0.71,n=5", "1 x=0.25,n=3"}) {
				t.Errorf("given: %q", given)
			}
			if many, err := run(t, spec, newMemory(), 8); err != nil || many.Digest != want.Digest {
				t.Errorf("eight workers: %v %v", many, err)
			}
			for at := 1; at < len(whole.entries); at += every(29, 83) {
				m := newMemory()
				m.die = at
				if _, err := run(t, spec, m, 2); !errors.Is(err, errDied) {
					t.Fatal(err)
				}
				m.die = 0
				if got, err := run(t, spec, m, 2); err != nil || got.Digest != want.Digest {
					t.Fatalf("killed after %d entries: %v %v", at, got, err)
				}
			}
		})
	}
}

// A grid tries each set once, also those that are named.
func TestGivenPointsOfAGrid(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(hillStudy, "grid"), "  strategy: climber\n",
		"  strategy: climber\n  fix: [{name: x, value: 0.7}]\n  params: [{name: kind}, {name: bonus}, {name: n, low: 3, high: 5, step: 1}]\n", 1)
	m := newMemory()
	r, err := run(t, read(t, text+"begin: [{n: 4, kind: fancy, bonus: 2}, {n: 5, kind: fancy, bonus: 2}, {n: 5}]\n"), m, 2)
	if err != nil || r.Trials != 15 {
		t.Fatalf("%+v %v", r, err)
	}
	if all := asked(t, m.entries); len(all) != 15 || all[0].Params.String() != "n=4,kind=fancy,bonus=2" {
		t.Errorf("%d asked, %+v", len(all), all[0])
	}
}

func TestBeginMistakes(t *testing.T) {
	for more, want := range map[string]string{
		"begin: [{x: 7}]\n":                         "begin[0].x: expected a number in 0..1, got 7",
		"begin: [{y: 7}]\n":                         "begin[0].y: expected a tuned parameter",
		"begin: [{x: 0.5, x: 0.5}]\n":               "each parameter once",
		"begin: [{x: 0.5}, {x: 0.5, n: 3}]\n":       "begin[1]: expected each point once",
		"begin: [7]\n":                              "begin[0]: expected a point such as {x: ",
		"begin: {x: 1}\n":                           "begin: expected a list",
		"begin: [{x: [1]}]\n":                       "begin[0].x: expected a value",
		"begin_from: hill\n":                        "begin_from: expected an earlier study, with another name",
		"begin_from: other\nsampler: {name: quasi}": "begin_from: expected a sampler that learns",
		"begin: [{x: 0.5}]\nsampler: {name: jgg}":   "begin: expected a sampler that can try points of others",
		"begin: [{x: 0.5}]\nsampler: {name: spsa}":  "begin: expected a sampler that can try points of others",
	} {
		text := hillOf("duels", more)
		if strings.Contains(more, "sampler:") {
			text = strings.Replace(text, "sampler: {seed: 5, batch: 8}\n", "", 1)
		}
		_, err := studyfile.Read("x.yaml", []byte(text), games(), sampler.Kinds{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", more, err, want)
		}
	}
	// The default is a sampler that can.
	metric := "version: 1\nname: a\ngame: hill\ntune: {strategy: climber, fix: [{name: kind, value: plain}], params: [{name: n}]}\nobjective: {of: metric, metric: effort}\n"
	for more, want := range map[string]string{"": "grid", "begin: [{n: 5}]\n": "grid", "begin_from: other\n": "surface"} {
		if s := read(t, metric+more); s.Sampler.Name != want {
			t.Errorf("%q: sampler %s, want %s", more, s.Sampler.Name, want)
		}
	}
}

// receiving is a record through which points are given after some entries.
type receiving struct {
	*memory
	after int
	point param.Values
}

func (r *receiving) Given(context.Context) ([]param.Values, error) {
	if len(r.entries) < r.after {
		return nil, nil
	}
	return []param.Values{r.point}, nil
}

// A point that is given while a study runs is asked in the next batch. Resumed, the
// study does the same whenever the point is seen again.
func TestPointsAreGivenToARunningStudy(t *testing.T) {
	for _, name := range []string{"uniform", "surface", "duels"} {
		setup := read(t, hillOf(name, ""))
		point, err := setup.Point(param.Values{{Name: "x", Text: "0.66"}})
		if err != nil {
			t.Fatal(err)
		}
		open := func(m *receiving) (*tuner.Result, error) {
			p, err := sampler.Kinds{}.New(setup.Sampler, setup.Tune.Params, setup.Tune.Fix)
			if err != nil {
				t.Fatal(err)
			}
			st, err := study.Open(t.Context(), setup, study.Options{Host: arena.NewPool(2), Proposer: p, Record: m})
			if err != nil {
				t.Fatal(err)
			}
			return st.Run(t.Context())
		}
		whole := &receiving{newMemory(), 20, point}
		want, err := open(whole)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, a := range asked(t, whole.entries) {
			if _, ok := a.Attrs.Get(tuner.AttrGiven); ok {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%s: given %d times", name, n)
		}
		for at := 1; at < len(whole.entries); at += 37 {
			m := &receiving{newMemory(), 20, point}
			m.die = at
			if _, err := open(m); !errors.Is(err, errDied) {
				t.Fatal(err)
			}
			m.die = 0
			if at > 30 {
				m.after = 0 // it is there from the start when the study is resumed
			}
			if got, err := open(m); err != nil || got.Digest != want.Digest {
				t.Errorf("%s, killed after %d: %v %v", name, at, got, err)
			}
		}
	}
}

// searched returns what a study's log says of its search.
func searched(t *testing.T, s *tuner.Setup, log []entry.Entry) *study.Searched {
	t.Helper()
	p, err := sampler.Kinds{}.New(s.Sampler, s.Tune.Params, s.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	_, answers := p.(tuner.Answerer)
	x, err := study.ReadSearch(t.Context(), s, log, answers)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// A study begins with the games of an earlier one, whole or cut off anywhere, and of one
// that has begun so itself; its own games and seeds are others.
func TestStudiesBeginWithEarlierGames(t *testing.T) {
	for _, name := range []string{"tpe", "surface", "duels"} {
		t.Run(name, func(t *testing.T) {
			first := read(t, hillOf(name, ""))
			log := newMemory()
			if _, err := run(t, first, log, 2); err != nil {
				t.Fatal(err)
			}
			for cut := 1; cut < len(log.entries); cut += every(13, 41) {
				if b := searched(t, first, log.entries[:cut]).Begun(first); b.Dropped != 0 {
					t.Errorf("cut at %d: %d points dropped", cut, b.Dropped)
				}
			}
			low := "0.4"
			if name == "duels" {
				low = "0.1" // with the baseline, whom scouts meet
			}
			narrower := strings.NewReplacer("{name: x}", "{name: x, low: "+low+"}", "name: hill\n", "name: next\n").Replace(hillOf(name, "begin_from: hill\n"))
			next := read(t, narrower)
			if why := next.Differs(first.Spec); why != "" {
				t.Fatal(why)
			}
			begun := searched(t, first, log.entries).Begun(next)
			if all := searched(t, first, log.entries).Begun(first); begun.Points == 0 || begun.Dropped == 0 || begun.Points+begun.Dropped != all.Points || begun.Games == 0 || begun.Games >= all.Games {
				t.Fatalf("%d points with %d games, %d dropped; of %d with %d", begun.Points, begun.Games, begun.Dropped, all.Points, all.Games)
			}
			open := func(m *memory, workers int) (*tuner.Result, error) {
				p, err := sampler.Kinds{}.New(next.Sampler, next.Tune.Params, next.Tune.Fix)
				if err != nil {
					t.Fatal(err)
				}
				st, err := study.Open(t.Context(), next, study.Options{
					Host: arena.NewPool(workers), Proposer: p, Record: m,
					Begun: func(context.Context) (*entry.Begun, error) { return begun, nil },
				})
				if err != nil {
					t.Fatal(err)
				}
				return st.Run(t.Context())
			}
			whole := newMemory()
			want, err := open(whole, 1)
			if err != nil {
				t.Fatal(err)
			}
			if want.Begun == nil || want.Begun.Games != begun.Games || want.Games > next.Budget.Games || want.Validation == nil {
				t.Errorf("%+v", want)
			}
			if got, err := open(newMemory(), 8); err != nil || got.Digest != want.Digest {
				t.Errorf("eight workers: %v %v", got, err)
			}
			for at := 1; at < len(whole.entries); at += 31 {
				m := newMemory()
				m.die = at
				if _, err := open(m, 2); !errors.Is(err, errDied) {
					t.Fatal(err)
				}
				m.die = 0
				if got, err := open(m, 2); err != nil || got.Digest != want.Digest {
					t.Fatalf("killed after %d entries: %v %v", at, got, err)
				}
			}
			if seeds := played(t, first, log.entries); seeds["tune"] == played(t, next, whole.entries)["tune"] || seeds["validation"] == played(t, next, whole.entries)["validation"] {
				t.Errorf("both play the blocks of %v", seeds)
			}
			third := read(t, strings.NewReplacer("name: next\n", "name: third\n", "begin_from: hill", "begin_from: next").Replace(narrower))
			if b := searched(t, next, whole.entries).Begun(third); b.Games <= begun.Games || b.Points <= begun.Points || b.Dropped != 0 || b.Batches <= begun.Batches || b.Blocks <= begun.Blocks {
				t.Errorf("of both: %d points, %d games, %d dropped", b.Points, b.Games, b.Dropped)
			}
		})
	}
}

// played returns the seed of every phase of a log.
func played(t *testing.T, s *tuner.Setup, log []entry.Entry) map[string]uint64 {
	t.Helper()
	out := map[string]uint64{}
	for _, e := range log {
		v, err := entry.Read(e, entry.AllEvidence)
		if err != nil {
			t.Fatal(err)
		}
		switch v := v.(type) {
		case *entry.Rung:
			out["tune"] = uint64(v.Played.Seed)
		case *entry.Duel:
			out["tune"] = uint64(v.Played.Seed)
		case *entry.Validation:
			out["validation"] = uint64(v.Played.Seed)
		}
	}
	return out
}

func TestDiffers(t *testing.T) {
	a := read(t, hillOf("duels", ""))
	for change, want := range map[string]string{
		"baseline: climber|baseline: climber(x=0.4)":                                   "baseline: it has",
		"name: hill\n|name: hill\nevaluate: {mode: baseline}\n":                        "evaluate: it has",
		"name: hill\n|name: hill\npool: [climber(n=5)]\n":                              "pool: it has",
		"baseline: climber\n|baseline: climber\nobjective: {of: score, over: worst}\n": "objective: it has",
	} {
		from, to, _ := strings.Cut(change, "|")
		b := read(t, strings.Replace(hillOf("duels", ""), "\n"+from, "\n"+to, 1))
		if got := a.Differs(b.Spec); !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", change, got, want)
		}
	}
}
