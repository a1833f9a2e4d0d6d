package arena

import "sakusen/engines/param"

// Definition is what a game tells the arena. R holds the rules' options, P is
// what a player of this game can be asked.
type Definition[R, P any] struct {
	Name   string // lower case, one word or joined by a hyphen
	Doc    string // one sentence
	Source string // author, year, section
	// Reading, unless nil, gives the rules a reader of the files that their options
	// may name; a nil reader refuses files. It is called before Declare.
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
	// Starts, unless nil, is the number of different starts under these rules, 0 for
	// no end of them: the openings of a book, the maps of a set. The referee then
	// begins from Fixture.Start, so that a study's search, final and validation
	// never share one, and Sakusen knows how many games there are to be had of
	// players without chance.
	Starts func(r *R) int64
	// FreshChance says that every block's chance is drawn anew from all that the
	// game can meet, so that two equal games are a coincidence and no repetition: a
	// deal of few cards, a few dice. Each then counts. Leave it unset where chance
	// picks from a list of openings, or where players bring the chance.
	FreshChance bool
	// Components are the integers that the referee counts for each seat of each
	// game; metrics are made of them.
	Components []string
	Metrics    []Metric
	// Unscored games have no winner; only their metrics count.
	Unscored bool
	// PaperName reads a name that the game's paper uses for an entrant; ok is
	// false for a text that is none. The values are checked by the arena.
	PaperName func(text string) (strategy string, values param.Values, ok bool)
	// Referee makes a referee for the use of one goroutine.
	Referee func(r *R) (Referee[P], error)
}

// Referee plays games. It is used by one goroutine and reused for many games.
type Referee[P any] interface {
	// Play plays one game to its end and fills in the outcome; players[s] sits
	// in seat s. An illegal move is a fault that decides the game; an error
	// means that the game could not be played at all. Where fx.Story is set, the
	// referee tells the game to it; where fx.Watch is, it shows the events to it.
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
	// Sign holds the values with which the signature is played where the
	// defaults cost too much: a small budget.
	Sign param.Values
	// Identity, unless empty, stands in place of the signature: for a program of
	// somebody else, of whose play its files say more than a few games.
	Identity string
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
