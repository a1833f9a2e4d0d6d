package arena

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/param"
)

// Game is one line of the catalogue: a game and its strategies, with the type
// of its players forgotten.
type Game struct {
	Name       string
	Doc        string
	Source     string
	PaperNames string // which names of its paper are read, empty for none
	Strategies []About
	// SeatsOption is the rules' option that sets the number of players, or empty.
	SeatsOption string
	Unscored    bool
	FreshChance bool   // see Definition
	Race        string // see Definition
	Metrics     []Metric
	Components  []string                                                       // see Definition
	Negative    []string                                                       // of these, those that may be below 0
	Record      func(seats []string) (see func(event any), text func() string) // see Definition

	bindRules func() (*param.Fields, error)
	open      func(given param.Values) (*Ruleset, []error)
	signed    *signed
	reading   func(read func(path string) ([]byte, error)) *Game
	joining   any // func([]Strategy[R, P]) *Game
}

// Reading is the game for a command line or for files of a user: its rules may
// name files, which read reads. Others must not reach the disk.
func (g *Game) Reading(read func(path string) ([]byte, error)) *Game { return g.reading(read) }

// Join is a game with further strategies after its own, such as engines that are
// known only when the program runs.
func Join[R, P any](g *Game, more ...Strategy[R, P]) (*Game, error) {
	join, ok := g.joining.(func([]Strategy[R, P]) *Game)
	if !ok {
		return nil, fmt.Errorf("game %s: expected strategies of this game, got some of another", g.Name)
	}
	for _, s := range more {
		if g.has(s.Name) {
			return nil, fmt.Errorf("game %s has a strategy %s of its own: choose another name", g.Name, s.Name)
		}
	}
	return join(more), nil
}

// About describes a strategy.
type About struct {
	Name, Doc, Source string
	Outside           bool // a program of somebody else

	sign param.Values
}

// Enter joins a game with its strategies. A mistake in a declaration (a name
// used twice, nothing said about a parameter) is returned by Validate.
func Enter[R, P any](d Definition[R, P], strategies ...Strategy[R, P]) *Game {
	return enter(d, strategies, newSigned(), nil)
}

// enter is Enter for rules that may name files, which are read by read; a nil read refuses
// them.
func enter[R, P any](d Definition[R, P], strategies []Strategy[R, P], signatures *signed, read func(path string) ([]byte, error)) *Game {
	g := &Game{
		Name: d.Name, Doc: d.Doc, Source: d.Source, PaperNames: d.PaperNames,
		SeatsOption: d.SeatsOption, Unscored: d.Unscored, FreshChance: d.FreshChance, Race: d.Race, Metrics: d.Metrics, Components: d.Components, Negative: d.Negative, Record: d.Record, signed: signatures,
	}
	g.reading = func(read func(path string) ([]byte, error)) *Game { return enter(d, strategies, signatures, read) }
	g.joining = func(more []Strategy[R, P]) *Game {
		return enter(d, append(slices.Clip(strategies), more...), newSigned(), read)
	}
	for _, s := range strategies {
		g.Strategies = append(g.Strategies, About{s.Name, s.Doc, s.Source, s.Identify != nil, s.Sign})
	}
	bind := func() (*R, *param.Fields, error) {
		r := new(R)
		if d.Reading != nil {
			d.Reading(r, read)
		}
		f, err := param.Bind(func(f *param.Fields) {
			if d.Declare != nil {
				d.Declare(r, f)
			}
		})
		return r, f, err
	}
	g.bindRules = func() (*param.Fields, error) { _, f, err := bind(); return f, err }
	g.open = func(given param.Values) (*Ruleset, []error) {
		r, f, err := bind()
		if err != nil {
			return nil, []error{err}
		}
		values, errs := f.Assign(given)
		if len(errs) > 0 {
			return nil, errs
		}
		if d.Check != nil {
			if err := d.Check(r); err != nil {
				return nil, []error{err}
			}
		}
		return newRuleset(g, d, strategies, r, values), nil
	}
	return g
}

