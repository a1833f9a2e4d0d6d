// Analyse answers questions about Battleship positions written as JSON
// lines: how many placements of the fleet would have given exactly the answers
// so far, and how many of them have a ship on each square not shot. It is what
// the command `paper analyse battleship` runs for every line; it does no input or
// output itself.
//
//	battleship.Line([]byte(`{"size":2,"fleet":{"boat":2},"shots":[{"at":"a1","result":"miss"}]}`))
//
// returns
//
//	{"placements":"2","squares":{"a2":"1","b1":"1","b2":"2"},"best":["b2"]}
//
// A fleet is an object of classes and lengths, or a list of lengths; then a
// sunk ship is named by its length, and it stays open which of several it was.
// Shots are in the order they were fired. Counts are decimal strings, because
// they exceed 2^53. The numbers come from package count.

package battleship

import (
	"errors"
	"fmt"

	"sakusen/engines/arena/catalogue"
	"sakusen/engines/battleship"
	"sakusen/strategies/battleship/count"
)

// Analyst answers positions for the command line.
func Analyst() *catalogue.Analyst {
	return &catalogue.Analyst{
		Short: "Placements of the fleet that agree with the answers, square by square",
		Long: `Reads positions, one JSON object a line:

  {"size":10,"fleet":{"carrier":5,"battleship":4,"cruiser":3,"submarine":3,"destroyer":2},
   "shots":[{"at":"e5","result":"hit"},{"at":"e6","result":"miss"}]}

The shots are in the order fired; a result is miss, hit, or sunk with "ship",
the class. "fleet":[5,4,3,3,2] gives ships no names; "ship" is then the length.
For each position it prints the number of placements that would have given exactly these
results, and for each square not shot how many of these placements have a ship there,

  {"placements":"120","squares":{"a1":"7",...},"best":["e4"]}

or {"error":"..."}, which names the shot that contradicts the others.

Fleets have up to 12 ships. Five are counted in milliseconds, six or seven on
16 x 16 squares in seconds. A position that would take more than about 90 seconds of one
core, or nearly 2 GB of memory, is refused at once. An example is ten ships
(5,4,4,3,3,3,2,2,2,2) on 16 x 16 squares with hardly a shot fired.`,
		Line: func(line []byte, _ func(string) ([]byte, error)) []byte { return Line(line) },
	}
}

// limit returns the most that the count of an answer may take: about a minute and a half of one
// core, and memory such that a process stays near 2 GiB. Empty boards of 16 x 16 squares do not
// exceed it with seven ships, with eight such as 5, 4, 3, 3, 2, 2, 2, 2 or with twelve of two
// squares, ships of one square not counted. With ten such as 5, 4, 4, 3, 3, 3, 2, 2, 2, 2 they
// exceed it until 80 random shots have missed or fewer have hit, but not on 10 x 10.
func limit() count.Effort { return count.Effort{Steps: 6e10, Bytes: 1.8e9} }

// An answer is what is said of one position.
type answer struct {
	Placements string            `json:"placements"` // ships told apart
	Squares    map[string]string `json:"squares"`    // placements with a ship there, squares not shot only
	Best       []string          `json:"best"`       // squares with the greatest count above 0, in board order
}

// Line answers one position, {"size", "fleet", "shots"}, with one line of JSON
// without its newline: an Answer, or {"error": "..."} for what is not a
// position or cannot have come about.
func Line(line []byte) []byte {
	return respond(line, limit())
}

func respond(line []byte, limit count.Effort) []byte {
	return catalogue.Answered(position(line, limit))
}

func position(line []byte, limit count.Effort) (*answer, error) {
	p, err := parse(line)
	if err != nil {
		return nil, err
	}
	k := p.after(len(p.shots))
	c := count.New(p.board)
	if p.twice != nil {
		if some, known := c.Possible(k, limit); known && !some {
			return nil, p.contradiction(c, limit)
		}
		return nil, p.twice
	}
	if e := c.Effort(k); e.Steps > limit.Steps || e.Bytes > limit.Bytes {
		return nil, p.tooMuch(k, e, limit)
	}
	c.Count(k)
	if c.Total().IsZero() {
		return nil, p.contradiction(c, limit)
	}
	answer := &answer{Placements: c.Total().String(), Squares: map[string]string{}, Best: []string{}}
	for s := range k.Unshot().All() {
		answer.Squares[p.board.Name(s)] = c.At(s).String()
	}
	best, _ := c.Best()
	for s := range best.All() {
		answer.Best = append(answer.Best, p.board.Name(s))
	}
	return answer, nil
}

// tooMuch returns an error that says why a position would take too long to count; empty if
// it would not.
func (p *setting) tooMuch(k *battleship.Knowledge, e, limit count.Effort) error {
	takes := "no way is known to count them"
	switch {
	case e.Steps > 1e15:
	case e.Steps > limit.Steps:
		takes = fmt.Sprintf("to count them takes %.3g steps, the limit is %.3g", e.Steps, limit.Steps)
	default:
		takes = fmt.Sprintf("to count them takes %.3g bytes of memory, the limit is %.3g", e.Bytes, limit.Bytes)
	}
	return fmt.Errorf("too many placements: %d ships are afloat, %d squares not shot, and %s; it gets easier with every answer",
		k.Afloat(), k.Unshot().Len(), takes)
}

// after returns what is known after the first n shots.
func (p *setting) after(n int) *battleship.Knowledge {
	k := battleship.NewKnowledge(p.board, p.fleet)
	for _, shot := range p.shots[:n] {
		k.Record(shot.at, shot.answer)
	}
	return k
}

// contradiction names the first shot after which no placement is left, in a position that
// has none. Placements only get fewer, so it is a binary search.
func (p *setting) contradiction(c *count.Counter, limit count.Effort) error {
	possible, none := -1, len(p.shots)
	for none-possible > 1 {
		middle := (possible + none) / 2
		some, known := c.Possible(p.after(middle), limit)
		if !known {
			return errors.New("the answers contradict each other or the fleet: no placement gives them all; which shot is the first at fault takes too long to find")
		}
		if some {
			possible = middle
		} else {
			none = middle
		}
	}
	if none == 0 {
		return errors.New("fleet: it does not fit the board")
	}
	if none == 1 {
		return fmt.Errorf("shot 1 at %s: %s contradicts the fleet: no placement gives it", p.board.Name(p.shots[0].at), p.said(0))
	}
	return fmt.Errorf("shot %d at %s: %s contradicts the earlier answers: no placement of the fleet gives it after them",
		none, p.board.Name(p.shots[none-1].at), p.said(none-1))
}

// said returns an answer in words.
func (p *setting) said(shot int) string {
	switch answer := p.shots[shot].answer; answer {
	case battleship.Miss:
		return "miss"
	case battleship.Hit:
		return "hit"
	default:
		ship, _ := answer.Ship()
		if p.nameless {
			return fmt.Sprintf("sunk ship of length %d", p.fleet.Length(ship))
		}
		return "sunk " + p.fleet.Ship(ship).Class
	}
}
