package external

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// answer is a move, and what the program told of its search last.
type answer struct {
	Best  string // as it was written
	Said  string // the whole line
	Spent time.Duration
	// Score is the program's evaluation for the side to move, in hundredths of a pawn, or
	// in moves to mate if MateScore; it counts only if Scored.
	Score     int
	MateScore bool
	Scored    bool
	Depth     int
	Nodes     int64
}

// info reads the text after "info". It ignores second and further variations, and words
// that it does not know: programs print many.
func (a *answer) info(text string) {
	words := strings.Fields(text)
	next := *a
	for i := 0; i < len(words); i++ {
		number := func() (int64, bool) {
			if i+1 >= len(words) {
				return 0, false
			}
			n, err := strconv.ParseInt(words[i+1], 10, 64)
			return n, err == nil
		}
		switch words[i] {
		case "string", "pv":
			i = len(words) // the rest is text
		case "multipv":
			if n, ok := number(); ok && n > 1 {
				return
			}
		case "depth":
			if n, ok := number(); ok && n >= 0 && n < 1e6 {
				next.Depth = int(n)
			}
		case "nodes":
			if n, ok := number(); ok && n >= 0 {
				next.Nodes = n
			}
		case "cp", "mate":
			if n, ok := number(); ok && i > 0 && words[i-1] == "score" && n > -1e6 && n < 1e6 {
				next.Score, next.MateScore, next.Scored = int(n), words[i] == "mate", true
			}
		}
	}
	*a = next
}

// kind is a kind of fault.
type kind uint8

// The kinds of faults.
const (
	crash    kind = iota + 1 // the program ended
	stall                    // it did not answer before the deadline
	Overtime                 // it answered after its time, or only when told to stop
	Protocol                 // it said what is no answer
)

var kindNames = [...]string{"", "crash", "stall", "overtime", "protocol"}

// String returns the kind's name.
func (k kind) String() string { return kindNames[k] }

// Fault is something that a program did wrong.
type Fault struct {
	Kind kind
	Said string // what it said, or how it ended, for people
}

func (f *Fault) Error() string { return fmt.Sprintf("%s: %s", f.Kind, f.Said) }

// dialect is the words by which relatives of UCI differ.
type dialect struct {
	Name                 string
	hello, agreed        string // the first word to the program, and the program's last
	newGame              string
	black, white         string // the names of the two clocks in "go"
	blackMore, whiteMore string // and of their increments
}

// dialects are those that are spoken. In USI the first side, sente, is called
// black; the clocks of a request are given in that order.
var dialects = [...]dialect{
	{"uci", "uci", "uciok", "ucinewgame", "btime", "wtime", "binc", "winc"},
	{"usi", "usi", "usiok", "usinewgame", "wtime", "btime", "winc", "binc"},
	{"uai", "uai", "uaiok", "uainewgame", "btime", "wtime", "binc", "winc"},
	{"ugi", "ugi", "ugiok", "uginewgame", "p2time", "p1time", "p2inc", "p1inc"},
}

// findDialect returns a dialect by its name; an empty one is UCI.
func findDialect(name string) (dialect, bool) {
	if name == "" {
		name = "uci"
	}
	for _, d := range dialects {
		if d.Name == name {
			return d, true
		}
	}
	return dialect{}, false
}

// option is a setting that a program offers.
type option struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"` // spin, check, combo, string, button, filename
	Default string   `json:"default"`
	Min     int64    `json:"min,string"` // of a spin
	Max     int64    `json:"max,string"`
	Vars    []string `json:"vars,omitempty"` // of a combo
}

// Setting is a value for an option.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// values returns what an option takes, for people.
func (o *option) values() string {
	switch o.Type {
	case "spin":
		return fmt.Sprintf("%d..%d", o.Min, o.Max)
	case "check":
		return "true, false"
	case "combo":
		return strings.Join(o.Vars, ", ")
	}
	return o.Type
}

// optionWords are the words after which a part of an option's line begins. A name
// or a value may have spaces, and may not have these.
var optionWords = []string{"name", "type", "default", "min", "max", "var"}

// parseOption reads a line "option name N type T ...".
func parseOption(line string) (option, error) {
	var o option
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "option" || words[1] != "name" {
		return o, fmt.Errorf("expected \"option name ...\", got %q", line)
	}
	hasMin, hasMax := false, false
	for i := 1; i < len(words); {
		word := words[i]
		end := i + 1
		for end < len(words) && (!slices.Contains(optionWords, words[end]) || word == "name" && words[end] != "type") {
			end++
		}
		value := strings.Join(words[i+1:end], " ")
		var err error
		switch word {
		case "name":
			o.Name = value
		case "type":
			o.Type = value
		case "default":
			if o.Default = value; value == "<empty>" {
				o.Default = ""
			}
		case "min":
			o.Min, err = strconv.ParseInt(value, 10, 64)
			hasMin = true
		case "max":
			o.Max, err = strconv.ParseInt(value, 10, 64)
			hasMax = true
		case "var":
			o.Vars = append(o.Vars, value)
		}
		if err != nil {
			return o, fmt.Errorf("option %q: expected an integer after %s, got %q", o.Name, word, value)
		}
		i = end
	}
	return o, o.check(hasMin && hasMax)
}

// check refuses options that contradict themselves.
func (o *option) check(bounded bool) error {
	bad := func(want string) error { return fmt.Errorf("option %q of type %s: expected %s", o.Name, o.Type, want) }
	if o.Name == "" {
		return fmt.Errorf("option: expected a name")
	}
	switch o.Type {
	case "spin":
		n, err := strconv.ParseInt(o.Default, 10, 64)
		if !bounded || err != nil || o.Min > o.Max || n < o.Min || n > o.Max {
			return bad(fmt.Sprintf("a default between min and max, got default %q, min %d, max %d", o.Default, o.Min, o.Max))
		}
	case "check":
		if o.Default != "true" && o.Default != "false" {
			return bad(fmt.Sprintf("true or false by default, got %q", o.Default))
		}
	case "combo":
		if !slices.Contains(o.Vars, o.Default) {
			return bad(fmt.Sprintf("a default among its values, got %q", o.Default))
		}
	case "string", "button", "filename":
	default:
		return bad("spin, check, combo, string, button or filename")
	}
	return nil
}

// Check reports whether an option takes a value.
func (o *option) Check(value string) error {
	bad := func(want string) error { return fmt.Errorf("option %q: expected %s, got %q", o.Name, want, value) }
	if strings.ContainsAny(value, "\r\n") {
		return bad("one line")
	}
	switch o.Type {
	case "spin":
		if n, err := strconv.ParseInt(value, 10, 64); err != nil || n < o.Min || n > o.Max {
			return bad(fmt.Sprintf("an integer in %d..%d", o.Min, o.Max))
		}
	case "check":
		if value != "true" && value != "false" {
			return bad("true or false")
		}
	case "combo":
		if !slices.Contains(o.Vars, value) {
			return bad("one of " + strings.Join(o.Vars, ", "))
		}
	}
	return nil
}
