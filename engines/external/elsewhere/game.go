package elsewhere

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Name is the game's name in the catalogue.
const Name = arena.Elsewhere

// Strategy is a program as a strategy of this game.
type Strategy = arena.Strategy[Rules, Player]

// Rules are the options of the game.
type Rules struct{ seats int }

// Seats returns the number of players.
func (r *Rules) Seats() int { return r.seats }

// Player is one side of a game in a program that plays whole games.
type Player interface {
	// Side is what the program is told of the player.
	Side() Side
	// Program names the program; all players of a game must have the same.
	Program() string
	// Play has the program play. The error is a *Fault where the program has not
	// told who was best; any other means that no game can be played at all.
	Play(g *Question) (*Answer, error)
}

// Side is a player as its program is told of it.
type Side struct {
	Name   string // of the strategy
	Params string // a JSON object
}

// Question is a game to be played.
type Question struct {
	Seed  uint64 // the same for the games of a block
	Game  int64  // the game's number in its series, from 0
	Sides []Side // by seat
}

// The components that are counted.
const (
	faultsMade = iota // as the program told
	voided            // the program told no result
	firstMetric
	counted = firstMetric + Metrics
)

// Metrics is how many quantities of its own a program may tell of a game.
const Metrics = 4

// unit is the number of units in which metrics are counted.
const unit = 1e6

// Game returns the game as the arena plays it.
func Game() arena.Definition[Rules, Player] {
	components := make([]string, counted)
	components[faultsMade], components[voided] = "faults", "void"
	metrics := []arena.Metric{
		{Name: "faults", Doc: "errors that the program told of the player, games a game", Of: "faults", Lower: true},
		{Name: "void", Doc: "games without a result, because the program failed; they are drawn, games a game", Of: "void", Lower: true},
	}
	for i := range Metrics {
		name := fmt.Sprintf("metric%d", i+1)
		components[firstMetric+i] = name
		metrics = append(metrics, arena.Metric{
			Name: name, Doc: fmt.Sprintf("number %d of the metrics that the program's entry in the registry lists, a mean over games, %s", i+1, name), Of: name, Scale: 1 / unit,
		})
	}
	return arena.Definition[Rules, Player]{
		Name:   Name,
		Doc:    "A game whose rules a registered program owns: it is asked for whole games.",
		Source: "a program from elsewhere",
		Declare: func(r *Rules, f *param.Fields) {
			f.Int(&r.seats, "seats", 2, param.Range(2, 16), "players at the table")
		},
		Seats:       func(r *Rules) int { return r.seats },
		SeatsOption: "seats",
		FreshChance: true, // each block has a seed of its own
		Components:  components,
		Negative:    components[firstMetric:],
		Metrics:     metrics,
		Referee:     func(r *Rules) (arena.Referee[Player], error) { return referee{}, nil },
	}
}

// Named returns the metrics of a game whose programs tell quantities of these names, a list each by the
// place at which they are counted. A place for which two programs have different names keeps its
// number; one without a name has no metric.
func Named(metrics []arena.Metric, lists ...[]string) []arena.Metric {
	out := slices.Clone(metrics[:firstMetric])
	for i, m := range metrics[firstMetric:] {
		name := ""
		for _, list := range lists {
			switch {
			case i >= len(list) || list[i] == name:
			case name == "" && !slices.ContainsFunc(out, func(m arena.Metric) bool { return m.Name == list[i] }):
				name = list[i]
			default:
				name = m.Name
			}
		}
		if name == "" {
			continue
		}
		if name != m.Name {
			m.Doc = name + " as the program tells it, a mean over games, " + name
		}
		m.Name = name
		out = append(out, m)
	}
	return out
}

// Answer is how a game ended.
type Answer struct {
	Said    string    // the line that told it
	Ranks   []int     // by seat; 1 is best, and equal ranks share
	Errors  []bool    // by seat
	Metrics [][]int64 // of the asked names in order, by seat, in units of 1e-6

	void bool // there is no result
}

// line is an answer as programs write it.
type line struct {
	Ranks   []int                      `json:"ranks"`
	Scores  []*float64                 `json:"scores"`
	Errors  []any                      `json:"errors"`
	Metrics map[string]json.RawMessage `json:"metrics"`
}

