package match

import (
	"errors"
	"fmt"
	"hash"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner/entry"
	"sakusen/tuner/stats"
)

// Match is a match that is to be played, or was.
type Match struct {
	Series arena.Series
	Test   *stats.Test // nil: a fixed number of blocks
	// AllPairs has the test judge all pairs of games, of a race between two; see
	// [stats.Place].
	AllPairs bool
	// Unrepeatable says that programs of other people take part, which need not play
	// the same twice.
	Unrepeatable bool
	// Progress, unless nil, is told after every run that the blocks before `to`
	// are played and how many games the run had; running says what is known so far.
	Progress func(to, games int64, running func() string)
	// Interrupted says that Play was ended before its time.
	Interrupted bool

	// StopAlike ends a test for its second hypothesis where the entrants have played
	// the same games in so many blocks that the first cannot be weaker.
	StopAlike bool

	Tally arena.Tally  // of what was played
	Look  stats.Result // the test's last look

	sum    hash.Hash // of the digest's lines
	line   []byte
	seen   arena.Seen
	race   *entry.Race // of a game that is one
	differ bool        // some block had different games in its rotations
	posted int64       // blocks that other clients say they have played
}

// Posted is the worker of blocks that a daemon holds because a client has posted
// them: nobody has seen them being played.
const Posted = "posted"

// New is a match of so many blocks between entrants in the forms that people
// write. Where the rules leave the number of seats open, there are as many as
// entrants; entrants of the same name are numbered.
func New(game *arena.Game, rules param.Values, entrants []string, seed uint64, blocks int64) (*Match, error) {
	rs, err := game.OpenRules(Seats(game, rules, len(entrants)))
	if err != nil {
		return nil, err
	}
	m := &Match{Series: arena.Series{Ruleset: rs, Seed: seed, Phase: arena.Match, To: blocks}}
	for _, text := range entrants {
		e, err := rs.Entrant(text)
		if err != nil {
			return nil, err
		}
		m.Series.Entrants = append(m.Series.Entrants, e)
	}
	m.Series.Entrants = arena.Distinct(m.Series.Entrants)
	return m, nil
}

// Seats is the rules with the number of seats taken from the number of entrants
// where the rules leave it open.
func Seats(game *arena.Game, rules param.Values, entrants int) param.Values {
	if game.SeatsOption == "" {
		return rules
	}
	if _, given := rules.Get(game.SeatsOption); given {
		return rules
	}
	return append(rules, param.Value{Name: game.SeatsOption, Text: strconv.Itoa(entrants)})
}

// CheckTest says why a sequential test, where there is one, cannot decide this
// match.
func (m *Match) CheckTest() error {
	if m.Test == nil {
		return nil
	}
	if m.Series.Ruleset.Game.Unscored {
		return fmt.Errorf("expected a game with a winner, %s has only metrics", m.Series.Ruleset.Game.Name)
	}
	if m.AllPairs && entry.NewRace(m.Series.Ruleset) == nil {
		return fmt.Errorf("all pairs: expected a game of two who play alone and the faster wins, as Battleship, got %s", m.Series.Ruleset.Game.Name)
	}
	if m.candidate() != 0 && !m.Mirror() && m.Series.Ruleset.Seats != 2 {
		return errors.New("with more than two seats, expected the first entrant against others that are all the same")
	}
	return nil
}

// Mirror tells whether all entrants are the same, so that the seats decide.
func (m *Match) Mirror() bool {
	return len(m.Series.Entrants) > 1 && arena.AllEqual(m.Series.Entrants)
}

// candidate is the index of the one entrant that meets equals, -1 if there is
// none. Of two entrants it is the first.
func (m *Match) candidate() int {
	count := map[string]int{}
	for _, e := range m.Series.Entrants {
		count[e.Canonical()]++
	}
	if len(count) != 2 {
		return -1
	}
	for i, e := range m.Series.Entrants {
		if count[e.Canonical()] == 1 {
			return i
		}
	}
	return -1
}
