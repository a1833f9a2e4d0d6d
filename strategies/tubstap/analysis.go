// Analyse answers questions about TUBSTAP positions, one line of
// JSON for one line of JSON: what units can do, how complex the position is,
// what the best single action is and, if asked, what M-UCT finds.
//
//	out := answerLine([]byte(`{"map":"own02","turn":0,"team":0,"units":[...],
//		"muct":{"seed":"31000","sims":300,"mode":"reference"}}`), nil)
//
// A line that cannot be answered gives {"error":"..."}.
//
// Source: the form of the program's recorded positions
// (engines/tubstap/testdata).

package tubstap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"sakusen/engines/arena/catalogue"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

// Analyst answers positions for the command line; a map may be named by its path.
func Analyst() *catalogue.Analyst {
	return &catalogue.Analyst{
		Short: "Legal actions, the one-ply choice and M-UCT's tree",
		Long: `Reads positions, one JSON object a line, with the fields map (the name of an
embedded map, a path, or the text of a map), turn, team and units, and answers
each with u (what every unmoved unit of the side to move can do), log10est (the
estimated number of legal moves, decimal logarithm) and best (the best single
action). With "muct":{"seed":"31000","sims":300,"mode":"reference"} also root,
chosen, maxDepth and rngAfter. A line with a mistake is answered with {"error":"..."}.`,
		Line: func(line []byte, read func(path string) ([]byte, error)) []byte {
			return answerLine(line, func(path string) (*tubstap.Map, error) { return tubstap.ReadMap(path, read) })
		},
	}
}

// question is a line of input. Units left out are the map's at its start.
type question struct {
	tubstap.Position
	AntiAirInfantry int         `json:"antiair_infantry"` // 105 or 115
	Muct            *muctAnswer `json:"muct"`
}

// muctAnswer asks for a search.
type muctAnswer struct {
	Seed      param.Seed `json:"seed"`
	Sims      int        `json:"sims"`
	Mode      string     `json:"mode"`
	Expansion *int       `json:"expansion"`
	C         *float64   `json:"c"`
	Attack    *int       `json:"attack_rate"`
}

// jsonAnswer is a line of output.
type jsonAnswer struct {
	Units []unitAnswer `json:"u"`
	Log10 float64      `json:"log10est"`
	Best  jsonBest     `json:"best"`
	*searchAnswer
}

// unitAnswer is what one unmoved unit of the side to move can do.
type unitAnswer struct {
	ID    int      `json:"id"`
	Reach [][2]int `json:"reach"` // end cells, by column
	Atk   [][4]int `json:"atk"`   // unit, destination, target; without damage too
	NEff  int      `json:"nEff"`  // |A(s,u)|
	NAll  int      `json:"nAll"`  // with attacks without damage
}

// jsonBest is the best single action: an attack and its value, or the move of
// each unmoved unit if chance should choose it.
type jsonBest struct {
	Threat [][2]int `json:"threat"` // enemy id, damage
	Attack *[4]int  `json:"attack"`
	Value  *int     `json:"value,omitempty"`
	Moves  [][4]int `json:"moves,omitempty"`
}

// searchAnswer is what M-UCT found.
type searchAnswer struct {
	Root     [][2]json.Number `json:"root"` // visits, sum of rewards
	Chosen   [4]int           `json:"chosen"`
	MaxDepth int              `json:"maxDepth"`
	RngAfter string           `json:"rngAfter"`
}

// answerLine answers one line. load reads a map named by a path; nil refuses paths.
func answerLine(line []byte, load func(path string) (*tubstap.Map, error)) []byte {
	return catalogue.Answered(answer(line, load))
}

func answer(line []byte, load func(string) (*tubstap.Map, error)) (*jsonAnswer, error) {
	var q question
	d := json.NewDecoder(bytes.NewReader(line))
	if err := d.Decode(&q); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value on the line")
	}
	if err := param.Misspelt(line, []string{"map", "turn", "team", "units", "antiair_infantry", "muct"}); err != nil {
		return nil, err
	}
	rules := tubstap.Rules{AntiAirInfantry: q.AntiAirInfantry}
	if err := rules.Check(); err != nil {
		return nil, err
	}
	s, err := q.State(rules, load)
	if err != nil {
		return nil, err
	}
	a := &jsonAnswer{Units: units(s), Log10: s.LogMoves(s.Mover()), Best: best(s)}
	if q.Muct != nil {
		if a.searchAnswer, err = q.Muct.search(s); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func units(s *tubstap.State) []unitAnswer {
	out := []unitAnswer{}
	var list []tubstap.Action
	for id := range s.Units() {
		if !s.Movable(id) {
			continue
		}
		u := unitAnswer{ID: id, Atk: [][4]int{}}
		list = s.AppendMoves(list[:0], id)
		for _, a := range list {
			u.Reach = append(u.Reach, [2]int{int(a.X), int(a.Y)})
		}
		list = s.AppendAttacks(list[:0], id)
		for _, a := range list {
			u.Atk = append(u.Atk, quad(a))
		}
		u.NEff = len(s.AppendActions(list[:0], id))
		u.NAll = len(u.Reach) + len(u.Atk)
		out = append(out, u)
	}
	return out
}

func best(s *tubstap.State) jsonBest {
	var p singlePlayer
	b := jsonBest{Threat: [][2]int{}}
	for _, t := range p.threatsTo(s) {
		b.Threat = append(b.Threat, [2]int{t.Enemy, t.Damage})
	}
	if c := p.choose(s); c.Attacks {
		attack := quad(c.Action)
		b.Attack, b.Value = &attack, &c.Value
		return b
	}
	for id := range s.Units() {
		if s.Movable(id) {
			b.Moves = append(b.Moves, quad(p.walk(s, id)))
		}
	}
	return b
}

// maxSims bounds a question's search, in playouts.
const maxSims = 10_000_000

func (m *muctAnswer) search(s *tubstap.State) (*searchAnswer, error) {
	set := MuctProgram()
	set.Simulations, set.Mode = m.Sims, m.Mode
	if m.Expansion != nil {
		set.Expansion = *m.Expansion
	}
	if m.C != nil {
		set.C = *m.C
	}
	if m.Attack != nil {
		set.Attack = *m.Attack
	}
	switch {
	case m.Mode != "" && m.Mode != reference && m.Mode != corrected:
		return nil, fmt.Errorf("muct: mode %q: want reference or corrected", m.Mode)
	case m.Sims < 1 || m.Sims > maxSims:
		return nil, fmt.Errorf("muct: sims %d: want 1 to %d", m.Sims, maxSims)
	case set.Expansion < 0 || set.Attack < 0 || set.Attack > 100 || !(set.C >= 0):
		return nil, errors.New("muct: expansion, c and attack_rate: want 0 or more, attack_rate at most 100")
	case s.TurnDone() || s.Over():
		return nil, errors.New("muct: the side to move has no unit to act with, or the game is over")
	}
	search := muctSearch{MuctSettings: set}
	out := &searchAnswer{Chosen: quad(search.runFrom(s, uint64(m.Seed)))}
	for _, c := range search.rootChildren() {
		total := strconv.FormatFloat(float64(c.Halves)/2, 'f', -1, 64)
		out.Root = append(out.Root, [2]json.Number{json.Number(strconv.Itoa(c.Visits)), json.Number(total)})
	}
	out.MaxDepth, out.RngAfter = search.deepest(), strconv.FormatUint(search.generator(), 10)
	return out, nil
}

func quad(a tubstap.Action) [4]int {
	return [4]int{int(a.Unit), int(a.X), int(a.Y), int(a.Target)}
}
