package arena

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"sakusen/engines/param"
)

// Ruleset is a game under fixed rules. It is immutable and safe for concurrent
// use.
type Ruleset struct {
	Game       *Game
	Rules      param.Values // canonical
	Seats      int
	Components []string
	Starts     int64 // different starts, 0 for no end of them
	Blocks     int64 // that each phase has, 0 for no end of them

	paperName   func(text string) (string, param.Values, bool)
	bind        func(strategy string) (*param.Fields, error)
	identify    func(strategy string) (Identity, error) // of a program from elsewhere
	table       func(entrants []Entrant) (table, error)
	replayTapes func(s *Series, from int64, n int, tapes [][]byte) (*Run, error) // nil where games are not noted
}

// Hash identifies the game and its rules: the lower-case hexadecimal sha256 of
// the game's name and the rules' canonical hash.
func (rs *Ruleset) Hash() string {
	sum := sha256.Sum256([]byte(rs.Game.Name + "\n" + rs.Rules.Hash() + "\n"))
	return hex.EncodeToString(sum[:])
}

// Space returns the parameters that a strategy declares under these rules.
func (rs *Ruleset) Space(strategy string) ([]param.Param, error) {
	f, err := rs.bind(strategy)
	if err != nil {
		return nil, err
	}
	return f.Params(), nil
}

// WhyAbsent returns why a strategy has no parameter of a name, empty where that is not known.
func (rs *Ruleset) WhyAbsent(strategy, name string) string {
	if f, err := rs.bind(strategy); err == nil {
		return f.WhyAbsent(name)
	}
	return ""
}

// Component returns the index of a component, -1 if the game does not count it.
func (rs *Ruleset) Component(name string) int {
	for i, c := range rs.Components {
		if c == name {
			return i
		}
	}
	return -1
}

// Metric finds a metric of the game.
func (rs *Ruleset) Metric(name string) (Metric, error) {
	names := make([]string, len(rs.Game.Metrics))
	for i, m := range rs.Game.Metrics {
		if m.Name == name {
			return m, nil
		}
		names[i] = m.Name
	}
	return Metric{}, fmt.Errorf("unknown metric of %s: %q (expected one of %s)", rs.Game.Name, name, strings.Join(names, ", "))
}

// Recorded reports why games of the strategies under these rules cannot be played
// again, empty where they can.
func (rs *Ruleset) Recorded(strategies ...string) (string, error) {
	for _, name := range strategies {
		if !rs.Game.Outside(name) {
			continue
		}
		if id, err := rs.identify(name); err != nil || id.Recorded != "" {
			return id.Recorded, err
		}
	}
	return "", nil
}

// Try makes the players of a game, for all seats, and returns why one of them cannot play: an
// [*UnfitError]. Programs are tried as before a game; nothing is played.
func (rs *Ruleset) Try(entrants []Entrant) error {
	_, err := rs.table(entrants)
	return err
}

// Setup returns what is told beside a result of how an external program plays, such as
// "Threads=1 Hash=16MB"; empty for a strategy of ours.
func (rs *Ruleset) Setup(strategy string) (string, error) {
	if !rs.Game.Outside(strategy) {
		return "", nil
	}
	id, err := rs.identify(strategy)
	return id.Setup, err
}

// UnknownError says that a catalogue has nothing of a name.
type UnknownError struct {
	What string // what was looked for: "game", "strategy of battleship"
	Name string // as given
	Hint string // which names there are: "did you mean mp?"
}

// Error reads `unknown strategy of battleship: "mpp" (did you mean mp?)`.
func (e *UnknownError) Error() string {
	if e.What == "game" {
		return fmt.Sprintf("unknown game %q (%s)", e.Name, e.Hint)
	}
	return fmt.Sprintf("unknown %s: %q (%s)", e.What, e.Name, e.Hint)
}

func unknown(what, name string, known []string) error {
	if near, ok := param.Nearest(name, known); ok {
		return &UnknownError{what, name, "did you mean " + near + "?"}
	}
	return &UnknownError{what, name, "expected one of " + strings.Join(known, ", ")}
}

// UnfitError says that an entrant cannot play under the rules, as a placement
// whose ships do not fit on the board.
type UnfitError struct {
	Entrant string // its name
	Err     error
}

func (e *UnfitError) Error() string { return "entrant " + e.Entrant + ": " + e.Err.Error() }

// Unwrap returns why.
func (e *UnfitError) Unwrap() error { return e.Err }

// playedBlocks is the number of blocks of each of the two pairings that Played uses to
// compare entrants: about a hundredth of a validation.
const playedBlocks = 8

