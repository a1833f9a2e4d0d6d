package arena

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/param"
)

// Entrant is a strategy with values and a name.
type Entrant struct {
	Name     string       // as people wrote it, unique in a series after Distinct
	Strategy string       // as in the catalogue
	Params   param.Values // canonical
}

// Canonical returns the entrant's text with every active parameter spelled out. Two
// entrants with the same canonical text play alike.
func (e Entrant) Canonical() string {
	if len(e.Params) == 0 {
		return e.Strategy
	}
	return e.Strategy + "(" + e.Params.String() + ")"
}

// Hash identifies what the entrant plays: the lower-case hexadecimal sha256 of
// its strategy and the hash of its values.
func (e Entrant) Hash() string {
	sum := sha256.Sum256([]byte(e.Strategy + "\n" + e.Params.Hash() + "\n"))
	return hex.EncodeToString(sum[:])
}

// Entrant reads "strategy", "strategy(param=value,...)" or a name that the
// game's paper uses. Every mistake is in the error.
func (rs *Ruleset) Entrant(text string) (Entrant, error) {
	name, given, err := SplitEntrant(text)
	if err != nil {
		return Entrant{}, err
	}
	if rs.Game.has(name) {
		return rs.NewEntrant(strings.TrimSpace(text), name, given)
	}
	if rs.paperName != nil {
		text := strings.TrimSpace(text)
		if strategy, values, ok := rs.paperName(text); ok {
			return rs.NewEntrant(text, strategy, values)
		}
		if _, _, ok := rs.paperName(strings.ToUpper(text)); ok {
			return Entrant{}, &UnknownError{"strategy of " + rs.Game.Name, text, "did you mean " + strings.ToUpper(text) + "?"}
		}
	}
	return Entrant{}, rs.Game.unknownStrategy(name)
}

// NewEntrant makes an entrant of a strategy and values; parameters not given
// take their defaults.
func (rs *Ruleset) NewEntrant(name, strategy string, given param.Values) (Entrant, error) {
	f, err := rs.bind(strategy)
	if err != nil {
		return Entrant{}, err
	}
	values, errs := f.Assign(given)
	if len(errs) > 0 {
		return Entrant{}, fmt.Errorf("entrant %s: %w", name, errors.Join(errs...))
	}
	return Entrant{Name: name, Strategy: strategy, Params: values}, nil
}

func (g *Game) has(strategy string) bool { return g.about(strategy).Name != "" }

// about returns the description of a strategy, empty where there is none.
func (g *Game) about(strategy string) About {
	for _, s := range g.Strategies {
		if s.Name == strategy {
			return s
		}
	}
	return About{}
}

// SplitEntrant takes "name(a=b,c=d)" apart, without knowing the game; see [param.ParseValues].
func SplitEntrant(text string) (string, param.Values, error) {
	t := strings.TrimSpace(text)
	open := strings.IndexByte(t, '(')
	if open < 0 {
		if t == "" {
			return "", nil, errors.New("entrant: expected a strategy, got nothing")
		}
		return t, nil, nil
	}
	if !strings.HasSuffix(t, ")") {
		return "", nil, fmt.Errorf("entrant %q: expected strategy(param=value,...), got no closing parenthesis at the end", text)
	}
	inside := t[open+1 : len(t)-1]
	if strings.TrimSpace(inside) == "" {
		return t[:open], nil, nil
	}
	values, err := param.ParseValues(inside)
	if err != nil {
		return "", nil, fmt.Errorf("entrant %q: %w", text, err)
	}
	return strings.TrimSpace(t[:open]), values, nil
}

// Brief returns an entrant's text without the values that are its strategy's defaults. Two
// entrants with different canonical texts have different brief ones.
func (rs *Ruleset) Brief(e Entrant) string {
	kept := e.Params
	for _, v := range e.Params {
		rest := slices.DeleteFunc(slices.Clone(kept), func(o param.Value) bool { return o.Name == v.Name })
		if less, err := rs.NewEntrant(e.Name, e.Strategy, rest); err == nil && less.Canonical() == e.Canonical() {
			kept = rest
		}
	}
	return Entrant{Strategy: e.Strategy, Params: kept}.Canonical()
}

// Distinct gives repeated names the suffixes #2, #3, ... in order.
func Distinct(entrants []Entrant) []Entrant {
	out := make([]Entrant, len(entrants))
	taken := make(map[string]bool, len(entrants))
	for i, e := range entrants {
		name := e.Name
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s#%d", e.Name, n)
		}
		taken[name] = true
		out[i] = e
		out[i].Name = name
	}
	return out
}

// Identity names the external program that plays.
type Identity struct {
	// Hash stands in place of the signature: a hash of all that decides the
	// program's play, of which its files say more than a few games.
	Hash string
	// Way is a hash of how the program is run, such as in a new process for each game: what
	// Hash does not hold and two machines must have alike.
	Way string
	// Recorded says why its games cannot be played again: a clock, several threads.
	// What was played of them is kept, and is all that there will ever be. Empty
	// where they can.
	Recorded string
	// Timed says that a clock is the only reason: the games may be played on any machine
	// whose clocks are scaled to its speed.
	Timed bool
	// Threads is how many threads it runs while it thinks, 0 for one, and Memory what it may
	// take, bytes.
	Threads int
	Memory  int64
	// Setup is what is told of how it plays beside a result: "Threads=1 Hash=16MB".
	Setup string
	// Package is the hash under which a daemon hands the program out, empty where it does not.
	Package string
}

// recordedMark heads the hash of a program whose games cannot be played again.
const recordedMark = "recorded-"

// signature returns the identity as a signature.
func (i Identity) signature() string {
	if i.Recorded != "" {
		return recordedMark + i.Hash
	}
	return i.Hash
}

// SamePrograms reports whether two lists of [Ruleset.Signatures] are of the same programs,
// though one may not say of which of them games cannot be played again.
func SamePrograms(a, b string) bool {
	return strings.ReplaceAll(a, ":"+recordedMark, ":") == strings.ReplaceAll(b, ":"+recordedMark, ":")
}

// Program is a program from elsewhere as a machine has it. Two machines whose programs are
// equal play the same games with them, where they can be played again.
type Program struct {
	Name     string `json:"name"`     // of the strategy
	Identity string `json:"identity"` // Identity.Hash
	Way      string `json:"way"`      // Identity.Way
	// Package is that of the identity.
	Package string `json:"package,omitempty"`
}
