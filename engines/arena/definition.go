package arena

import "sakusen/engines/param"

// Definition is what a game tells the arena. R holds the rules' options, P is
// what a player of this game can be asked.
type Definition[R, P any] struct {
	Name   string // lower case, one word or joined by a hyphen
	Doc    string // one sentence
	Source string // author, year, section
	// Reading, unless nil, gives the rules a function that reads the files which their
	// options may name. The function is nil where files are not allowed. Reading is called
	// before Declare.
	Reading func(r *R, read func(path string) ([]byte, error))
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
	// Race names the component that decides a game of two whose players play alone: the
	// fewer wins, the first seat on a tie. Empty for all other games.
	Race string
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
	// Record, unless nil, writes a game down whose players sit in the seats of these names:
	// see takes its events (Fixture.Watch), text is the game, empty until it has ended. It is
	// for games that cannot be played again.
	Record func(seats []string) (see func(event any), text func() string)
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

// Config is a strategy's parameters and the maker of its players.
type Config[R, P any] interface {
	// Declare binds the parameters; the space may depend on the rules.
	Declare(f *param.Fields, rules *R)
	// Player makes a player for the use of one goroutine. It is reused for many
	// games, in any seat; what it keeps from one game to the next must not
	// change its play.
	Player(rules *R) (P, error)
}

// Strategy is a way to play: a value in a folder of its own.
type Strategy[R, P any] struct {
	Name   string
	Doc    string // one sentence
	Source string // author, year, section; "ours" if so
	New    func() Config[R, P]
	// Sign holds values to play the signature with, for strategies whose defaults would
	// take too long: a smaller budget.
	Sign param.Values
	// Identify, unless nil, says that the player is a program of somebody else, and
	// which one it is under these rules. It may start the program.
	Identify func(rules *R) (Identity, error)
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

// Factor is Scale, or 1 where none is set.
func (m Metric) Factor() float64 {
	if m.Scale == 0 {
		return 1
	}
	return m.Scale
}
