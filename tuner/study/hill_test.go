package study_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/sampler"
	"sakusen/tuner/study"
	"sakusen/tuner/studyfile"
)

// hillRules are the rules of the hill, a game with a known answer: a player's skill is a function of its
// parameters, and each game is decided by the difference and a draw of chance.
type hillRules struct {
	slope   float64
	certain bool // nothing is left to chance
}

type hillPlayer interface {
	skill() float64
	effort() float64
}

type climber struct {
	x     float64
	n     int
	kind  string
	bonus int
}

func (c *climber) Declare(f *param.Fields, _ *hillRules) {
	f.Float(&c.x, "x", 0.2, param.Range(0, 1), "place on the hill; the top is at 0.7")
	f.Int(&c.n, "n", 2, param.Grid(1, 9, 2), "steps")
	f.Choice(&c.kind, "kind", "plain", []string{"plain", "fancy"}, "two kinds of climbers")
	f.When("kind", "fancy", func(f *param.Fields) {
		f.Int(&c.bonus, "bonus", 0, param.Range(0, 3), "something that fancy climbers have")
	})
}

func (c *climber) Player(*hillRules) (hillPlayer, error) { return c, nil }

func (c *climber) effort() float64 { return 500 + 500*c.x }

func (c *climber) skill() float64 {
	s := 1 - 4*(c.x-.7)*(c.x-.7) - .02*math.Abs(float64(c.n-5))
	if c.kind == "fancy" {
		s += .05 * float64(c.bonus-1)
	}
	return s
}

type hillReferee struct{ rules *hillRules }

func (r hillReferee) Play(fx *arena.Fixture, p []hillPlayer, out *arena.Outcome) error {
	chance := fx.Chance(0)
	u := chance.Float64()
	if r.rules.certain {
		u = .5
	}
	for s := range p {
		out.Count(s, 0, int64(100*p[s].skill()+200))
		out.Count(s, 2, int64(p[s].effort()*(.8+.4*u))) // a long day is long for all
		if fx.Phase == arena.Validation {
			out.Count(s, 1, 1)
		}
	}
	out.Transcript.Add(math.Float64bits(u))
	if u < .5+r.rules.slope*(p[0].skill()-p[1].skill()) {
		out.Win(0)
		out.Transcript.Add(1)
	} else {
		out.Win(1)
	}
	return nil
}

func hill() *arena.Game { return hillNamed("hill", nil) }

// crag returns the hill with a climber who is a program from elsewhere.
func crag() *arena.Game {
	return hillNamed("crag", func(*hillRules) (arena.Identity, error) { return arena.Identity{Hash: "climber", Way: "once"}, nil })
}

func hillNamed(name string, identify func(*hillRules) (arena.Identity, error)) *arena.Game {
	return arena.Enter(arena.Definition[hillRules, hillPlayer]{
		Name: name, Doc: "The higher climber wins more often.", Source: "ours",
		Declare: func(r *hillRules, f *param.Fields) {
			f.Float(&r.slope, "slope", .3, param.Range(0, .5), "advantage of one unit of skill")
			f.Bool(&r.certain, "certain", false, "the better climber always wins")
		},
		Seats:      func(*hillRules) int { return 2 },
		Components: []string{"height", "late", "effort"},
		Metrics: []arena.Metric{
			{Name: "height", Doc: "skill in hundredths", Of: "height"},
			{Name: "late", Doc: "1 on validation blocks, 0 on all others", Of: "late"},
			{Name: "effort", Doc: "steps taken", Of: "effort", Lower: true},
			{Name: "ease", Doc: "height per step", Of: "height", Per: "effort"},
		},
		Referee: func(r *hillRules) (arena.Referee[hillPlayer], error) { return hillReferee{r}, nil },
	}, arena.Strategy[hillRules, hillPlayer]{Name: "climber", Doc: "Climbs.", Source: "ours", Identify: identify,
		New: func(f *param.Fields, r *hillRules) arena.Maker[hillPlayer] {
			c := &climber{}
			c.Declare(f, r)
			return func() (hillPlayer, error) { return c.Player(r) }
		}})
}

func games() arena.Catalogue { return arena.Catalogue{hill(), crag()} }

