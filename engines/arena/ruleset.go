package arena

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"sakusen/engines/param"
)

// Ruleset is a game under fixed rules. It is immutable and safe for concurrent
// use.
type Ruleset struct {
	Game       *Game
	Rules      param.Values // canonical
	Seats      int
	Components []string
	Starts     int64 // different starts, 0 for no end of them

	paperName func(text string) (string, param.Values, bool)
	bind      func(strategy string) (*param.Fields, error)
	identify  func(strategy string) (Identity, error) // of a program of somebody else
	table     func(entrants []Entrant) (table, error)
}

// Hash identifies the game and its rules: the lower-case hexadecimal sha256 of
// the game's name and the rules' canonical hash.
func (rs *Ruleset) Hash() string {
	sum := sha256.Sum256([]byte(rs.Game.Name + "\n" + rs.Rules.Hash() + "\n"))
	return hex.EncodeToString(sum[:])
}

// Space is the parameters that a strategy declares under these rules.
func (rs *Ruleset) Space(strategy string) ([]param.Param, error) {
	f, err := rs.bind(strategy)
	if err != nil {
		return nil, err
	}
	return f.Params(), nil
}

// Component is the index of a component, -1 if the game does not count it.
func (rs *Ruleset) Component(name string) int {
	for i, c := range rs.Components {
		if c == name {
			return i
		}
	}
	return -1
}

// Metric finds a metric of the game.
func (rs *Ruleset) Metric(name string) (Metric, error) {
	names := make([]string, len(rs.Game.Metrics))
	for i, m := range rs.Game.Metrics {
		if m.Name == name {
			return m, nil
		}
		names[i] = m.Name
	}
	return Metric{}, fmt.Errorf("unknown metric of %s: %q (expected one of %s)", rs.Game.Name, name, strings.Join(names, ", "))
}

// Recorded says why games of the strategies under these rules cannot be played
// again, empty where they can.
func (rs *Ruleset) Recorded(strategies ...string) (string, error) {
	for _, name := range strategies {
		if !rs.Game.Outside(name) {
			continue
		}
		if id, err := rs.identify(name); err != nil || id.Recorded != "" {
			return id.Recorded, err
		}
	}
	return "", nil
}
