// Analyse answers questions about Daifugo positions written as JSON
// lines: which ranks each player can end with, and which moves no other is
// clearly better than. It is what the command `paper analyse daifugo` runs for every
// line; it does no input or output itself.
//
//	answerLine([]byte(`{"hands":[[1,3],[2],[2]],"table":0,"last":null,"turn":0,"out":[],"ranks":3}`))
//
// returns
//
//	{"ranks":[[1],[2],[3]],"best":[3],"nodes":"18"}
//
// Hands are lists of kinds by seat; table is the kind on the table or 0; last is the seat that
// played last or null. out are the seats without cards in the order they finished; ranks is the
// number K of rank kinds, "K-th or worse". The search is strategies/daifugo's Analyse.

package daifugo

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"sakusen/engines/arena/catalogue"
	"sakusen/engines/daifugo"
	"sakusen/engines/param"
)

// Analyst answers positions for the command line.
func Analyst() *catalogue.Analyst {
	return &catalogue.Analyst{
		Short: "Possible ranks of every player, and the moves that may be chosen",
		Long: `Reads positions, one JSON object a line:

  {"hands":[[1,3],[2],[2]],"table":0,"last":null,"turn":0,"out":[],"ranks":3}

hands are the kinds held by each seat, table the kind on the table or 0, last
the seat that played last, out the seats without cards in the order they
finished, ranks the number of rank kinds. For each position it prints a line

  {"ranks":[[1],[2],[3]],"best":[3],"nodes":"18"}

or {"error":"..."}.`,
		Line: func(line []byte, _ func(string) ([]byte, error)) []byte { return answerLine(line) },
	}
}

// limit is the most nodes an answer may take: a few seconds, and at most 1 GiB
// of table. Three players with seven cards each stay below it.
const limit = 1 << 25

// answer is the answer to one position.
type answer struct {
	Ranks [][]int `json:"ranks"` // possible ranks by seat, ascending
	Best  []any   `json:"best"`  // the moves of S(P), the paper's set of best moves: kinds ascending, then "pass"
	Nodes string  `json:"nodes"` // nodes searched, decimal
}

// answerLine answers one position with one line of JSON without its newline: an
// Answer, or {"error": "..."} for what is no position or took too long.
func answerLine(line []byte) []byte {
	return respond(line, limit)
}

func respond(line []byte, limit uint64) []byte { return catalogue.Answered(jsonPosition(line, limit)) }

func jsonPosition(line []byte, limit uint64) (*answer, error) {
	s, err := parse(line)
	if err != nil {
		return nil, err
	}
	p, err := s.Position()
	if err != nil {
		return nil, err
	}
	a := analyse(p, limit)
	if a.Over {
		return nil, fmt.Errorf("the position takes more than the limit of %d nodes", limit)
	}
	answer := &answer{Ranks: a.Value.Sets(p.Rules()), Best: []any{}, Nodes: strconv.FormatUint(a.Nodes, 10)}
	for _, m := range a.Best {
		if m == daifugo.Pass {
			answer.Best = append(answer.Best, m.String())
		} else {
			answer.Best = append(answer.Best, int(m))
		}
	}
	return answer, nil
}

// parse reads one line of input. Unknown fields, wrong types and anything
// after the object are errors; so are missing hands or ranks.
func parse(line []byte) (s daifugo.Setup, err error) {
	if err = param.Object(line, &s, []string{"hands", "table", "last", "turn", "out", "ranks"}); err == nil && s.Hands == nil {
		err = errors.New("hands: expected a list of hands, got none")
	}
	return s, err
}

// ReadPositions reads positions to value, one a line in the form of analyse
// daifugo, of a game with the given rules. An error names the file and the line.
func ReadPositions(r daifugo.Rules, file string, text []byte) ([]daifugo.Position, error) {
	var asked []daifugo.Position
	for n, line := range bytes.Split(text, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		p, err := readPosition(r, line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n+1, err)
		}
		asked = append(asked, p)
	}
	return asked, nil
}

func readPosition(r daifugo.Rules, line []byte) (daifugo.Position, error) {
	s, err := parse(line)
	if err != nil {
		return daifugo.Position{}, err
	}
	if len(s.Hands) != r.Seats || s.Ranks != r.Ranks {
		return daifugo.Position{}, fmt.Errorf("hands, ranks: expected %d players and %d ranks as in the game that is solved, got %d and %d",
			r.Seats, r.Ranks, len(s.Hands), s.Ranks)
	}
	return s.PositionOf(r.Cards)
}
