package tubstap

import (
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/arena"
)

// actionType is the type field of a recorded action.
type actionType int

// The types.
const (
	TypeResign  actionType = 0
	typeMove    actionType = 1 // staying included
	typeAttack  actionType = 2 // with or without a move
	TypeTurnEnd actionType = 3
)

// Step is an action as files and the network write it: eleven numbers.
type Step struct {
	Unit             int
	ToX, ToY         int
	FromX, FromY     int
	Target           int // NoUnit for none
	TargetX, TargetY int // 0, 0 without a target
	Type             actionType
	Damage, Counter  int
}

// TurnEnd returns the step that lets every unmoved unit stay.
func TurnEnd() Step { return Step{Unit: -1, ToX: -1, ToY: -1, Target: NoUnit, Type: TypeTurnEnd} }

// Resign returns the step that gives the game to the other side.
func Resign() Step { return Step{Unit: -1, ToX: -1, ToY: -1, Target: NoUnit, Type: TypeResign} }

// Action returns the action of a step of type TypeMove or TypeAttack.
func (s Step) Action() (Action, error) {
	for _, f := range []struct {
		name  string
		value int
	}{{"unit", s.Unit}, {"destX", s.ToX}, {"destY", s.ToY}} {
		if f.value < 0 || f.value > MaxUnits {
			return Action{}, fmt.Errorf("%s %d: want 0 or more, below the size of the map", f.name, f.value)
		}
	}
	if s.ToX >= MaxSize || s.ToY >= MaxSize {
		return Action{}, fmt.Errorf("destination (%d,%d) is off the map", s.ToX, s.ToY)
	}
	a := Action{Unit: int16(s.Unit), X: int8(s.ToX), Y: int8(s.ToY), Target: NoUnit}
	switch s.Type {
	case typeMove:
		return a, nil
	case typeAttack:
		if s.Target < 0 || s.Target >= MaxUnits {
			return Action{}, fmt.Errorf("target %d: an attack needs a unit", s.Target)
		}
		a.Target = int16(s.Target)
		return a, nil
	}
	return Action{}, fmt.Errorf("type %d: want 1 (move) or 2 (attack)", s.Type)
}

// StepOf describes an action before it is done; damage and counter are what
// it will do.
func (s *field) StepOf(a Action) Step {
	u := s.units[a.Unit]
	step := Step{
		Unit: int(a.Unit), ToX: int(a.X), ToY: int(a.Y), FromX: int(u.X), FromY: int(u.Y),
		Target: NoUnit, Type: typeMove,
	}
	if a.Target != NoUnit {
		d := s.units[a.Target]
		step.Type, step.Target, step.TargetX, step.TargetY = typeAttack, int(a.Target), int(d.X), int(d.Y)
		step.Damage, step.Counter = s.Exchange(a)
	}
	return step
}