// ParseAnswer reads the line that tells a game of so many seats: {"ranks": [1, 2]},
// where 1 is best, or {"scores": [...]}, where more is better. With "errors", a
// number or a switch for each seat, and "metrics" by name, a number for each seat
// or one for all. Names are those of metrics that are wanted.
func ParseAnswer(text string, seats int, names []string) (*Answer, error) {
	var l line
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
			return nil, fmt.Errorf("%s: expected %s, got %s in %.200q", wrong.Field, param.JSONKind(wrong.Type), wrong.Value, text)
		}
		return nil, fmt.Errorf("expected a line of JSON, got %.80q (%w)", text, err)
	}
	a := &Answer{Said: text, Ranks: l.Ranks, Errors: make([]bool, seats)}
	switch {
	case l.Ranks != nil && l.Scores != nil:
		return nil, errors.New("ranks, scores: expected one of the two, got both")
	case l.Scores != nil:
		if len(l.Scores) != seats {
			return nil, fmt.Errorf("scores: expected %d numbers, got %d", seats, len(l.Scores))
		}
		a.Ranks = make([]int, seats)
		for i, x := range l.Scores {
			a.Ranks[i] = 1
			for _, y := range l.Scores {
				if x == nil || y == nil {
					return nil, errors.New("scores: expected numbers, got null")
				}
				if *y > *x {
					a.Ranks[i]++
				}
			}
		}
	case len(l.Ranks) != seats:
		return nil, fmt.Errorf("ranks: expected %d integers, got %d", seats, len(l.Ranks))
	}
	best := a.Ranks[0]
	for _, r := range a.Ranks {
		if r < 0 || r > seats {
			return nil, fmt.Errorf("ranks: expected 1 to %d, got %d", seats, r)
		}
		best = min(best, r)
	}
	for i := range a.Ranks { // those that count from 0 are understood
		a.Ranks[i] += 1 - best
	}
	if l.Errors != nil && len(l.Errors) != seats {
		return nil, fmt.Errorf("errors: expected %d, got %d", seats, len(l.Errors))
	}
	for i, e := range l.Errors {
		switch e := e.(type) {
		case bool:
			a.Errors[i] = e
		case float64:
			a.Errors[i] = e != 0
		default:
			return nil, fmt.Errorf("errors: expected numbers or true and false, got %v", e)
		}
	}
	for _, name := range names {
		row, err := metric(l.Metrics[name], seats)
		if err != nil {
			return nil, fmt.Errorf("metrics: %s: %w", name, err)
		}
		a.Metrics = append(a.Metrics, row)
	}
	return a, nil
}

// ParseTold reads what a person or a cluster tells of a game: as ParseAnswer, and nothing in it
// may be open to doubt. Ranks are 1 to the number of seats and one at least is first, errors are 0, 1,
// true or false, no value is null, each key stands once, and no key or metric is unknown.
func ParseTold(text string, seats int, names []string) (*Answer, error) {
	if !json.Valid([]byte(text)) { // or deeper than is read
		return nil, fmt.Errorf("expected JSON, got %.80q", text)
	}
	if err := plainKeys(json.NewDecoder(strings.NewReader(text))); err != nil {
		return nil, err
	}
	var l struct {
		Ranks   []json.RawMessage
		Scores  []json.RawMessage
		Errors  []any
		Metrics map[string]json.RawMessage
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return nil, fmt.Errorf("expected ranks or scores, errors and metrics, got %.80q (%w)", text, err)
	}
	for _, e := range l.Errors {
		switch e {
		case 0.0, 1.0, true, false:
		default:
			return nil, fmt.Errorf("errors: expected 0, 1, true or false, got %v", e)
		}
	}
	for name := range l.Metrics {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("metrics: expected %s, got %.80q", strings.Join(append(names, "no others"), ", "), name)
		}
	}
	a, err := ParseAnswer(text, seats, names)
	for i, r := range l.Ranks {
		if err == nil && string(r) != fmt.Sprint(a.Ranks[i]) { // it was moved up to begin with 1
			err = fmt.Errorf("ranks: expected 1 to %d with a 1 among them, got %.80s", seats, r)
		}
	}
	return a, err
}