// Played returns the signature of an entrant's play, as sixteen hexadecimal digits: the
// fold of the transcript digests of its games with itself and, unless it is that,
// with its strategy's defaults, over fixed fixtures. Two entrants that play alike
// there have the same, however far their values lie apart; a value moved by less
// than play can tell moves nothing. It is worked out once in the life of the game.
func (rs *Ruleset) Played(ctx context.Context, e Entrant) (string, error) {
	if rs.Game.Outside(e.Strategy) { // whose games may cost much, and be no two alike
		id, err := rs.identify(e.Strategy)
		sum := sha256.Sum256([]byte(id.Hash + "\n" + e.Canonical()))
		return hex.EncodeToString(sum[:8]), err
	}
	key := rs.Hash() + " played " + e.Canonical()
	return rs.Game.signed.get(ctx, key, func(ctx context.Context) (string, error) { return rs.played(ctx, e) })
}

func (rs *Ruleset) played(ctx context.Context, e Entrant) (string, error) {
	defaults, err := rs.NewEntrant(e.Strategy, e.Strategy, nil)
	if err != nil {
		return "", fmt.Errorf("signature of %s: %w", e.Canonical(), err)
	}
	opponents := []Entrant{e}
	if defaults.Canonical() != e.Canonical() {
		opponents = append(opponents, defaults)
	}
	d, h := newSlot(), uint64(0)
	for _, o := range opponents {
		if h, err = rs.signed(ctx, d, h, playedBlocks, e, o); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%016x", h), nil
}

// Below: the starts of games that have finitely many, such as openings of a book or maps
// of a set.

// parts are the shares of the starts that each phase of a study takes, in twentieths: the
// search half, the final a tenth, the validation the rest. No start is in two parts,
// whatever the seeds: the answer is proved on starts that the search has not seen.
var parts = [...]struct{ from, to int64 }{
	Match:      {0, 20},
	Tune:       {0, 10},
	Final:      {10, 12},
	Validation: {12, 20},
}

// Supply returns the number of different starts or blocks that a phase can draw from, or 0
// where there is no end of them. Tune, Final and Validation have disjoint parts;
// a Match draws from all.
func (rs *Ruleset) Supply(p Phase) int64 {
	if rs.Blocks > 0 {
		return rs.Blocks
	}
	from, to := part(rs.Starts, p)
	return to - from
}

// part returns the range of places that a phase takes in the fixed order of n starts.
func part(n int64, p Phase) (from, to int64) {
	if int(p) >= len(parts) {
		p = Match
	}
	return cut(n, parts[p].from), cut(n, parts[p].to)
}

// cut returns n at/20, rounded, without leaving 64 bits.
func cut(n, at int64) int64 { return n/20*at + (n%20*at+10)/20 }

// Start returns which of the game's starts this game begins from, in [0, Starts): for
// a game whose Definition says how many there are. Blocks of one seed and phase
// meet no start twice before they have met each once; the games of a block, and
// all entrants, meet the same one. It is -1 where the game has no end of starts,
// and where a phase's part of very few is empty it is one of all.
func (f *Fixture) Start() int64 {
	if f.Streams != nil {
		f.Streams(-1, Starting)
	}
	if f.Starts <= 0 {
		return -1
	}
	from, to := part(f.Starts, f.Phase)
	if to == from {
		from, to = 0, f.Starts
	}
	size := to - from
	round := f.Block / size
	place := from + permuted(f.Block%size, size, f.Seed^mix(uint64(round)+gamma)^uint64(f.Phase)<<56)
	return permuted(place, f.Starts, 0) // the same for every seed
}

// Starting is the purpose under which Fixture.Streams is told of Start.
const Starting Purpose = 1<<32 - 1

// permuted returns where i goes in a permutation of 0..n-1 that the key chooses: a
// Feistel network over the next power of four, walked until it is back inside
// (Black and Rogaway, Ciphers with Arbitrary Finite Domains, 2002).
func permuted(i, n int64, key uint64) int64 {
	half := 1
	for int64(1)<<(2*half) < n {
		half++
	}
	mask := uint64(1)<<half - 1
	x := uint64(i)
	for {
		left, right := x>>half, x&mask
		for round := range uint64(6) {
			left, right = right, left^(mix(right+key+(round+1)*gamma)&mask)
		}
		if x = left<<half | right; x < uint64(n) {
			return int64(x)
		}
	}
}

// UnlikeError says how games of a program differ that must be the same.
type UnlikeError struct{ Text string }

// Error returns how they differ, and what can be done.
func (e *UnlikeError) Error() string { return e.Text }
