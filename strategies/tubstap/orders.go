package tubstap

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

// Act implements tubstap.Player: it asks the person until an order can be
// carried out. One who has left or resigned does what no unit can, which ends
// the game.
func (g *general) Act(s *tubstap.State) tubstap.Action {
	for g.err == nil && !g.resign {
		if g.stay {
			return g.act(staying(s, s.FirstUnmoved()))
		}
		var line string
		if line, g.err = g.Ask(g.ctx, fmt.Sprintf("%v (%s)", s.Mover(), waiting(s))); g.err != nil {
			break
		}
		switch line {
		case "map":
			g.Aside()
			g.Show("%s%s", s.Draw(g.Colour), roll(s))
			continue
		case "help":
			g.Aside()
			g.Show("%s", help)
			continue
		case "end":
			g.stay = true
			continue
		case "resign":
			g.resign = true
			continue
		}
		if line == "moves" {
			g.Aside()
			g.Show("moves of which unit? Type moves and its number, as in moves 3\n")
			continue
		}
		if id, ok := strings.CutPrefix(line, "moves "); ok {
			g.Aside()
			g.Show("%s", choices(s, id))
			continue
		}
		a, err := readOrder(s, line)
		if err != nil {
			g.Aside()
			g.Show("%v (type help)\n", err)
			continue
		}
		return g.act(a)
	}
	return stopped()
}

// staying is the action of a unit that stays.
func staying(s *tubstap.State, id int) tubstap.Action {
	u := s.Unit(id)
	return tubstap.Action{Unit: int16(id), X: u.X, Y: u.Y, Target: tubstap.NoUnit}
}

// readOrder reads what a unit is to do, and checks it against the rules.
func readOrder(s *tubstap.State, line string) (tubstap.Action, error) {
	words := strings.Fields(line)
	id, err := strconv.Atoi(words[0])
	if err != nil || id < 0 || id >= s.Units() {
		return stopped(), fmt.Errorf("expected the number of a unit first (%s), got %q", waiting(s), words[0])
	}
	a := staying(s, id)
	for _, w := range words[1:] {
		if target, ok := strings.CutPrefix(w, "x"); ok {
			n, err := strconv.Atoi(target)
			if err != nil || n < 0 || n >= s.Units() {
				return stopped(), fmt.Errorf("expected x and the number of a unit, got %q", w)
			}
			a.Target = int16(n)
			continue
		}
		x, y, ok := strings.Cut(w, ",")
		column, errX := strconv.ParseInt(x, 10, 8)
		row, errY := strconv.ParseInt(y, 10, 8)
		if !ok || errors.Join(errX, errY) != nil {
			return stopped(), fmt.Errorf("expected column,row such as 5,4 or a target such as x7, got %q", w)
		}
		a.X, a.Y = int8(column), int8(row)
	}
	return a, s.Check(a)
}

// waiting is the units that have not acted.
func waiting(s *tubstap.State) string {
	var out []string
	for id := range s.Units() {
		if s.Movable(id) {
			out = append(out, strconv.Itoa(id))
		}
	}
	return "units " + strings.Join(out, " ")
}

// roll is the list of both sides' units.
func roll(s *tubstap.State) string {
	var b strings.Builder
	for _, team := range []tubstap.Team{tubstap.Red, tubstap.Blue} {
		fmt.Fprintf(&b, "%-5v", team)
		for id := range s.Units() {
			if u := s.Unit(id); u.Alive() && u.Team == team {
				fmt.Fprintf(&b, " %d:%s%d@%d,%d", id, u.Kind.Mark(), u.HP, u.X, u.Y)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// choices is what a unit can do.
func choices(s *tubstap.State, text string) string {
	id, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || id < 0 || id >= s.Units() || !s.Movable(id) {
		return fmt.Sprintf("expected one of the %s, got %q\n", waiting(s), text)
	}
	var moves, attacks []string
	for _, a := range s.AppendAll(nil, id) {
		if a.Target == tubstap.NoUnit {
			moves = append(moves, fmt.Sprintf("%d,%d", a.X, a.Y))
			continue
		}
		damage, counter := s.Exchange(a)
		attacks = append(attacks, fmt.Sprintf("%d,%d x%d (hits for %d, takes %d)", a.X, a.Y, a.Target, damage, counter))
	}
	out := "moves: " + strings.Join(moves, " ") + "\n"
	if len(attacks) > 0 {
		out += "attacks: " + strings.Join(attacks, "; ") + "\n"
	}
	return out
}

// isReplay tells a replay file from others.
func isReplay(text []byte) bool { return bytes.Contains(text, []byte("SIZEX[")) }

// tellReplay tells a game that a replay file holds, turn by turn. It is read
// whole before a line is told.
func tellReplay(text []byte, rules param.Values, colour bool) (told string, warnings []string, err error) {
	var options tubstap.Options
	f, err := param.Bind(options.Declare)
	if err != nil {
		return "", nil, err
	}
	for _, v := range rules {
		if v.Name != "antiair_infantry" {
			return "", nil, fmt.Errorf("--rules: expected antiair_infantry, got %s (the file holds the map)", v.Name)
		}
	}
	if _, errs := f.Assign(rules); len(errs) > 0 {
		return "", nil, errors.Join(errs...)
	}
	r, read, err := tubstap.ParseRecord(text)
	if err != nil {
		return "", nil, err
	}
	for _, w := range read {
		warnings = append(warnings, w.String())
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "red %s, blue %s", r.Red, r.Blue)
	if r.Date != "" {
		fmt.Fprintf(&b, ", %s", r.Date)
	}
	b.WriteByte('\n')
	n := 0
	end, err := r.Tell(options.Rules(), tubstap.Watch{
		Turn: func(s *tubstap.State) { fmt.Fprintf(&b, "\n%s", s.Draw(colour)) },
		Step: func(s *tubstap.State, step tubstap.Step) {
			what := "resigns"
			if step.Type == tubstap.TypeTurnEnd {
				what = "ends the turn"
			} else if step.Type != tubstap.TypeResign {
				act, _ := step.Action() // checked before it is told
				what = s.Describe(act)
			}
			fmt.Fprintf(&b, "turn %d, %v: %s\n", s.Counter(), s.Mover(), what)
			for _, c := range r.Remarks {
				if c.Step == n {
					fmt.Fprintf(&b, "  %s\n", c.Text)
				}
			}
			n++
		},
	})
	if err != nil {
		return "", nil, err
	}
	winner, ending := end.Result()
	result := fmt.Sprintf("%v, winner %v", ending, winner)
	if ending == tubstap.Running {
		result = "the record ends before the game does"
	}
	fmt.Fprintf(&b, "\n%s%s, HP %d to %d\n", end.Draw(colour), result, end.HP(tubstap.Red), end.HP(tubstap.Blue))
	return b.String(), warnings, nil
}
