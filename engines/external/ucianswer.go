package external

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"sakusen/engines/chess"
)

// answer is a move with the last search information of the program.
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
	words := words(text)
	next := *a
	for i := 0; i < len(words); i++ {
		number := func() (int64, bool) {
			if i+1 >= len(words) {
				return 0, false
			}
			n, err := strconv.ParseInt(words[i+1], 10, 64)
			return n, err == nil
		}
		switch word := strings.ToLower(words[i]); word {
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
			if n, ok := number(); ok && i > 0 && strings.EqualFold(words[i-1], "score") && n > -1e6 && n < 1e6 {
				next.Score, next.MateScore, next.Scored = int(n), word == "mate", true
			}
		}
	}
	*a = next
}

// kind is a kind of fault.
type kind uint8

// The kinds of faults.
const (
	crash         kind = iota + 1 // the program ended
	stall                         // it did not answer before the deadline
	Overtime                      // it answered after its time, or only when told to stop
	protocolFault                 // it said what is no answer
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
	case "string":
		if _, ok := o.number(); ok {
			return "any number"
		}
	}
	return o.Type
}

// number returns the default of a string that is a number, which can be tuned as one: Lc0
// offers its constants so.
func (o *option) number() (float64, bool) {
	x, err := strconv.ParseFloat(o.Default, 64)
	return x, o.Type == "string" && err == nil && math.Abs(x) <= mostNumber && !strings.ContainsAny(o.Default, "xX_pP")
}

// mostNumber bounds a number that is written as a string.
const mostNumber = 1e15

// tells returns the option's text in the engine's identity.
func (o *option) tells() string {
	return fmt.Sprintf("{Name:%s Type:%s Default:%s Min:%d Max:%d Vars:%v}", o.Name, o.Type, o.Default, o.Min, o.Max, o.Vars)
}

// blanks part the words of a line.
const blanks = " \t\r\n\v\f"

// words returns the words of a line; a blank that only Unicode knows is part of a word.
func words(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(blanks, r) })
}

// cutWord returns the first word of a line, in lower case, and the rest.
func cutWord(line string) (word, rest string) {
	line = strings.Trim(line, blanks)
	if at := strings.IndexAny(line, blanks); at >= 0 {
		return strings.ToLower(line[:at]), strings.TrimLeft(line[at:], blanks)
	}
	return strings.ToLower(line), ""
}

// longestName is the length of the longest name of an option and of the longest move, bytes.
const longestName = 100

// oddity is why an option cannot be set.
type oddity struct{ want, got string }

// optionTypes are the types of options that there are.
var optionTypes = [...]string{"spin", "check", "combo", "string", "button", "filename"}

// optionKeys are the words after which a part of an option's line begins, behind its type.
var optionKeys = [...]string{"default", "min", "max", "var"}

// parseOption reads a line "option name N type T ...". Of an option that is not understood
// the name is returned as far as there is one, and why.
func parseOption(line string) (option, *oddity) {
	all := words(line)
	if len(all) < 3 || !strings.EqualFold(all[0], "option") || !strings.EqualFold(all[1], "name") {
		return option{}, &oddity{"option name NAME type TYPE", fmt.Sprintf("%.80q", line)}
	}
	// A name may have the word type in it: the type is one that there is, best with a key or
	// nothing behind it.
	at := -1
	for i := 2; i < len(all); i++ {
		if !strings.EqualFold(all[i], "type") || i+1 == len(all) || !slices.Contains(optionTypes[:], strings.ToLower(all[i+1])) {
			continue
		}
		if clear := i+2 == len(all) || slices.Contains(optionKeys[:], strings.ToLower(all[i+2])); clear || at < 0 {
			at = i
			if clear {
				break
			}
		}
	}
	if at < 0 {
		at = slices.Index(all, "type")
	}
	if at < 0 {
		at = len(all)
	}
	o := option{Name: strings.Join(all[2:at], " ")}
	rest := all[min(at+1, len(all)):]
	switch {
	case o.Name == "":
		return o, &oddity{"a name", fmt.Sprintf("%.80q", line)}
	case len(o.Name) > longestName:
		length := len(o.Name)
		o.Name = strings.ToValidUTF8(o.Name[:longestName], "") + "..."
		return o, &oddity{fmt.Sprintf("a name of at most %d bytes", longestName), fmt.Sprintf("%d", length)}
	case !utf8.ValidString(line):
		return o, &oddity{"a line in UTF-8", fmt.Sprintf("%.80q", line)}
	case len(rest) == 0:
		return o, &oddity{"a type: " + strings.Join(optionTypes[:], ", "), "none"}
	}
	o.Type, rest = strings.ToLower(rest[0]), rest[1:]
	why := o.read(rest)
	return o, why
}