// newRuleset returns a Ruleset whose functions keep the game's types; the Ruleset itself
// has none.
func newRuleset[R, P any](g *Game, d Definition[R, P], strategies []Strategy[R, P], r *R, values param.Values) *Ruleset {
	find := func(name string) (Strategy[R, P], bool) {
		for _, s := range strategies {
			if s.Name == name {
				return s, true
			}
		}
		return Strategy[R, P]{}, false
	}
	rs := &Ruleset{Game: g, Rules: values, Seats: d.Seats(r), Components: d.Components, paperName: d.PaperName}
	if d.Starts != nil {
		rs.Starts = max(d.Starts(r), 0)
	}
	rs.identify = func(strategy string) (Identity, error) {
		s, _ := find(strategy)
		return s.Identify(r)
	}
	rs.bind = func(strategy string) (*param.Fields, error) {
		s, ok := find(strategy)
		if !ok {
			return nil, g.unknownStrategy(strategy)
		}
		c := s.New()
		return param.Bind(func(f *param.Fields) { c.Declare(f, r) })
	}
	rs.table = func(entrants []Entrant) (table, error) {
		referee, err := d.Referee(r)
		if err != nil {
			return nil, err
		}
		t := &typedTable[P]{referee: referee, out: NewOutcome(rs.Seats, len(d.Components)), mirror: AllEqual(entrants), void: rs.Component(VoidComponent)}
		t.players = make([]P, len(entrants))
		t.seated = make([]P, len(entrants))
		for i, e := range entrants {
			s, ok := find(e.Strategy)
			if !ok {
				return nil, g.unknownStrategy(e.Strategy)
			}
			c := s.New()
			f, err := param.Bind(func(f *param.Fields) { c.Declare(f, r) })
			if err != nil {
				return nil, err
			}
			if _, errs := f.Assign(e.Params); len(errs) > 0 {
				return nil, &UnfitError{e.Name, errors.Join(errs...)}
			}
			if t.players[i], err = c.Player(r); err != nil {
				return nil, &UnfitError{e.Name, err}
			}
		}
		return t, nil
	}
	return rs
}

// Open fixes the rules. All mistakes in the given options are returned.
func (g *Game) Open(rules param.Values) (*Ruleset, []error) {
	rs, errs := g.open(rules)
	return rs, param.OfOptions(errs)
}

// OpenRules is Open with all mistakes in one error.
func (g *Game) OpenRules(rules param.Values) (*Ruleset, error) {
	rs, errs := g.Open(rules)
	if len(errs) > 0 {
		return nil, fmt.Errorf("rules of %s: %w", g.Name, errors.Join(errs...))
	}
	return rs, nil
}

// RulesOptions are the options that the rules declare.
func (g *Game) RulesOptions() ([]param.Param, error) {
	f, err := g.bindRules()
	if err != nil {
		return nil, err
	}
	return f.Params(), nil
}

// Validate checks the declarations of the game and of all its strategies under
// the default rules.
func (g *Game) Validate() error {
	rs, errs := g.Open(nil)
	if len(errs) > 0 {
		return fmt.Errorf("game %s: %w", g.Name, errors.Join(errs...))
	}
	if g.Name == "" || g.Doc == "" {
		return fmt.Errorf("game %q: a game needs a name and one sentence of documentation", g.Name)
	}
	components := map[string]bool{}
	for _, c := range rs.Components {
		components[c] = true
	}
	for _, m := range g.Metrics {
		if m.Doc == "" || !components[m.Of] || m.Per != "" && !components[m.Per] {
			return fmt.Errorf("game %s: metric %s needs documentation and components that the game counts", g.Name, m.Name)
		}
	}
	seen := map[string]bool{}
	for _, s := range g.Strategies {
		if s.Name == "" || s.Doc == "" || s.Source == "" || seen[s.Name] {
			return fmt.Errorf("game %s: strategy %q needs a name of its own, documentation and a source", g.Name, s.Name)
		}
		seen[s.Name] = true
		if _, err := rs.Space(s.Name); err != nil {
			return fmt.Errorf("game %s: strategy %s: %w", g.Name, s.Name, err)
		}
	}
	return nil
}

func (g *Game) unknownStrategy(name string) error {
	names := make([]string, len(g.Strategies))
	for i, s := range g.Strategies {
		names[i] = s.Name
	}
	err := unknown("strategy of "+g.Name, name, names)
	if known, ok := err.(*UnknownError); ok && g.PaperNames != "" && !strings.HasPrefix(known.Hint, "did you mean") {
		known.Hint += "; names of the paper: " + g.PaperNames
	}
	return err
}

// AllEqual tells whether all entrants play alike, so that the rotations of a
// block are one game.
func AllEqual(entrants []Entrant) bool {
	for _, e := range entrants[1:] {
		if e.Canonical() != entrants[0].Canonical() {
			return false
		}
	}
	return true
}

// Outside tells whether any of the strategies is a program of somebody else.
func (g *Game) Outside(strategies ...string) bool {
	for _, name := range strategies {
		if g.about(name).Outside {
			return true
		}
	}
	return false
}
