package tubstap

import (
	"fmt"
	"strings"
)

// Turn is one half-turn of a record.
type Turn struct {
	Index int
	Team  Team
	Steps []Step
}

// Remark is a comment a player left; Step counts the record's steps from 0.
type Remark struct {
	Text string
	Step int
}

// ReplayFile is a game as a replay file (.sgf) holds it.
type ReplayFile struct {
	Map     *Map
	Date    string // local date and time, free text
	Rule    string // rule_set_version_0100
	Red     string // player's name
	Blue    string
	Turns   []Turn
	Remarks []Remark
}

// ruleSet is the rule set 0.108 writes.
const ruleSet = "rule_set_version_0100"

// AppendText adds the record in the form of a replay file.
func (r *ReplayFile) AppendText(b []byte) []byte {
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
func ParseRecord(data []byte) (*ReplayFile, []Warning, error) {
	tags, err := scanTags(data)
	if err != nil {
		return nil, nil, err
	}
	m, warnings, err := mapOf(tags)
	if err != nil {
		return nil, nil, err
	}
	r := &ReplayFile{Map: m}
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
				warnings = append(warnings, Warning{Line: t.line, Text: strings.TrimPrefix(odd.Error(), fmt.Sprintf("line %d: ", t.line)) + "; the comment is left out"})
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

func (r *ReplayFile) takeTurn(t tag) (int, error) {
	n, err := t.numbers(0, 1_000_000, "index", "team", "numberOfActions")
	if err != nil {
		return 0, err
	}
	if n[1] > 1 {
		return 0, t.errorf("team %d: want 0 (red) or 1 (blue)", n[1])
	}
	r.Turns = append(r.Turns, Turn{Index: n[0], Team: Team(n[1])})
	return n[2], nil
}

func parseRemark(t tag) (Remark, error) {
	i := strings.LastIndexByte(t.text, ',')
	if i < 0 {
		return Remark{}, t.errorf("want text,step")
	}
	step, err := t.number("step", t.text[i+1:], 0, 1_000_000)
	return Remark{Text: t.text[:i], Step: step}, err
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