func read(t testing.TB, text string) *tuner.Setup {
	t.Helper()
	s, err := studyfile.Read("hill.yaml", []byte(text), games(), sampler.Kinds{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// memory is a Record and Blocks without a database.
type memory struct {
	goptuna.Storage
	study   int
	entries []entry.Entry
	die     int // Append fails once this many entries are there, 0 never
}

func newMemory() *memory {
	return &memory{Storage: goptuna.NewInMemoryStorage(), study: 1}
}

func (m *memory) Entries(context.Context) ([]entry.Entry, error) {
	return append([]entry.Entry(nil), m.entries...), nil
}

var errDied = fmt.Errorf("died")

func (m *memory) Append(_ context.Context, e entry.Entry, change func(tuner.Trials) error) error {
	if m.die > 0 && len(m.entries) >= m.die {
		return errDied
	}
	if change != nil {
		if err := change(mirror{m}); err != nil {
			return err
		}
	}
	m.entries = append(m.entries, e)
	return nil
}

// mirror writes a study's trials to goptuna's own storage, whose numbers and ids
// are the same while it holds one study.
type mirror struct{ m *memory }

func (x mirror) Create(number int) error {
	id, err := x.m.CreateNewTrial(x.m.study)
	if err == nil && id != number {
		err = fmt.Errorf("trial %d was created as %d", number, id)
	}
	return err
}

func (x mirror) SetParam(number int, d *tuner.Dimension, text string) error {
	internal, err := d.Internal(d.Distribution(false), text)
	if err != nil {
		return err
	}
	return x.m.SetTrialParam(number, d.Name, internal, d.ByValue(false))
}

func (x mirror) SetAttr(number int, key, text string) error {
	return x.m.SetTrialSystemAttr(number, key, text)
}

func (x mirror) SetNote(number int, key, text string) error {
	return x.m.SetTrialUserAttr(number, key, text)
}

func (x mirror) Report(number int, blocks int64, value float64) error {
	return x.m.SetTrialIntermediateValue(number, int(blocks), value)
}

func (x mirror) SetValue(number int, value float64) error { return x.m.SetTrialValue(number, value) }

// mirrored are the states in both vocabularies.
var mirrored = map[entry.TrialState]goptuna.TrialState{
	entry.TrialRunning: goptuna.TrialStateRunning, entry.TrialComplete: goptuna.TrialStateComplete,
	entry.TrialPruned: goptuna.TrialStatePruned, entry.TrialFailed: goptuna.TrialStateFail,
}

func (x mirror) SetState(number int, state entry.TrialState) error {
	return x.m.SetTrialState(number, mirrored[state])
}

func (x mirror) State(number int) (entry.TrialState, error) {
	t, err := x.m.GetTrial(number)
	for state, theirs := range mirrored {
		if theirs == t.State {
			return state, err
		}
	}
	return "", fmt.Errorf("trial %d is in state %v (%w)", number, t.State, err)
}

func (m *memory) Attempt(context.Context, tuner.Question) (int, error) {
	n := 1 // asked again before the attempt is in the log, it is the same number
	for _, e := range m.entries {
		if e.Kind == entry.KindAttempt {
			n++
		}
	}
	return n, nil
}

// reopen prepares a spec that went through JSON, as a database keeps it.
func reopen(stored []byte, games arena.Catalogue) (*tuner.Setup, error) {
	spec, err := tuner.ParseSpec(stored)
	if err != nil {
		return nil, err
	}
	return tuner.Prepare(spec, games)
}

// every returns how many entries lie between two of a log after which a study is killed: all with
// SAKUSEN_TESTS=all, else few.
func every(all, few int) int {
	if suite.Few() {
		return few
	}
	return all
}

func run(t testing.TB, s *tuner.Setup, m *memory, workers int) (*tuner.Result, error) {
	t.Helper()
	p, err := sampler.Kinds{}.New(s.Sampler, s.Tune.Params, s.Tune.Fix)
	if err != nil {
		t.Fatal(err)
	}
	st, err := study.Open(context.Background(), s, study.Options{Host: arena.NewPool(workers), Proposer: p, Record: m})
	if err != nil {
		t.Fatal(err)
	}
	return st.Run(context.Background())
}
