package external

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/external/process"
	"sakusen/engines/lines"
)

// Deadlines are how long a program may take where no clock says so; zeros take the
// defaults.
type Deadlines struct {
	Start time.Duration // from its start to the end of the handshake: 10 s
	Ready time.Duration // for "isready": 60 s
	Move  time.Duration // for a move: 60 s
	Stop  time.Duration // to answer "stop", and beyond its time for a move: 2 s
}

func (d Deadlines) withDefaults() Deadlines {
	for _, x := range []struct {
		at  *time.Duration
		def time.Duration
	}{{&d.Start, 10 * time.Second}, {&d.Ready, time.Minute}, {&d.Move, time.Minute}, {&d.Stop, 2 * time.Second}} {
		if *x.at <= 0 {
			*x.at = x.def
		}
	}
	return d
}

// uciProgram is what to start and how to speak with it.
type uciProgram struct {
	Command   process.Command
	Dialect   dialect // the zero one is UCI
	Deadlines Deadlines
}

// mostOptions bounds what a program may offer.
const mostOptions = 10000

// uciEngine is a running program that has shaken hands. It is used by one goroutine at
// a time. After a fault it is of no use but to be closed.
type uciEngine struct {
	Name    string // as it calls itself
	Author  string
	Options []option
	// LeftOut are the options that are not understood: they cannot be set.
	LeftOut lines.LeftOut

	child   *process.Child
	program uciProgram
	options map[string]*option // by lower-case name
	values  map[string]string  // as set, by the same
	// searches that it was asked for, and moves that it has told beside its answers
	searches, unasked int
}

// startUCI starts a program and exchanges uci and uciok with it. The error is a *Fault
// where the program was started and went wrong.
func startUCI(k *process.Keeper, p uciProgram) (*uciEngine, error) {
	if p.Dialect.Name == "" {
		p.Dialect = dialects[0]
	}
	p.Deadlines = p.Deadlines.withDefaults()
	child, err := k.Start(p.Command)
	if err != nil {
		return nil, err
	}
	e := &uciEngine{child: child, program: p, options: map[string]*option{}, values: map[string]string{}}
	if err := e.shakeHands(); err != nil {
		e.Close()
		return nil, unmet(p.Command, err)
	}
	return e, nil
}

func (e *uciEngine) shakeHands() error {
	deadline := time.Now().Add(e.program.Deadlines.Start)
	if err := e.send(e.program.Dialect.hello, deadline); err != nil {
		return err
	}
	first := map[string]int{} // the lines that options stand in, by lower-case names
	offered, last := 0, ""
	for number := 1; ; number++ {
		line, err := e.read(deadline)
		if err != nil {
			return awaited(e.program.Dialect.agreed, last, err)
		}
		last = line
		word, rest := cutWord(line)
		switch word {
		case e.program.Dialect.agreed:
			for i := range e.Options {
				e.options[strings.ToLower(e.Options[i].Name)] = &e.Options[i]
			}
			return nil
		case "id":
			switch what, text := cutWord(lines.Latin(rest)); what {
			case "name":
				e.Name = text
			case "author":
				e.Author = text
			}
		case "option":
			if offered++; offered > mostOptions {
				e.LeftOut.Add(number, "option", fmt.Sprintf("at most %d options", mostOptions), "one more")
				continue
			}
			o, why := parseOption(line)
			name := strings.ToLower(o.Name)
			if at, twice := first[name]; twice {
				why = &oddity{"each option once", fmt.Sprintf("that of line %d again", at)}
			}
			if why != nil {
				if slices.ContainsFunc(conventions[:], func(c Setting) bool { return strings.EqualFold(c.Name, name) }) {
					e.options[name] = &option{Name: o.Name, Type: "string"} // it is set, however it is offered
				}
				e.LeftOut.Add(number, strings.TrimSpace("option "+o.Name), why.want, why.got)
			} else {
				e.Options = append(e.Options, o)
				first[name] = number
			}
		}
	}
}