// read reads the words after the type.
func (o *option) read(rest []string) *oddity {
	got := fmt.Sprintf("%.80q", strings.Join(rest, " "))
	switch o.Type {
	case "button":
		return nil
	case "string", "filename":
		if len(rest) > 0 && !strings.EqualFold(rest[0], "default") {
			return &oddity{"nothing or default TEXT behind the type", got}
		}
		if o.Default = strings.Join(rest[min(1, len(rest)):], " "); o.Default == "<empty>" {
			o.Default = ""
		}
		return nil
	case "check":
		if len(rest) == 2 && strings.EqualFold(rest[0], "default") {
			switch strings.ToLower(rest[1]) {
			case "true", "1":
				o.Default = "true"
			case "false", "0":
				o.Default = "false"
			}
		}
		if o.Default == "" {
			return &oddity{"default true or false", got}
		}
		return nil
	case "spin":
		return o.readSpin(rest, got)
	case "combo":
		return o.readCombo(rest, got)
	}
	return &oddity{"a type: " + strings.Join(optionTypes[:], ", "), fmt.Sprintf("%.40q", o.Type)}
}

func (o *option) readSpin(rest []string, got string) *oddity {
	want := &oddity{"default, min and max, each with an integer", got}
	said := map[string]int64{}
	for ; len(rest) >= 2; rest = rest[2:] {
		key := strings.ToLower(rest[0])
		n, err := strconv.ParseInt(rest[1], 10, 64)
		if _, twice := said[key]; twice || key == "var" || err != nil && (key == "default" || !errors.Is(err, strconv.ErrRange)) {
			return want
		}
		said[key] = n // an end beyond 64 bits is the last integer of 64
	}
	for _, key := range optionKeys[:3] {
		if _, ok := said[key]; !ok || len(said) > 3 || len(rest) > 0 {
			return want
		}
	}
	if o.Min, o.Max = said["min"], said["max"]; said["default"] < o.Min || said["default"] > o.Max {
		return &oddity{"a default between min and max", got}
	}
	o.Default = strconv.FormatInt(said["default"], 10)
	return nil
}

func (o *option) readCombo(rest []string, got string) *oddity {
	def, has := "", false
	for len(rest) > 0 {
		key := rest[0]
		end := 1
		for end < len(rest) && rest[end] != "var" && (rest[end] != "default" || has || key == "default") {
			end++
		}
		value := strings.Join(rest[1:end], " ")
		switch rest = rest[end:]; {
		case key == "default" && !has:
			def, has = value, true
		case key != "var":
			return &oddity{"default and var, each with a value", got}
		case !slices.Contains(o.Vars, value):
			o.Vars = append(o.Vars, value)
		}
	}
	at := slices.Index(o.Vars, def)
	if at < 0 {
		at = slices.IndexFunc(o.Vars, func(v string) bool { return strings.EqualFold(v, def) || v == "" && def == "<empty>" })
	}
	if at < 0 || !has {
		return &oddity{"a default among the values of var", got}
	}
	o.Default = o.Vars[at]
	return nil
}

// check reports whether an option takes a value.
func (o *option) check(value string) error {
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

// uciMove reads a move of chess as programs write it: some have capitals, or an = before the
// piece that a pawn becomes.
func uciMove(text string) (chess.Move, bool) {
	text = strings.ToLower(text)
	if len(text) == 6 && text[4] == '=' {
		text = text[:4] + text[5:]
	}
	return chess.ParseMove(text)
}
