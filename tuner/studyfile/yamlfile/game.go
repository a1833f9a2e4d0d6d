package yamlfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Rules reads the keys game and rules and opens the game under the rules. Rules that are
// mistakes are told, and the game is opened without them; nil where that cannot be.
func (m *Mapping) Rules(games arena.Catalogue) *arena.Ruleset {
	values, places := m.Values("rules")
	if !m.Require("game", "the name of a game") {
		return nil
	}
	before := len(m.Doc.errs)
	name := m.Text("game", "")
	if len(m.Doc.errs) > before {
		return nil
	}
	g, err := games.Game(name)
	if err != nil {
		m.Doc.Fail(m.Take("game"), "game", "a game", UnknownName(err))
		return nil
	}
	rs, errs := g.Open(values)
	m.Doc.Placed("rules", m.Take("rules"), values, places, errs)
	if rs == nil { // the rest of the file is read under those that are right
		wrong := map[string]bool{}
		for _, err := range errs {
			if e, ok := errors.AsType[*param.Error](err); ok {
				wrong[e.Name] = true
			}
		}
		rs, _ = g.Open(slices.DeleteFunc(values, func(v param.Value) bool { return wrong[v.Name] }))
	}
	return rs
}

// Placed reports mistakes of values where each value stands.
func (d *Document) Placed(field string, list *yaml.Node, values param.Values, places []*yaml.Node, errs []error) {
	for _, err := range errs {
		at := list
		var p *param.Error
		if errors.As(err, &p) {
			for i, v := range values {
				if v.Name == p.Name {
					at = places[i]
				}
			}
		}
		if at == nil {
			at = &yaml.Node{Line: 1, Column: 1}
		}
		d.Declared(at, field, err)
	}
}

// Entrant reads an entrant's text, or {strategy, params}.
func (d *Document) Entrant(rs *arena.Ruleset, n *yaml.Node, field string) (arena.Entrant, bool) {
	if n.Kind == yaml.ScalarNode {
		e, err := rs.Entrant(n.Value)
		if err != nil {
			d.Fail(n, field, "an entrant of "+rs.Game.Name, strings.TrimPrefix(UnknownName(err), "entrant "))
			return e, false
		}
		return e, true
	}
	m := d.Mapping(n, field)
	if m.Node == nil {
		return arena.Entrant{}, false
	}
	values, places := m.Values("params")
	ok := m.Require("strategy", "the name of a strategy")
	name := m.Text("strategy", "")
	m.Done()
	if !ok {
		return arena.Entrant{}, false
	}
	e, err := rs.NewEntrant(name, name, values)
	if err != nil {
		if _, unknown := rs.Space(name); unknown != nil {
			d.Fail(m.Take("strategy"), field+".strategy", "a strategy of "+rs.Game.Name, UnknownName(unknown))
		} else {
			d.Placed(field+".params", n, values, places, Unjoin(err))
		}
		return e, false
	}
	return e, true
}

// UnknownName is what was got in place of a known name, with the names that may
// have been meant, or the text of an error that is another one.
func UnknownName(err error) string {
	if unknown, ok := errors.AsType[*arena.UnknownError](err); ok {
		return fmt.Sprintf("%q (%s)", unknown.Name, unknown.Hint)
	}
	return err.Error()
}

// Unjoin takes joined errors apart, through one layer of wrapping.
func Unjoin(err error) []error {
	for e := err; e != nil; e = errors.Unwrap(e) {
		if j, ok := e.(interface{ Unwrap() []error }); ok {
			return j.Unwrap()
		}
	}
	return []error{err}
}