// awaited returns the error of a wait for a word: where time ran out, which word it was and what was
// said instead.
func awaited(word, last string, err error) error {
	var f *Fault
	if !errors.As(err, &f) || f.Kind != stall {
		return err
	}
	instead := "no line at all"
	if last != "" {
		instead = fmt.Sprintf("last %.80q", last)
	}
	return &Fault{stall, fmt.Sprintf("no %q in time, but %s", word, instead)}
}

// missing returns why there is no option of a name.
func (e *uciEngine) missing(name string) error {
	for _, i := range e.LeftOut.Items {
		if strings.EqualFold(i.Field, "option "+name) {
			return fmt.Errorf("program %s: option %q cannot be set: expected %s, got %s", e.Name, name, i.Want, i.Got)
		}
	}
	return fmt.Errorf("program %s: it offers no option %q", e.Name, name)
}

// option finds an option by its name, whatever its case, as UCI has it.
func (e *uciEngine) option(name string) (*option, bool) {
	o, ok := e.options[strings.ToLower(name)]
	return o, ok
}

// newGame sets options that are not yet as wanted and begins a game. The values
// given once stay until others are given.
func (e *uciEngine) newGame(settings []Setting) error {
	deadline := time.Now().Add(e.program.Deadlines.Ready)
	for _, s := range settings {
		o, ok := e.option(s.Name)
		if !ok {
			return e.missing(s.Name)
		}
		if err := o.check(s.Value); err != nil {
			return fmt.Errorf("program %s: %w", e.Name, err)
		}
		key := strings.ToLower(o.Name)
		now, sent := e.values[key]
		if sent && now == s.Value && o.Type != "button" {
			continue
		}
		if _, ok := o.number(); ok && !sent && s.Value == o.Default {
			continue // what is a number for us may be something else for the program
		}
		line := "setoption name " + o.Name
		if o.Type != "button" {
			line += " value " + s.Value
		}
		if err := e.send(line, deadline); err != nil {
			return err
		}
		e.values[key] = s.Value
	}
	if err := e.send(e.program.Dialect.newGame, deadline); err != nil {
		return err
	}
	return e.ready(deadline)
}

// ready returns when the program has answered isready; what it says before that is left out.
func (e *uciEngine) ready(deadline time.Time) error {
	if err := e.send("isready", deadline); err != nil {
		return err
	}
	for last := ""; ; {
		line, err := e.read(deadline)
		if err != nil {
			return awaited("readyok", last, err)
		}
		last = line
		switch word, _ := cutWord(line); word {
		case "readyok":
			return nil
		case "bestmove":
			e.unasked++
		}
	}
}

// SearchLimit is how long a program may think: nodes, plies, milliseconds.
type SearchLimit struct {
	Nodes, Depth, MoveTime int64
	// Clock and Increment are those of the first and the second side, milliseconds;
	// Side is whose turn it is. They count where the Clock of that side is positive.
	Clock, Increment [2]int64
	Side             int
}

// text returns the line that asks for a move.
func (g SearchLimit) text(d dialect) string {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	line := "go"
	for _, w := range []struct {
		word string
		n    int64
	}{{"nodes", g.Nodes}, {"depth", g.Depth}, {"movetime", g.MoveTime}} {
		if w.n > 0 {
			line += " " + w.word + " " + number(w.n)
		}
	}
	if g.Clock[g.Side] > 0 {
		line += " " + d.white + " " + number(g.Clock[0]) + " " + d.black + " " + number(g.Clock[1])
		if g.Increment[0] > 0 || g.Increment[1] > 0 {
			line += " " + d.whiteMore + " " + number(g.Increment[0]) + " " + d.blackMore + " " + number(g.Increment[1])
		}
	}
	return line
}

// time returns how long the program may take before it is told to stop.
func (g SearchLimit) time(d Deadlines) time.Duration {
	switch {
	case g.Clock[g.Side] > 0:
		return time.Duration(g.Clock[g.Side])*time.Millisecond + d.Stop
	case g.MoveTime > 0:
		return time.Duration(g.MoveTime)*time.Millisecond + d.Stop
	}
	return d.Move
}

