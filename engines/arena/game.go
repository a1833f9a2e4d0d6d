package arena

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/param"
)

// Catalogue is the games that there are, in the order in which they are shown.
type Catalogue []*Game

// Elsewhere is the name of the game of programs that play whole games by rules of their
// own; a catalogue has it where one is registered.
const Elsewhere = "external"

// registered says where programs of other people are named.
const registered = "registered: in config.yaml of this folder, with --engine-file, or with the key engines of the study file"

// Game finds a game by name.
func (c Catalogue) Game(name string) (*Game, error) {
	names := make([]string, len(c))
	for i, g := range c {
		if g.Name == name {
			return g, nil
		}
		names[i] = g.Name
	}
	if name == Elsewhere {
		return nil, &UnknownError{"game", name, "the game exists when a program that plays it is " + registered + "; of " + strings.Join(names, ", ") + " there is one"}
	}
	return nil, unknown("game", name, names)
}

// Files are the files that rules may name, on a command line and in files of a user. Others
// must not reach the disk.
type Files struct {
	Read func(path string) ([]byte, error)
	// Tell, unless nil, is told what of a file was left out, for people.
	Tell func(note string)
}

// Reading returns the games with rules that may name files.
func (c Catalogue) Reading(files Files) Catalogue {
	all := make(Catalogue, len(c))
	for i, g := range c {
		all[i] = g.reading(files)
	}
	return all
}

// Definition is what a game tells the arena. R holds the rules' options, P is
// what a player of this game can be asked.
type Definition[R, P any] struct {
	Name   string // lower case, one word or joined by a hyphen
	Doc    string // one sentence
	Source string // author, year, section
	// Reading, unless nil, gives the rules the files which their options may name; where
	// none are allowed there is no function that reads them. It is called before Declare.
	Reading func(r *R, files Files)
	// Declare binds the rules' options.
	Declare func(r *R, f *param.Fields)
	// Check refuses combinations of options; nil means there is nothing to check.
	Check func(r *R) error
	// Seats is the number of players.
	Seats func(r *R) int
	// SeatsOption names the rules' option that sets the number of players, if
	// there is one, so that a match can take it from the number of entrants.
	SeatsOption string
	// Starts, unless nil, is the number of different starting positions under these rules,
	// such as the openings of a book or the maps of a set; 0 means unlimited. The referee
	// then begins from Fixture.Start. A study gives search, final and validation different
	// starts, and knows how many different games players without chance can play.
	Starts func(r *R) int64
	// Blocks, unless nil, is the number of blocks that each phase has under these rules: each
	// is a fixture of its own, and the referee refuses those beyond. Only for unscored games.
	Blocks func(r *R) int64
	// LengthComponent names the component that decides a game of two whose players play alone: the
	// fewer wins, the first seat on a tie. Empty for all other games.
	LengthComponent string
	// FreshChance says that every block draws its chance anew from everything that the game
	// can meet, such as a deal of cards or a throw of dice. Two equal games are then a
	// coincidence, and both count as evidence. Leave it unset where chance picks from a
	// list of openings, or where only the players use chance.
	FreshChance bool
	// Components are the integers that the referee counts for each seat of each
	// game; metrics are made of them.
	Components []string
	// Negative are the components that may be below 0; the others are counts.
	Negative []string
	Metrics  []Metric
	// Unscored games have no winner; only their metrics count.
	Unscored bool
	// PaperName reads a name that the game's paper uses for an entrant; ok is false for any
	// other text. The arena checks the values.
	PaperName func(text string) (strategy string, values param.Values, ok bool)
	// PaperNames says which names PaperName reads: "MPx (mp with x squares)".
	PaperNames string
	// Programs says that programs of other people may play it, once they are registered.
	Programs bool
	// Record, unless nil, writes a game down whose players sit in the seats of these names:
	// see takes its events (Fixture.Watch), text is the game, empty until it has ended. It is
	// for games that cannot be played again.
	Record func(seats []string) (see func(event any), text func() string)
	// Tape, unless nil, has games by the clock played on other machines too: what the players
	// answered comes back, and the referee here checks it.
	Tape *Tape[P]
	// Referee makes a referee for the use of one goroutine.
	Referee func(r *R) (Referee[P], error)
}

