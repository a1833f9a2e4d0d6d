package desk

import (
	"bytes"
	"errors"
	"fmt"

	"sakusen/engines/param"
	"sakusen/engines/tubstap"
)

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
