package arenatest

import (
	"fmt"
	"strings"

	"sakusen/engines/arena"
)

// Finding is what a check says of a game.
type Finding struct {
	Check   string // its name
	Warning bool   // something to look at, no broken promise
	Text    string
}

// Inspect tries a game as Run does, outside of a test, and returns every promise
// that it breaks and every warning. Playthroughs are left out.
func Inspect(g *arena.Game, o Options) ([]Finding, error) {
	o.Golden = ""
	c, err := newBattery(g, o)
	if err != nil {
		return nil, err
	}
	var all []Finding
	for _, check := range c.checks() {
		l := &list{check: check.name}
		l.run(check.try)
		all = append(all, l.found...)
		if check.first && l.failed {
			break
		}
	}
	return all, nil
}

// list gathers what a check reports. It implements T.
type list struct {
	check  string
	found  []Finding
	failed bool
}

// givenUp is what a check that cannot go on panics with.
type givenUp struct{}

// run runs a check to its end, or to where it gives up; a panic of the game is a
// finding.
func (l *list) run(try func(T)) {
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(givenUp); !ok {
				l.Error("panic: ", v)
			}
		}
	}()
	try(l)
}

func (l *list) Helper() {}

func (l *list) Error(args ...any) { l.add(fmt.Sprint(args...)) }

func (l *list) Errorf(format string, args ...any) { l.add(fmt.Sprintf(format, args...)) }

func (l *list) Fatal(args ...any) {
	l.add(fmt.Sprint(args...))
	panic(givenUp{})
}

func (l *list) Fatalf(format string, args ...any) {
	l.add(fmt.Sprintf(format, args...))
	panic(givenUp{})
}

// Logf keeps warnings; other lines are for people who read a test's output.
func (l *list) Logf(format string, args ...any) {
	if text, ok := strings.CutPrefix(fmt.Sprintf(format, args...), "warning: "); ok {
		l.found = append(l.found, Finding{l.check, true, text})
	}
}

// add notes a broken promise.
func (l *list) add(text string) {
	l.failed = true
	l.found = append(l.found, Finding{Check: l.check, Text: text})
}
