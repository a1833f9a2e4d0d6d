// Analyse answers questions about positions of Lifeboats written as
// JSON lines: what every option of a vote is worth to a player, by given
// weights, and which options are best. It is what the command `analyse
// lifeboats` runs for every line; it does no input or output itself.
//
//	lifeboats.Line([]byte(`{"phase":"leak","player":3,"weights":{"A1":0.7,...,"X":2},
//	  "boats":[{"state":"afloat","steps":3,"leaks":0,"crew":[1,2,1,1,1]},...]}`))
//
// returns
//
//	{"E":{"0":-0.16,"1":0.32,"2":0.43,"3":-1.34,"4":-0.75,"5":-0.16},"best":[2]}
//
// Options are boats, or players for an expulsion, which also names its boat. All
// weights of the number of players must be there: A1..A3, L1..L3, C2 on, R1 on,
// D and X. full_boat, aboard where it is left out, says what the leak of a full
// boat is worth; expect, which lines of test vectors have, is not looked at. The
// numbers are those of [Model].

package lifeboats

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena/catalogue"
	"sakusen/engines/lifeboats"
	"sakusen/engines/param"
)

// Analyst answers positions for the command line.
func Analyst() *catalogue.Analyst {
	return &catalogue.Analyst{
		Short: "What each option of a vote is worth to a player",
		Long: `Reads positions, one JSON object a line:

  {"phase":"leak","player":3,"weights":{"A1":0.7,...,"D":1,"X":2},
   "boats":[{"state":"afloat","steps":3,"leaks":0,"crew":[1,2,1,1,1]},...]}

The phase is leak, expel (then "boat" is the index of the full boat) or advance;
a state is afloat, home or lost; crew is by player. For each position it prints E for
every option (boats by index, or players for an expulsion), and the best options,

  {"E":{"0":-0.16,"1":0.32,...},"best":[1]}

or {"error":"..."}.`,
		Line: func(line []byte, _ func(string) ([]byte, error)) []byte { return Line(line) },
	}
}

// An Answer is what is said of one position.
type Answer struct {
	E    map[int]float64 `json:"E"`    // by option
	Best []int           `json:"best"` // tied options, ascending
}

// Line answers one position with one line of JSON without its newline: an
// Answer, or {"error": "..."} for what is not a position.
func Line(line []byte) []byte { return catalogue.Answered(position(line)) }

func position(line []byte) (*Answer, error) {
	q, err := parse(line)
	if err != nil {
		return nil, err
	}
	var values lifeboats.Values
	New(&q.weights, q.position.Players).Evaluate(q.position, q.player, &values)
	options := q.position.Options()
	answer := &Answer{E: map[int]float64{}}
	for s := options; s != 0; s = s.Rest() {
		answer.E[s.First()] = values[s.First()]
	}
	for s := lifeboats.Best(&values, options); s != 0; s = s.Rest() {
		answer.Best = append(answer.Best, s.First())
	}
	return answer, nil
}

// question is a line, checked.
type question struct {
	position *lifeboats.Position
	player   int
	weights  Weights
}

// written is a line as it was written; a nil pointer is a missing field.
type written struct {
	Phase    *string            `json:"phase"`
	Player   *int               `json:"player"`
	Weights  map[string]float64 `json:"weights"`
	Boats    []boat             `json:"boats"`
	Boat     *int               `json:"boat"`
	FullBoat string             `json:"full_boat"`
	Expect   json.RawMessage    `json:"expect"`
}

type boat struct {
	State *string `json:"state"`
	Steps *int    `json:"steps"`
	Leaks *int    `json:"leaks"`
	Crew  []int   `json:"crew"`
}

// fieldNames are the names of written and of its boats.
var fieldNames = []string{"phase", "player", "weights", "boats", "boat", "full_boat", "expect", "state", "steps", "leaks", "crew"}

