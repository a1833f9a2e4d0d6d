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
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/lifeboats"
)

// Analyst answers positions for the command line.
func Analyst() *catalogue.Analyst {
	return &catalogue.Analyst{
		Short: "What each option of a vote is worth to a player",
		Long: `Reads positions, one JSON object a line:

  {"phase":"leak","player":3,"weights":{"A1":0.7,...,"D":1,"X":2},
   "boats":[{"state":"afloat","steps":3,"leaks":0,"crew":[1,2,1,1,1]},...]}

The phase is leak, expel (then "boat" is the index of the full boat) or advance;
a state is afloat, home or lost; crew is by player. Answers each with E for every
option, boats by index or players for an expulsion, and the best of them,

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
