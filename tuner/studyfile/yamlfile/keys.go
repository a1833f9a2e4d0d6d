package yamlfile

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/param"
)

// Key is a row of the table of a file's keys: all that is said of a key anywhere, in
// mistakes, documents, forms and schemas, is said here.
type Key struct {
	Path string `json:"key"` // such as race.rungs or pool[].name; [] stands for each item of a list
	// Values says which values it takes, for people and for Fill. It is "text", "name", "program",
	// "seed", "mapping", "any", words as in "`halving`, `none`", "integer 1..9", "integer from 1",
	// "number", "number 0..1" or "number above 0". Or it is "values" (a list of name and value),
	// "entrant" (a text, or a mapping of strategy and params), or "list of " any of these.
	Values string `json:"values"`
	// Default is what holds without the key, "required" where it must be there. Where it reads as one of the values, that one is
	// filled in; else it is words for people, and the reader of the file knows what they mean.
	Default string `json:"default"`
	Doc     string `json:"doc"` // what the key does; Markdown
	// When is the value that another key beside it must have, as "mode: pool".
	When string `json:"when,omitempty"`
	// Not are the keys, such as choices, and the values of keys, such as "mode: pool", with which
	// it does not go, by what a mistake says was expected. Their paths begin in its mapping.
	Not map[string]string `json:"-"`
	// Need is what a file without the key lacks, as a mistake tells it; empty for a key that
	// may be absent. Want is what was expected in place of a wrong item, if the words of
	// Values are too few.
	Need, Want string `json:"-"`
	// Meant says, by a value that people may write and the key does not take, what they may mean.
	Meant map[string]string `json:"-"`
	// Items bounds the number of items of a list.
	Items Bounds `json:"-"`
	// Later marks a key that the reader of the file reads, as its values hang on the rest.
	Later bool `json:"-"`
	// Field and Label are the key's field in a form and what people read beside it; empty
	// for keys that the form has not.
	Field, Label string `json:"-"`
}

// Bounds are the least and the largest number of items of a list, Most 0 for any. Want is what a
// mistake says was expected.
type Bounds struct {
	Least, Most int
	Want        string
}

// Name returns the last part of the path.
func (k *Key) Name() string { return k.Path[strings.LastIndexByte(k.Path, '.')+1:] }

// Within reports whether the key stands in the mapping at a pattern, such as pool[].
func (k *Key) Within(pattern string) bool {
	at := strings.LastIndexByte(k.Path, '.')
	return at < 0 && pattern == "" || at > 0 && k.Path[:at] == pattern
}

// Filled returns the default as a value of the key; ok is false where it is words for people.
func (k *Key) Filled() (value any, ok bool) {
	if t := k.Type(); t.Kind != "text" && !t.List {
		return t.parse(&yaml.Node{Kind: yaml.ScalarNode, Value: k.Default})
	}
	return nil, false
}

// Type is a key's Values, taken apart.
type Type struct {
	Kind      string
	List      bool
	Low, High float64        // of numbers and integers
	Words     []string       // of the kind word
	Match     *regexp.Regexp // of texts, nil for any
	want      string
	meant     map[string]string // by a value that is refused, what is told to be expected
}

// ProgramName is what a program that a file declares may be called; plainName keeps names
// usable in URLs, file names and shells.
var (
	plainName   = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,79}$`)
	ProgramName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,99}$`)
)

// WantName is what a name is, in words.
const WantName = "a name of lower-case letters, digits, '.', '_' and '-', at most 80"

// Typed returns what was typed for the key, a whole number without the spaces that pages print in it.
func (k *Key) Typed(text string) string {
	if k.Type().Kind == "integer" {
		return strings.Join(strings.Fields(text), "")
	}
	return text
}

// Type takes Values apart.
func (k *Key) Type() Type {
	text, list := strings.CutPrefix(k.Values, "list of ")
	kind, of, _ := strings.Cut(text, " ")
	t := Type{Kind: kind, List: list, Low: -math.MaxFloat64, High: math.MaxFloat64, want: k.Want, meant: k.Meant}
	number := func(text string) float64 {
		x, _ := strconv.ParseFloat(text, 64)
		return x
	}
	low, high, ranged := strings.Cut(of, "..")
	switch least, from := strings.CutPrefix(of, "from "); {
	case strings.HasPrefix(text, "`"):
		t.Kind, t.Words = "word", strings.Split(strings.Trim(text, "`"), "`, `")
	case ranged:
		t.Low, t.High = number(low), number(high)
	case of == "above 0":
		t.Low = math.SmallestNonzeroFloat64
	case from && kind == "integer":
		t.Low, t.High = number(least), 1<<52 // a real number holds it exactly
	case from:
		t.Low = number(least)
	case kind == "name":
		t.Kind, t.Match, t.want = "text", plainName, WantName
	case kind == "program":
		t.Kind, t.Match, t.want = "text", ProgramName, "names of a letter, then letters, digits, _ . and -"
	}
	return t
}

// expected puts the values of the type into words, as a mistake does: "an integer in 1..9".
func (t *Type) expected() string {
	switch {
	case t.want != "":
		return t.want
	case t.Kind == "word":
		return "one of " + strings.Join(t.Words, ", ")
	case t.Kind == "integer" && t.Low == t.High:
		return strconv.FormatFloat(t.Low, 'f', -1, 64)
	case t.Kind == "integer":
		return "an integer " + span(t.Low, t.High)
	case t.Kind == "seed":
		return "an integer in 0..18446744073709551615"
	case t.Kind == "number":
		return "a number " + span(t.Low, t.High)
	}
	return "a " + t.Kind
}

// parse returns the value of a scalar: a string, a float64 or a uint64; ok is false where it
// is none of the type.
func (t *Type) parse(n *yaml.Node) (value any, ok bool) {
	if n.Kind != yaml.ScalarNode {
		return nil, false
	}
	switch t.Kind {
	case "text":
		return n.Value, n.Tag != "!!null" && (t.Match == nil || t.Match.MatchString(n.Value))
	case "word":
		return n.Value, slices.Contains(t.Words, n.Value)
	case "seed":
		seed, err := param.ParseSeed(n.Value)
		return uint64(seed), err == nil
	case "integer", "number":
		x, err := strconv.ParseFloat(n.Value, 64)
		if i, ierr := strconv.ParseInt(n.Value, 10, 64); t.Kind == "integer" && ierr == nil {
			x, err = float64(i), nil
		}
		return x, err == nil && x >= t.Low && x <= t.High && (t.Kind == "number" || x == math.Trunc(x))
	}
	return nil, false
}

// span puts a range into words: "in 1..9", "from 0", "above 0, up to 1".
func span(low, high float64) string {
	g := func(x float64) string {
		if x == math.Trunc(x) && math.Abs(x) <= 1<<53 {
			return strconv.FormatFloat(x, 'f', -1, 64)
		}
		return strconv.FormatFloat(x, 'g', 12, 64)
	}
	switch {
	case low == -math.MaxFloat64 && high == math.MaxFloat64:
		return "that is finite"
	case low == math.SmallestNonzeroFloat64:
		return "above 0, up to " + g(high)
	case high >= 1<<53:
		return "from " + g(low)
	}
	return "in " + g(low) + ".." + g(high)
}