// Referee plays games. It is used by one goroutine and reused for many games.
type Referee[P any] interface {
	// Play plays one game to its end and fills in the outcome; players[s] sits in seat s.
	// An illegal move is a fault that decides the game; an error means that the game could
	// not be played at all. If fx.Story is set, the referee tells it the game line by line;
	// if fx.Watch is set, the referee passes it the events.
	Play(fx *Fixture, players []P, out *Outcome) error
}

// Maker makes a player for the use of one goroutine. It is reused for many games, in any
// seat; what it keeps from one game to the next must not change its play.
type Maker[P any] = func() (P, error)

// Made returns the Maker of a player that is there already.
func Made[P any](player P) Maker[P] { return func() (P, error) { return player, nil } }

// Strategy is a way to play: a value in a folder of its own.
type Strategy[R, P any] struct {
	Name   string
	Doc    string // one sentence
	Source string // author, year, section; "ours" if so
	// New declares the parameters of one player, whose space may depend on the rules, and
	// returns what makes it once they have their values.
	New func(f *param.Fields, rules *R) Maker[P]
	// Sign holds values to play the signature with, for strategies whose defaults would
	// take too long: a smaller budget.
	Sign param.Values
	// Identify, unless nil, says that the player is a program from elsewhere, and which one
	// it is under these rules. It may start the program.
	Identify func(rules *R) (Identity, error)
}

// Player makes a player with values of its parameters, the others as they are by default.
func (s *Strategy[R, P]) Player(rules *R, values param.Values) (player P, err error) {
	var made Maker[P]
	if err := param.Set(values, func(f *param.Fields) { made = s.New(f, rules) }); err != nil {
		return player, err
	}
	return made()
}

// Metric is a quantity measured for each entrant: the mean of a component per
// game, or the ratio of two components pooled over all games.
type Metric struct {
	Name  string
	Doc   string  // with its unit
	Of    string  // component
	Per   string  // component of the denominator; empty for a mean per game
	Scale float64 // factor of the printed value; 0 means 1
	Lower bool    // lower is better
}

// Unit returns the unit, with which Doc ends behind its last comma; empty where it is the name.
func (m Metric) Unit() string {
	at := strings.LastIndex(m.Doc, ", ")
	if unit := strings.TrimSuffix(m.Doc[at+1:], " a game"); at >= 0 && unit[1:] != m.Name {
		return unit[1:]
	}
	return ""
}

// Factor returns Scale, or 1 if none is set.
func (m Metric) Factor() float64 {
	if m.Scale == 0 {
		return 1
	}
	return m.Scale
}

// Game is one line of the catalogue: a game and its strategies, with the type
// of its players forgotten.
type Game struct {
	Name       string
	Doc        string
	Source     string
	PaperNames string // which names of its paper are read, empty for none
	Programs   bool   // see Definition
	Strategies []About
	// SeatsOption is the rules' option that sets the number of players, or empty.
	SeatsOption     string
	Unscored        bool
	FreshChance     bool   // see Definition
	LengthComponent string // see Definition
	Metrics         []Metric
	Components      []string                                                       // see Definition
	Negative        []string                                                       // of these, those that may be below 0
	Record          func(seats []string) (see func(event any), text func() string) // see Definition

	bindRules func() (*param.Fields, error)
	open      func(given param.Values) (*Ruleset, []error)
	signed    *signed
	reading   func(Files) *Game
	joining   any // func([]Strategy[R, P]) *Game
}

// Join returns a game with further strategies after its own, such as engines that are
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
	Outside           bool // a program from elsewhere

	sign param.Values
}

// Enter joins a game with its strategies. A mistake in a declaration (a name
// used twice, nothing said about a parameter) is returned by Validate.
func Enter[R, P any](d Definition[R, P], strategies ...Strategy[R, P]) *Game {
	return enter(d, strategies, newSigned(), Files{})
}