// plainKeys returns an error where a document has a null, or a mapping of it a key twice.
func plainKeys(d *json.Decoder) error {
	token, err := d.Token()
	switch {
	case err != nil:
		return fmt.Errorf("expected JSON: %w", err)
	case token == nil:
		return errors.New("expected no null")
	case token != json.Delim('{') && token != json.Delim('['):
		return nil
	}
	seen := map[string]bool{}
	for d.More() {
		if token == json.Delim('{') {
			key, err := d.Token()
			name := strings.ToLower(fmt.Sprint(key)) // as they are read
			if err != nil || seen[name] {
				return fmt.Errorf("expected each key once, got %.80q again", name)
			}
			seen[name] = true
		}
		if err := plainKeys(d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// metric reads a quantity, of each seat or of all.
func metric(text json.RawMessage, seats int) ([]int64, error) {
	if text == nil {
		return nil, errors.New("expected a number, got nothing")
	}
	if bytes.Contains(text, []byte("null")) {
		return nil, fmt.Errorf("expected a number or %d numbers, got %.80s", seats, text)
	}
	var each []float64
	var one float64
	if json.Unmarshal(text, &one) == nil {
		for range seats {
			each = append(each, one)
		}
	} else if err := json.Unmarshal(text, &each); err != nil || len(each) != seats {
		return nil, fmt.Errorf("expected a number or %d numbers, got %.80s", seats, text)
	}
	row := make([]int64, seats)
	for i, x := range each {
		if !(math.Abs(x) <= 1e9) {
			return nil, fmt.Errorf("expected a number up to 1e9, got %g", x)
		}
		row[i] = int64(math.Round(x * unit))
	}
	return row, nil
}

// seeding is the purpose of the stream that gives a block its seed.
const seeding arena.Purpose = 0

// Fault says that a program was asked for a game and told no result.
type Fault struct {
	Kind string // crash, stall or garbage
	Said string
}

func (f *Fault) Error() string { return f.Kind + ": " + f.Said }

// referee asks programs for games.
type referee struct{}

// Play implements arena.Referee.
func (referee) Play(fx *arena.Fixture, players []Player, out *arena.Outcome) error {
	chance := fx.Chance(seeding)
	q := Question{Seed: chance.Uint64(), Game: fx.Block*int64(len(players)) + int64(fx.Rotation)}
	for _, p := range players {
		if p.Program() != players[0].Program() {
			return fmt.Errorf("players of one game belong to one program, which knows its rules: got %s and %s", players[0].Program(), p.Program())
		}
		q.Sides = append(q.Sides, p.Side())
	}
	if fx.Story != nil {
		fx.Story(fmt.Sprintf("seed %d", q.Seed))
		for seat, s := range q.Sides {
			fx.Story(fmt.Sprintf("seat %d: %s %s", seat+1, s.Name, s.Params))
		}
	}
	a, err := players[0].Play(&q)
	var fault *Fault
	if errors.As(err, &fault) {
		a = &Answer{Said: fault.Error(), Ranks: make([]int, len(players)), Errors: make([]bool, len(players)), void: true}
		for seat := range players {
			a.Ranks[seat] = 1
		}
	} else if err != nil {
		return err
	}
	out.Transcript.Add(q.Seed)
	h := fnv.New64a()
	h.Write([]byte(a.Said))
	out.Transcript.Add(h.Sum64())
	out.Share(func(seat int) bool { return a.Ranks[seat] == 1 })
	for seat := range players {
		counts := out.Counts(seat)
		if a.void {
			counts[voided]++
		}
		if a.Errors[seat] {
			out.Faults[seat] = true
			counts[faultsMade]++
		}
		for i := range a.Metrics {
			counts[firstMetric+i] = a.Metrics[i][seat]
		}
	}
	if fx.Story != nil {
		fx.Story(a.Said)
	}
	if fx.Watch != nil {
		fx.Watch(*a)
	}
	return nil
}