// search asks for a move in a position, which is the whole line "position ...". The
// error is a *Fault.
func (e *uciEngine) search(position string, g SearchLimit) (answer, error) {
	if err := e.skip(); err != nil {
		return answer{}, err
	}
	began := time.Now()
	deadline := began.Add(g.time(e.program.Deadlines))
	if err := e.send(position, deadline); err != nil {
		return answer{}, err
	}
	if err := e.send(g.text(e.program.Dialect), deadline); err != nil {
		return answer{}, err
	}
	var a answer
	stopped := false
	for {
		line, err := e.read(deadline)
		var f *Fault
		switch {
		case err == nil:
		case errors.As(err, &f) && f.Kind == stall && !stopped:
			stopped = true
			deadline = time.Now().Add(e.program.Deadlines.Stop)
			if err := e.send("stop", deadline); err != nil {
				return a, err
			}
			continue
		default:
			return a, err
		}
		switch word, rest := cutWord(line); word {
		case "info":
			a.info(rest)
		case "bestmove":
			a.Spent = time.Since(began)
			words := words(rest)
			if stopped {
				return a, &Fault{Overtime, fmt.Sprintf("no move to %q in %s; it answered only to stop", g.text(e.program.Dialect), g.time(e.program.Deadlines))}
			}
			if len(words) == 0 || len(words[0]) > longestName {
				return a, &Fault{protocolFault, fmt.Sprintf("%.80q", line)}
			}
			a.Best, a.Said = words[0], line[:min(len(line), 2*longestName)]
			return a, nil
		}
	}
}

// mostSkipped bounds how many lines are left out before a search: a program may never be silent.
const mostSkipped = 10000

// skip leaves out what the program has said after its last answer: a second move to one request is
// no answer to the next. After its first answer, and always if it once told two, it is asked isready
// for that; not in USI, where this word begins a game.
func (e *uciEngine) skip() error {
	for range mostSkipped {
		line, ok := e.child.Arrived()
		if !ok {
			break
		}
		if word, _ := cutWord(line); word == "bestmove" {
			e.unasked++
		}
	}
	if e.searches++; e.searches != 2 && e.unasked == 0 || e.program.Dialect.Name == "usi" {
		return nil
	}
	return e.ready(time.Now().Add(e.program.Deadlines.Ready))
}

// send sends a line.
func (e *uciEngine) send(line string, deadline time.Time) error {
	return e.fault(e.child.Write(line, deadline))
}

// read returns the next line.
func (e *uciEngine) read(deadline time.Time) (string, error) {
	// A program that keeps printing never lets the deadline of a pipe pass, so the time is
	// checked here too.
	if time.Now().After(deadline) {
		return "", e.fault(process.ErrTimeout)
	}
	line, err := e.child.Read(deadline)
	return line, e.fault(err)
}

// fault returns the error of the child.
func (e *uciEngine) fault(err error) error {
	if err == nil {
		return nil
	}
	kind, said := went(e.child, err, err.Error())
	return &Fault{kind, said}
}

// Close asks the program to quit and kills it.
func (e *uciEngine) Close() {
	e.child.Write("quit", time.Now().Add(10*time.Millisecond))
	e.child.Close()
}

// position sends the program a position, the whole line "position ...".
func (e *uciEngine) position(position string) error {
	return e.send(position, time.Now().Add(e.program.Deadlines.Ready))
}

// query asks questions of UGI, such as "gameover", and returns the answers in order.
func (e *uciEngine) query(questions ...string) ([]string, error) {
	deadline := time.Now().Add(e.program.Deadlines.Ready)
	for _, q := range questions {
		if err := e.send("query "+q, deadline); err != nil {
			return nil, err
		}
	}
	var answers []string
	for len(answers) < len(questions) {
		line, err := e.read(deadline)
		if err != nil {
			return nil, err
		}
		if word, rest := cutWord(line); word == "response" {
			answers = append(answers, rest)
		}
	}
	return answers, nil
}

// queries reports whether programs of the dialect answer questions.
func (d dialect) queries() bool { return d.Name == "ugi" }

// cpu returns the processor time that the program has taken since it was started, all
// its threads together; false where the system does not tell.
func (e *uciEngine) cpu() (time.Duration, bool) { return e.child.CPU() }