// Bounds of the weights, and of the exponent.
const (
	maxWeight   = 1e6
	maxExponent = 1000
)

func parse(line []byte) (*question, error) {
	w := &written{}
	if err := param.Object(line, w, fieldNames); err != nil {
		return nil, err
	}
	phase, err := w.phase()
	if err != nil {
		return nil, err
	}
	boats, err := w.boats()
	if err != nil {
		return nil, err
	}
	q := &question{}
	expelling := 0
	switch {
	case phase == lifeboats.Expel && w.Boat == nil:
		return nil, errors.New("boat: expected the index of the boat of the expulsion, got nothing")
	case phase != lifeboats.Expel && w.Boat != nil:
		return nil, fmt.Errorf("boat: expected none, as only an expulsion has one, got %d", *w.Boat)
	case w.Boat != nil:
		expelling = *w.Boat
	}
	if q.position, err = lifeboats.NewPosition(boats, phase, expelling); err != nil {
		return nil, err
	}
	players := q.position.Players
	if w.Player == nil || *w.Player < 0 || *w.Player >= players {
		return nil, fmt.Errorf("player: expected 0..%d, got %s", players-1, show(w.Player))
	}
	q.player = *w.Player
	return q, w.weigh(q, players)
}

var phases = map[string]lifeboats.Phase{"leak": lifeboats.Leak, "expel": lifeboats.Expel, "advance": lifeboats.Advance}

func (w *written) phase() (lifeboats.Phase, error) {
	if w.Phase == nil {
		return 0, errors.New("phase: expected leak, expel or advance, got nothing")
	}
	phase, ok := phases[*w.Phase]
	if !ok {
		return 0, fmt.Errorf("phase: expected leak, expel or advance, got %q", *w.Phase)
	}
	return phase, nil
}

func (w *written) boats() ([]lifeboats.Boat, error) {
	var out []lifeboats.Boat
	for i, b := range w.Boats {
		for _, field := range []struct {
			name    string
			missing bool
		}{{"state", b.State == nil}, {"steps", b.Steps == nil}, {"leaks", b.Leaks == nil}, {"crew", b.Crew == nil}} {
			if field.missing {
				return nil, fmt.Errorf("boats[%d].%s: expected a value, got nothing", i, field.name)
			}
		}
		out = append(out, lifeboats.Boat{State: *b.State, Steps: *b.Steps, Leaks: *b.Leaks, Crew: b.Crew})
	}
	return out, nil
}

// weigh reads the weights that the number of players calls for.
func (w *written) weigh(q *question, players int) error {
	q.weights.Full = "aboard"
	if w.FullBoat != "" {
		full := []string{"aboard", "optimistic", "expected"}
		if !slices.Contains(full, w.FullBoat) {
			return fmt.Errorf("full_boat: expected one of %s, got %q", strings.Join(full, ", "), w.FullBoat)
		}
		q.weights.Full = w.FullBoat
	}
	fields := q.weights.fields(players)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		x, ok := w.Weights[name]
		bound := maxWeight
		if name == "X" {
			bound = maxExponent
		}
		switch {
		case !ok:
			return fmt.Errorf("weights.%s: expected a number, got nothing", name)
		case x < -bound || x > bound:
			return fmt.Errorf("weights.%s: expected a number in %g..%g, got %g", name, -bound, bound, x)
		}
		*fields[name] = x
	}
	names := slices.Sorted(maps.Keys(fields))
	for _, name := range slices.Sorted(maps.Keys(w.Weights)) {
		if fields[name] == nil {
			want := "one of " + strings.Join(names, ", ")
			if near, ok := param.Nearest(name, names); ok {
				want = "a weight of " + strconv.Itoa(players) + " players (did you mean " + near + "?)"
			}
			return fmt.Errorf("weights: expected %s, got %s", want, name)
		}
	}
	return nil
}

func show(n *int) string {
	if n == nil {
		return "nothing"
	}
	return strconv.Itoa(*n)
}
