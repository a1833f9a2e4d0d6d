package arenatest

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/suite"
)

var update = flag.Bool("update", false, "rewrite golden files")

// Options say how a game is tried.
type Options struct {
	Rules param.Values
	// Entrants are texts of entrants; each is tried alone and all are mixed.
	Entrants []string
	// Blocks is the length of a series, 16 where it is 0.
	Blocks int64
	// Golden is the file of the playthrough of block 0 by the first entrants.
	Golden string
	// Seed of all series, 1 where it is 0.
	Seed uint64
	// Limit is how long one block may take before the game is said not to end, a
	// minute where it is 0.
	Limit time.Duration
	// Most is the length of the long run in blocks, 1 000 where it is 0.
	Most int64
	// Quiet are the parameters and rule options, by name, that are known not to change
	// every game, such as limits that are rarely reached.
	Quiet []string
}

// Run tries a game.
func Run(t *testing.T, g *arena.Game, o Options) {
	t.Helper()
	c, err := newBattery(g, o)
	if err == nil && suite.Few() {
		c.patience /= 4
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range c.checks() {
		if ok := t.Run(check.name, func(t *testing.T) { check.try(t) }); !ok && check.first {
			return // nothing else can be tried
		}
	}
}

// newBattery opens the game and reads the entrants.
func newBattery(g *arena.Game, o Options) (*battery, error) {
	o.Blocks = cmp.Or(o.Blocks, 16)
	o.Seed = cmp.Or(o.Seed, 1)
	o.Most = cmp.Or(o.Most, longBlocks)
	o.Limit = cmp.Or(o.Limit, time.Minute)
	if err := g.Validate(); err != nil {
		return nil, err
	}
	rs, errs := g.Open(o.Rules)
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if len(o.Entrants) == 0 {
		return nil, errors.New("arenatest: expected at least one entrant")
	}
	c := &battery{rules: rs, Options: o, patience: patience}
	for _, text := range o.Entrants {
		e, err := rs.Entrant(text)
		if err != nil {
			return nil, err
		}
		c.entrants = append(c.entrants, e)
	}
	return c, nil
}

// T is what a check reports to: a *testing.T, or a list of findings.
type T interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
}

// check is one promise.
type check struct {
	name string
	try  func(t T)
	// first marks a check without which the others make no sense: if it fails they are not
	// run.
	first bool
}

// checks returns all promises, in the order in which they are tried.
func (c *battery) checks() []check {
	all := []check{
		{name: "ends", try: c.ends, first: true},
		{name: "workers", try: c.workers},
		{name: "again", try: c.again},
		{name: "split", try: c.split},
		{name: "rotation", try: c.rotation},
		{name: "mirror", try: c.mirror},
		{name: "scores", try: c.scores},
		{name: "long run", try: c.longRun},
		{name: "transcript", try: c.transcript},
		{name: "seed and phase", try: c.chance},
		{name: "streams", try: c.streams},
		{name: "values that are read", try: c.read},
		{name: "rules that are read", try: c.readRules},
		{name: "watched", try: c.watched},
		{name: "illegal values", try: c.illegalValues},
		{name: "canonical", try: c.canonical},
		{name: "signature", try: c.signature},
	}
	if c.Golden != "" {
		all = append(all, check{name: "playthrough", try: c.playthrough})
	}
	return all
}

type battery struct {
	Options
	rules    *arena.Ruleset
	entrants []arena.Entrant
	// patience is the time for playing all values of the parameters, or of the rules,
	// together, and for the long run; what is left after it is not tried.
	patience time.Duration
}

// series seats the entrants in turn, beginning with number shift.
func (c *battery) series(shift int) arena.Series {
	s := arena.Series{Ruleset: c.rules, Seed: c.Seed, Phase: arena.Match, To: c.Blocks}
	for i := range c.rules.Seats {
		s.Entrants = append(s.Entrants, c.entrants[(i+shift)%len(c.entrants)])
	}
	return s
}

