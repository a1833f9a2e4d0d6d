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
func (d *Document) Rules(games arena.Catalogue) *arena.Ruleset {
	values, places := d.Values("rules")
	name, ok := d.Scalar("game")
	if !ok {
		return nil // which Fill has told
	}
	g, err := games.Game(name)
	if err != nil {
		d.Fail("game", "a game", UnknownName(err))
		return nil
	}
	rs, errs := g.Open(values)
	d.Placed("rules", "rules", values, places, errs...)
	if rs == nil { // the rest of the file is read under those that are right
		rs, _ = g.Open(slices.DeleteFunc(values, func(v param.Value) bool {
			return slices.ContainsFunc(errs, func(err error) bool {
				e, ok := errors.AsType[*param.Error](err)
				return ok && e.Name == v.Name
			})
		}))
	}
	return rs
}

// Placed reports mistakes of values, each at the place of its value, else at a path.
func (d *Document) Placed(at, field string, values param.Values, places []string, errs ...error) {
	for _, err := range errs {
		place := at
		if p, ok := errors.AsType[*param.Error](err); ok {
			if i := slices.IndexFunc(values, func(v param.Value) bool { return v.Name == p.Name }); i >= 0 {
				place = places[i]
			}
		}
		d.Declared(place, field, err)
	}
}

// Entrant reads the entrant at a path: its text, or {strategy, params}.
func (d *Document) Entrant(rs *arena.Ruleset, path string) (arena.Entrant, bool) {
	return d.entrant(rs, path, "params", "strategy")
}

// NamedEntrant reads an entrant likewise, or under a name of its own: {name, entrant} or
// {name, strategy, params}.
func (d *Document) NamedEntrant(rs *arena.Ruleset, path string) (e arena.Entrant, ok bool) {
	if d.Has(path + ".entrant") {
		d.mapping(path, []string{"name", "entrant"})
		e, ok = d.Entrant(rs, path+".entrant")
	} else {
		e, ok = d.entrant(rs, path, "name", "params", "strategy")
	}
	if name, given := d.Scalar(path + ".name"); given && name != "" {
		e.Name = name
	} else if d.Has(path + ".name") {
		d.Refuse(path+".name", "a text")
	}
	return e, ok
}

func (d *Document) entrant(rs *arena.Ruleset, path string, keys ...string) (arena.Entrant, bool) {
	if n := d.at(path); n != nil && n.Kind == yaml.ScalarNode {
		e, err := rs.Entrant(n.Value)
		if err != nil {
			d.Fail(path, "an entrant of "+rs.Game.Name, strings.TrimPrefix(UnknownName(err), "entrant "))
		}
		return e, err == nil
	}
	if !d.mapping(path, keys) {
		return arena.Entrant{}, false
	}
	values, places := d.Values(path + ".params")
	name, ok := d.Scalar(path + ".strategy")
	if !ok {
		if d.Require(path+".strategy", "the name of a strategy") {
			d.Refuse(path+".strategy", "a text")
		}
		return arena.Entrant{}, false
	}
	e, err := rs.NewEntrant(name, name, values)
	if err != nil {
		if _, unknown := rs.Space(name); unknown != nil {
			d.Fail(path+".strategy", "a strategy of "+rs.Game.Name, UnknownName(unknown))
		} else {
			d.Placed(path, path+".params", values, places, Unjoin(err)...)
		}
	}
	return e, err == nil
}

// UnknownName returns what was got in place of a known name, with the names that may
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