// AppendText adds the eleven numbers, comma separated.
func (s Step) AppendText(b []byte) []byte {
	for i, n := range [...]int{s.Unit, s.ToX, s.ToY, s.FromX, s.FromY, s.Target, s.TargetX, s.TargetY, int(s.Type), s.Damage, s.Counter} {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return b
}

var stepFields = []string{"unit", "destX", "destY", "fromX", "fromY", "target", "targetX", "targetY", "type", "damage", "counter"}

// ParseStep reads the eleven numbers.
func ParseStep(text string) (Step, error) { return parseStep(tag{name: "ACTION", text: text}) }

func parseStep(t tag) (Step, error) {
	n, err := t.numbers(-1, MaxUnits, stepFields...)
	if err != nil {
		return Step{}, err
	}
	s := Step{
		Unit: n[0], ToX: n[1], ToY: n[2], FromX: n[3], FromY: n[4],
		Target: n[5], TargetX: n[6], TargetY: n[7], Type: actionType(n[8]), Damage: n[9], Counter: n[10],
	}
	if s.Type < TypeResign || s.Type > TypeTurnEnd {
		return Step{}, t.errorf("type %d: want 0 (resign), 1 (move), 2 (attack) or 3 (turn end)", s.Type)
	}
	return s, nil
}

// shake applies the start noise to the units of a map, in id order. First it moves the position
// (left, right, up or down, if that cell is empty and the unit may enter it), then the HP (a
// coin: one up below 10, or one down above 1).
func shake(m *Map, units []Unit, pos, hp bool, chance *arena.Stream) {
	taken := func(x, y int8) bool {
		for _, u := range units {
			if u.X == x && u.Y == y {
				return true
			}
		}
		return false
	}
	for i := range units {
		u := &units[i]
		if pos {
			d := chance.IntN(4)
			x, y := u.X+[4]int8{-1, 1, 0, 0}[d], u.Y+[4]int8{0, 0, -1, 1}[d]
			if m.Playable(int(x), int(y)) && u.Kind.Cost(m.At(int(x), int(y))) < impassable && !taken(x, y) {
				u.X, u.Y = x, y
			}
		}
		if hp {
			switch up := chance.IntN(2) == 0; {
			case up && u.HP < FullHP:
				u.HP++
			case !up && u.HP > 1:
				u.HP--
			}
		}
	}
}

// turn is one half-turn of a record.
type turn struct {
	Index int
	Team  Team
	Steps []Step
}

// remark is a comment a player left; Step counts the record's steps from 0.
type remark struct {
	Text string
	Step int
}

// replayFile is a game as a replay file (.sgf) holds it.
type replayFile struct {
	Map     *Map
	Date    string // local date and time, free text
	Rule    string // rule_set_version_0100
	Red     string // player's name
	Blue    string
	Turns   []turn
	Remarks []remark
}

// ruleSet is the rule set 0.108 writes.
const ruleSet = "rule_set_version_0100"

// AppendText adds the record in the form of a replay file.
func (r *replayFile) AppendText(b []byte) []byte {
	b = r.Map.AppendText(b)
	b = fmt.Appendf(b, "PLAYEDDATE[%s];\nPLAYEDRULE[%s];\nPLAYERRED[%s]PLAYERBLUE[%s];\n", r.Date, r.Rule, r.Red, r.Blue)
	step, remarks := 0, r.Remarks
	for _, t := range r.Turns {
		b = fmt.Appendf(b, "TURNINFO[%d,%d,%d];\n", t.Index, t.Team, len(t.Steps))
		for _, s := range t.Steps {
			b = append(b, "ACTION["...)
			b = s.AppendText(b)
			b = append(b, "];\n"...)
			for len(remarks) > 0 && remarks[0].Step <= step {
				b = fmt.Appendf(b, "COM[%s,%d];\n", remarks[0].Text, remarks[0].Step)
				remarks = remarks[1:]
			}
			step++
		}
	}
	for _, c := range remarks {
		b = fmt.Appendf(b, "COM[%s,%d];\n", c.Text, c.Step)
	}
	return b
}

// ParseRecord reads a replay file. It checks form; Replay checks the game. A comment
// without its step, such as one with a ']' in it, is a warning.
func ParseRecord(data []byte) (*replayFile, []warning, error) {
	tags, err := scanTags(data)
	if err != nil {
		return nil, nil, err
	}
	m, warnings, err := mapOf(tags)
	if err != nil {
		return nil, nil, err
	}
	r := &replayFile{Map: m}
	want := 0 // steps the current turn still lacks
	for _, t := range tags {
		switch t.name {
		case "PLAYEDDATE":
			r.Date = t.text
		case "PLAYEDRULE":
			r.Rule = t.text
		case "PLAYERRED":
			r.Red = t.text
		case "PLAYERBLUE":
			r.Blue = t.text
		case "COM":
			if remark, odd := parseRemark(t); odd != nil {
				warnings = append(warnings, warning{Line: t.line, Text: strings.TrimPrefix(odd.Error(), fmt.Sprintf("line %d: ", t.line)) + "; the comment is left out"})
			} else {
				r.Remarks = append(r.Remarks, remark)
			}
		case "TURNINFO":
			if want > 0 {
				return nil, nil, t.errorf("the turn before lacks %d of its actions", want)
			}
			want, err = r.takeTurn(t)
		case "ACTION":
			if want == 0 {
				return nil, nil, t.errorf("more actions than TURNINFO announced")
			}
			want--
			turn := &r.Turns[len(r.Turns)-1]
			var s Step
			s, err = parseStep(t)
			turn.Steps = append(turn.Steps, s)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if want > 0 {
		return nil, nil, fmt.Errorf("line %d: the last turn lacks %d of its actions", tags[len(tags)-1].line, want)
	}
	return r, warnings, nil
}

func (r *replayFile) takeTurn(t tag) (int, error) {
	n, err := t.numbers(0, 1_000_000, "index", "team", "numberOfActions")
	if err != nil {
		return 0, err
	}
	if n[1] > 1 {
		return 0, t.errorf("team %d: want 0 (red) or 1 (blue)", n[1])
	}
	r.Turns = append(r.Turns, turn{Index: n[0], Team: Team(n[1])})
	return n[2], nil
}

func parseRemark(t tag) (remark, error) {
	i := strings.LastIndexByte(t.text, ',')
	if i < 0 {
		return remark{}, t.errorf("want text,step")
	}
	step, err := t.number("step", t.text[i+1:], 0, 1_000_000)
	return remark{Text: t.text[:i], Step: step}, err
}

// StayAll lets every unmoved unit of the mover stay, by id, and returns
// those actions.
func (s *State) StayAll() []Action {
	var list []Action
	for id := s.FirstUnmoved(); id != NoUnit; id = s.FirstUnmoved() {
		u := s.units[id]
		a := Action{Unit: int16(id), X: u.X, Y: u.Y, Target: NoUnit}
		s.Do(a)
		list = append(list, a)
	}
	return list
}

// Watch hears of a recorded game as it is replayed; either function may be nil.
// The state must not be changed, and is another at the next call.
type Watch struct {
	Turn func(s *State)            // a turn begins
	Step func(s *State, step Step) // a step is about to be done
}

// Replay plays the record from its map under strict legality and returns the
// state it leads to. Damage and counter must be those of the rules; an error
// names the turn and the action.
func (r *replayFile) Replay(rules Rules) (*State, error) { return r.Tell(rules, Watch{}) }

// Tell does what Replay does, with a watcher.
func (r *replayFile) Tell(rules Rules, w Watch) (*State, error) {
	s := r.start(rules)
	for _, t := range r.Turns {
		if t.Index != s.counter || t.Team != s.mover {
			return nil, fmt.Errorf("turn %d of %v: %v is to move in turn %d", t.Index, t.Team, s.mover, s.counter)
		}
		if s.Over() {
			return nil, fmt.Errorf("turn %d: the game is over before it", t.Index)
		}
		if w.Turn != nil {
			w.Turn(s)
		}
		for i, step := range t.Steps {
			if err := w.replay(s, step); err != nil {
				return nil, fmt.Errorf("turn %d, action %d: %w", t.Index, i, err)
			}
		}
		if !s.TurnDone() {
			return nil, fmt.Errorf("turn %d: %d units have not acted", t.Index, s.unmoved[s.mover])
		}
		s.EndTurn()
	}
	return s, nil
}

// replay does a recorded step; damage and counter must be those of the rules.
func (w Watch) replay(s *State, step Step) error {
	var a Action
	if step.Type != TypeResign && step.Type != TypeTurnEnd {
		var err error
		if a, err = step.Action(); err != nil {
			return err
		}
		if err := s.Check(a); err != nil {
			return err
		}
		if want := s.StepOf(a); step != want {
			return fmt.Errorf("recorded as %s, the rules say %s", step.AppendText(nil), want.AppendText(nil))
		}
	}
	if w.Step != nil {
		w.Step(s, step)
	}
	switch step.Type {
	case TypeResign:
		s.resign()
	case TypeTurnEnd:
		s.StayAll()
	default:
		s.Do(a)
	}
	return nil
}

// start returns the state before the first turn of the record.
func (r *replayFile) start(rules Rules) *State {
	if len(r.Turns) == 0 {
		return r.Map.Start(rules)
	}
	return NewState(r.Map, rules, r.Map.Units, r.Turns[0].Team, r.Turns[0].Index)
}