// enter does what Enter does, for rules that may name files.
func enter[R, P any](d Definition[R, P], strategies []Strategy[R, P], signatures *signed, files Files) *Game {
	g := &Game{
		Name: d.Name, Doc: d.Doc, Source: d.Source, PaperNames: d.PaperNames, Programs: d.Programs,
		SeatsOption: d.SeatsOption, Unscored: d.Unscored, FreshChance: d.FreshChance, LengthComponent: d.LengthComponent, Metrics: d.Metrics, Components: d.Components, Negative: d.Negative, Record: d.Record, signed: signatures,
	}
	g.reading = func(files Files) *Game { return enter(d, strategies, signatures, files) }
	g.joining = func(more []Strategy[R, P]) *Game {
		return enter(d, append(slices.Clip(strategies), more...), newSigned(), files)
	}
	for _, s := range strategies {
		g.Strategies = append(g.Strategies, About{s.Name, s.Doc, s.Source, s.Identify != nil, s.Sign})
	}
	bind := func() (*R, *param.Fields, error) {
		r := new(R)
		if d.Reading != nil {
			d.Reading(r, files)
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
	if d.Blocks != nil {
		rs.Blocks = max(d.Blocks(r), 0)
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
		return param.Bind(func(f *param.Fields) { s.New(f, r) })
	}
	rs.table = func(entrants []Entrant) (table, error) {
		referee, err := d.Referee(r)
		if err != nil {
			return nil, err
		}
		t := newTable[P](rs, referee, d.Tape, entrants)
		for i, e := range entrants {
			s, ok := find(e.Strategy)
			if !ok {
				return nil, g.unknownStrategy(e.Strategy)
			}
			var made Maker[P]
			f, err := param.Bind(func(f *param.Fields) { made = s.New(f, r) })
			if err != nil {
				return nil, err
			}
			if _, errs := f.Assign(e.Params); len(errs) > 0 {
				return nil, &UnfitError{e.Name, errors.Join(errs...)}
			}
			if t.players[i], err = made(); err != nil {
				return nil, &UnfitError{e.Name, err}
			}
		}
		return t, nil
	}
	if d.Tape != nil {
		rs.replayTapes = func(s *Series, from int64, n int, tapes [][]byte) (*Run, error) {
			referee, err := d.Referee(r)
			if err != nil {
				return nil, err
			}
			return newTable[P](rs, referee, d.Tape, s.Entrants).replayTapes(s, from, n, tapes)
		}
	}
	return rs
}

// Open fixes the rules. All mistakes in the given options are returned.
func (g *Game) Open(rules param.Values) (*Ruleset, []error) {
	rs, errs := g.open(rules)
	return rs, param.OfOptions(errs)
}

// OpenRules does what Open does, and returns all mistakes as one error.
func (g *Game) OpenRules(rules param.Values) (*Ruleset, error) {
	rs, errs := g.Open(rules)
	if len(errs) > 0 {
		return nil, fmt.Errorf("rules of %s: %w", g.Name, errors.Join(errs...))
	}
	return rs, nil
}

// RulesOptions returns the options that the rules declare.
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
	if rs.Blocks > 0 && !g.Unscored {
		return fmt.Errorf("game %s: it has scores, so it declares starts and not blocks", g.Name)
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
	known, ok := err.(*UnknownError)
	if !ok || strings.HasPrefix(known.Hint, "did you mean") {
		return err
	}
	if g.PaperNames != "" {
		known.Hint += "; names of the paper: " + g.PaperNames
	}
	if g.Programs {
		known.Hint += "; a program of your own plays it once it is " + registered
	}
	return err
}

// AllEqual reports whether all entrants play alike, so that the rotations of a
// block are one game.
func AllEqual(entrants []Entrant) bool {
	for _, e := range entrants[1:] {
		if e.Canonical() != entrants[0].Canonical() {
			return false
		}
	}
	return true
}

// Outside reports whether any of the strategies is a program from elsewhere.
func (g *Game) Outside(strategies ...string) bool {
	for _, name := range strategies {
		if g.about(name).Outside {
			return true
		}
	}
	return false
}

// Unclocked returns what games of a program under a limit of fixed depth or nodes do not tell, empty
// for other limits and other players.
func (g *Game) Unclocked(strategy, limit string) string {
	if !g.Outside(strategy) {
		return ""
	}
	switch kind, _, _ := strings.Cut(limit, ":"); kind {
	case "depth":
		return "games of a fixed depth (" + limit + ") tell nothing of options by which the program saves time or uses it, such as those of pruning, reductions and time management: these may do the opposite by the clock (validation.rules proves an answer by the clock)"
	case "nodes":
		return "games of a fixed number of nodes (" + limit + ") tell nothing of options that change how fast the program searches or how it uses its time: these may do the opposite by the clock (validation.rules proves an answer by the clock)"
	}
	return ""
}
