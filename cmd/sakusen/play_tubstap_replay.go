package main

import (
	"bytes"
	"fmt"
	"os"

	"sakusen/engines/tubstap"
)

// isTubstapReplay tells a replay file (.sgf) from a record of ours.
func isTubstapReplay(text []byte) bool {
	return !bytes.HasPrefix(text, []byte(recordHead)) && bytes.Contains(text, []byte("SIZEX["))
}

// tellTubstapReplay tells a game that a replay file holds, turn by turn. It is
// read whole before a line is printed: a bad file prints nothing.
func (a *app) tellTubstapReplay(file string, text []byte, rules []string) error {
	options, err := tubstapOptions(rules)
	if err != nil {
		return usage(err)
	}
	r, warnings, err := tubstap.ParseRecord(text)
	if err != nil {
		return usage(fmt.Errorf("%s: %w", file, err))
	}
	for _, w := range warnings {
		a.say("%s: %s", file, w)
	}
	colour := a.colour()
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
		return usage(fmt.Errorf("%s: %w", file, err))
	}
	winner, ending := end.Result()
	result := fmt.Sprintf("%v, winner %v", ending, winner)
	if ending == tubstap.Running {
		result = "the record ends before the game does"
	}
	fmt.Fprintf(&b, "\n%s%s, HP %d to %d\n", end.Draw(colour), result, end.HP(tubstap.Red), end.HP(tubstap.Blue))
	_, err = a.out.Write(b.Bytes())
	return err
}

// colour tells whether standard output shows colours.
func (a *app) colour() bool {
	if text, set := a.env("NO_COLOR"); set && text != "" {
		return false
	}
	f, ok := a.out.(*os.File)
	return ok && isTerminal(f)
}