// play plays a series and returns its tally and its runs as one list of games.
func play(t T, workers int, s arena.Series) (arena.Tally, []*arena.Run) {
	t.Helper()
	var runs []*arena.Run
	tally, err := arena.NewPool(workers).Play(context.Background(), s, func(r *arena.Run) error {
		runs = append(runs, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tally, runs
}

// workers checks that 1, 2 and 8 workers give the same blocks.
func (c *battery) workers(t T) {
	for shift := range c.entrants {
		s := c.series(shift)
		one, _ := play(t, 1, s)
		for _, n := range []int{2, 8} {
			if many, _ := play(t, n, s); !reflect.DeepEqual(one, many) {
				t.Errorf("%d workers and 1 give different tallies of %s", n, s.Entrants[0].Name)
			}
		}
	}
}

// split checks that a series played in parts, in the wrong order and by new players, adds
// up to the whole.
func (c *battery) split(t T) {
	s := c.series(0)
	whole, _ := play(t, 1, s)
	cut := c.Blocks / 3
	second, first := s, s
	second.From, first.To = cut, cut
	a, _ := play(t, 2, second)
	b, _ := play(t, 1, first)
	if err := a.Merge(b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(whole, a) {
		t.Error("the parts of a series do not add up to the whole: a player carries something from game to game")
	}
}

// rotation checks that the entrants in another cyclic order play the same games.
func (c *battery) rotation(t T) {
	s := c.series(0)
	k := c.rules.Seats
	_, runs := play(t, 1, s)
	if runs[0].Rotations != k {
		return // mirror blocks
	}
	turned := s
	turned.Entrants = append(append([]arena.Entrant(nil), s.Entrants[k-1]), s.Entrants[:k-1]...)
	_, turnedRuns := play(t, 1, turned)
	ours, theirs := digests(runs), digests(turnedRuns)
	for b := range len(ours) / k {
		for rot := range k {
			// Entrant e of s is entrant e+1 of turned: its rotation 1 is our 2.
			if ours[b*k+(rot+1)%k] != theirs[b*k+rot] {
				t.Fatalf("block %d, rotation %d: the games differ when the same entrants sit in the same seats", b, rot)
			}
		}
	}
}

// digests returns those of all games of some runs.
func digests(runs []*arena.Run) []uint64 {
	var all []uint64
	for _, r := range runs {
		all = append(all, r.Digests...)
	}
	return all
}

// mirror checks that an entrant against itself plays one game a block, and scores the same
// as every other.
func (c *battery) mirror(t T) {
	for _, e := range c.entrants {
		s := c.series(0)
		for i := range s.Entrants {
			s.Entrants[i] = e
		}
		tally, runs := play(t, 2, s)
		if tally.Games != c.Blocks {
			t.Errorf("%s against itself: %d games in %d blocks", e.Name, tally.Games, c.Blocks)
		}
		if c.rules.Seats > 1 && !runs[0].Mirror() {
			t.Errorf("%s against itself is not labelled mirror", e.Name)
		}
		for i := range tally.Entrants {
			if !reflect.DeepEqual(tally.Entrants[i].Scores, tally.Entrants[0].Scores) {
				t.Errorf("%s against itself: entrant %d scores otherwise than entrant 0", e.Name, i)
			}
		}
	}
}

// scores checks that the shares of a game add up to one game, and that no move is illegal.
func (c *battery) scores(t T) {
	for shift := range c.entrants {
		_, runs := play(t, 1, c.series(shift))
		for _, r := range runs {
			if err := c.legal(r); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// legal holds the games of a run to the rules of scoring.
func (c *battery) legal(r *arena.Run) error {
	for b := range r.Blocks {
		for rot := range r.Rotations {
			sum, where := int64(0), fmt.Sprintf("block %d, rotation %d", r.From+int64(b), rot)
			for seat := range r.Seats {
				g := r.Game(b, rot, seat)
				sum += g[0]
				if g[1] != 0 {
					return fmt.Errorf("%s: a fault in seat %d", where, seat)
				}
				if g[0] < 0 || g[0] > arena.Scale(r.Seats) {
					return fmt.Errorf("%s: seat %d scores %d of %d", where, seat, g[0], arena.Scale(r.Seats))
				}
			}
			if !c.rules.Game.Unscored && sum != arena.Scale(r.Seats) {
				return fmt.Errorf("%s: scores add up to %d of %d", where, sum, arena.Scale(r.Seats))
			}
		}
	}
	return c.rules.Game.Possible(r)
}

// illegalValues checks that every mistake in an entrant is reported.
func (c *battery) illegalValues(t T) {
	for _, about := range c.rules.Game.Strategies {
		space, err := c.rules.Space(about.Name)
		if err != nil {
			t.Fatal(err)
		}
		given := param.Values{{Name: "no_such_parameter", Text: "1"}}
		for _, p := range space {
			given = append(given, param.Value{Name: p.Name, Text: "no such value"})
		}
		_, err = c.rules.NewEntrant(about.Name, about.Name, given)
		if err == nil {
			t.Fatalf("%s takes impossible values", about.Name)
		}
		for _, v := range given {
			if !strings.Contains(err.Error(), v.Name) && !strings.Contains(err.Error(), "no_such_parameter") {
				t.Errorf("%s: the error does not speak of %s: %v", about.Name, v.Name, err)
			}
		}
		if got, want := strings.Count(err.Error(), "\n")+1, len(given); got != want { // one line each
			t.Errorf("%s: %d of %d mistakes reported: %v", about.Name, got, want, err)
		}
	}
	if _, err := c.rules.Entrant("no such strategy"); err == nil {
		t.Error("an unknown strategy is accepted")
	}
}

// canonical checks that an entrant's canonical text reads back as the same entrant.
func (c *battery) canonical(t T) {
	for _, e := range c.entrants {
		back, err := c.rules.Entrant(e.Canonical())
		if err != nil {
			t.Fatal(err)
		}
		if back.Canonical() != e.Canonical() || back.Hash() != e.Hash() {
			t.Errorf("%s reads back as %s", e.Canonical(), back.Canonical())
		}
	}
}

// signature checks that a signature computed twice is the same, and that strategies differ in it.
func (c *battery) signature(t T) {
	for _, about := range c.rules.Game.Strategies {
		a, err := c.rules.Signature(context.Background(), about.Name)
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := c.rules.Signature(context.Background(), about.Name); a != b {
			t.Errorf("%s: signatures %s and %s", about.Name, a, b)
		}
	}
}

// playthrough compares the story of one game with a golden file.
func (c *battery) playthrough(t T) {
	s := c.series(0)
	s.To = 1
	var story strings.Builder
	s.Story = func(line string) { story.WriteString(line + "\n") }
	play(t, 1, s)
	if *update {
		if err := os.MkdirAll(filepath.Dir(c.Golden), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(c.Golden, []byte(story.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(c.Golden)
	if err != nil {
		t.Fatal(err)
	}
	if story.String() != string(want) {
		t.Errorf("the playthrough differs from %s (rewrite it with -update and read the diff):\n%s", c.Golden, story.String())
	}
	if len(story.String()) == 0 {
		t.Error("the referee tells no story")
	}
}
