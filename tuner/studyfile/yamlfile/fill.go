package yamlfile

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

var listIndex = regexp.MustCompile(`\[\d+\]`)

// in returns the rows of the keys in the mapping at a path.
func (d *Document) in(path string) []*Key {
	pattern := listIndex.ReplaceAllString(path, "[]")
	var rows []*Key
	for i := range d.keys {
		if d.keys[i].Within(pattern) {
			rows = append(rows, &d.keys[i])
		}
	}
	return rows
}

func join(path, key string) string { return strings.TrimPrefix(path+"."+key, ".") }

// Fill reads the keys of the mapping at a path into the fields of a struct with the same JSON
// names. An empty path is the whole file, of which Known tells unknown keys when the rest is
// read, so that they hide no other mistake. A key without a field is checked only. What is
// absent, or a mistake, has the default of its row. It reports all mistakes: unknown keys, values of other types and out of range,
// absent keys that are required, keys that do not go with others.
func (d *Document) Fill(path string, into any) {
	v := reflect.ValueOf(into).Elem()
	rows := d.in(path)
	if path != "" {
		d.Known(path)
	}
	for _, k := range rows {
		d.fill(join(path, k.Name()), k, fieldOf(v, k.Name()))
	}
	for _, k := range rows {
		key, want, _ := strings.Cut(k.When, ": ")
		if at := join(path, k.Name()); k.When != "" && d.Has(at) && fmt.Sprint(fieldOf(v, key)) != want {
			d.Refuse(at, "none without "+k.When)
		}
	}
}

// fieldOf returns the field of a struct with a JSON name or, where it has no tag, of the name
// in Go's spelling; it is not valid where there is none.
func fieldOf(v reflect.Value, name string) reflect.Value {
	for _, f := range reflect.VisibleFields(v.Type()) {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag == name || tag == "" && strings.EqualFold(f.Name, strings.ReplaceAll(name, "_", "")) {
			return v.FieldByIndex(f.Index)
		}
	}
	return reflect.Value{}
}

// Known reports the keys of the mapping at a path that the table does not have, and those that
// are there twice. It returns whether there is a mapping.
func (d *Document) Known(path string) bool {
	var names []string
	for _, k := range d.in(path) {
		names = append(names, k.Name())
	}
	return d.mapping(path, names)
}

func (d *Document) mapping(path string, known []string) bool {
	n := d.at(path)
	if n == nil {
		return false
	}
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "a mapping", describe(n))
		return false
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		switch near, ok := param.Nearest(key.Value, known); {
		case seen[key.Value]:
			d.fail(key, join(path, key.Value), "one value", "the key a second time")
		case slices.Contains(known, key.Value):
		case ok:
			d.fail(key, join(path, key.Value), "a known key (did you mean "+near+"?)", key.Value)
		default:
			d.fail(key, join(path, key.Value), "one of the keys "+strings.Join(known, ", "), key.Value)
		}
		seen[key.Value] = true
	}
	return true
}

// fill reads one key into a field, which need not be there.
func (d *Document) fill(path string, k *Key, into reflect.Value) {
	if value, ok := k.Filled(); ok {
		set(into, value)
	}
	n, t := d.at(path), k.Type()
	later := k.Later || t.Kind == "values" || t.Kind == "entrant" || t.Kind == "any"
	switch {
	case n == nil && k.Need != "":
		d.Require(path, k.Need)
	case n == nil || later && !t.List:
	case !t.List && t.Kind == "mapping": // Fill is called for it
	case !t.List:
		if value, ok := d.value(path, &t); ok {
			set(into, value)
		}
	case n.Kind != yaml.SequenceNode:
		d.fail(n, path, "a list", describe(n))
	case !later:
		d.fillList(path, &t, into)
	}
}

func (d *Document) fillList(path string, t *Type, into reflect.Value) {
	for i := range d.Len(path) {
		if d.TooManyMistakes() {
			return
		}
		at := fmt.Sprintf("%s[%d]", path, i)
		if t.Kind == "mapping" {
			if n := d.at(at); t.want != "" && n.Kind != yaml.MappingNode {
				d.fail(n, at, t.want, describe(n))
			} else if into.IsValid() {
				item := reflect.New(into.Type().Elem())
				d.Fill(at, item.Interface())
				into.Set(reflect.Append(into, item.Elem()))
			}
			continue
		}
		if value, ok := d.value(at, t); ok && into.IsValid() {
			item := reflect.New(into.Type().Elem()).Elem()
			set(item, value)
			into.Set(reflect.Append(into, item))
		}
	}
}

// value reads the scalar at a path as its type says, and reports the mistake where it is none.
func (d *Document) value(path string, t *Type) (any, bool) {
	n := d.at(path)
	value, ok := t.parse(n)
	if !ok {
		value = nil
		want := t.expected()
		if t.Kind == "text" && !t.List && (n.Kind != yaml.ScalarNode || n.Tag == "!!null") {
			want = "a text"
		}
		d.fail(n, path, want, describe(n))
	}
	return value, ok
}

func set(into reflect.Value, value any) {
	if !into.IsValid() {
		return
	}
	if into.Kind() == reflect.Pointer {
		into.Set(reflect.New(into.Type().Elem()))
		into = into.Elem()
	}
	if into.Kind() == reflect.Bool {
		value = value == "true"
	}
	into.Set(reflect.ValueOf(value).Convert(into.Type()))
}

// Number reads the number at a path, whose range hangs on the rest of the file; ok is false
// where the path is absent or the value a mistake.
func (d *Document) Number(path string, low, high float64) (x float64, ok bool) {
	return d.ranged(path, Type{Kind: "number", Low: low, High: high})
}

// Integer reads an integer likewise.
func (d *Document) Integer(path string, low, high int64) (int64, bool) {
	x, ok := d.ranged(path, Type{Kind: "integer", Low: float64(low), High: float64(high)})
	return int64(x), ok
}

func (d *Document) ranged(path string, t Type) (x float64, ok bool) {
	if d.Has(path) {
		value, _ := d.value(path, &t) // nil, if it is a mistake
		x, ok = value.(float64)
	}
	return x, ok
}

// Values reads names with values and returns the path of each value.
func (d *Document) Values(path string) (values param.Values, places []string) {
	n := d.at(path)
	if n == nil {
		return nil, nil
	}
	if n.Kind != yaml.SequenceNode {
		want := "a list"
		if n.Kind == yaml.MappingNode {
			want += ", such as " + asList(n)
		}
		d.fail(n, path, want, describe(n))
		return nil, nil
	}
	for i := range n.Content {
		at := fmt.Sprintf("%s[%d]", path, i)
		if !d.mapping(at, []string{"name", "value"}) || !d.Require(at+".name", "the name of a parameter") || !d.Require(at+".value", "its value") {
			continue
		}
		name, _ := d.value(at+".name", &Type{Kind: "text"})
		text, _ := d.value(at+".value", &Type{Kind: "text"})
		v := param.Value{}
		v.Name, _ = name.(string)
		v.Text, _ = text.(string)
		values, places = append(values, v), append(places, at+".value")
	}
	return values, places
}

// asList is how the first entry of a mapping is written as a value of a list.
func asList(n *yaml.Node) string {
	name, value := "NAME", "VALUE"
	if len(n.Content) >= 2 && n.Content[0].Kind == yaml.ScalarNode && n.Content[1].Kind == yaml.ScalarNode {
		name, value = n.Content[0].Value, n.Content[1].Value
	}
	return fmt.Sprintf("[{name: %.40s, value: %.40s}]", name, value)
}

// Entries reads a mapping of names to values and returns the place of each name; nothing where
// there is no such mapping, of which only values that are none are reported.
func (d *Document) Entries(path string) (values param.Values, places []string) {
	n := d.at(path)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i].Value, n.Content[i+1]
		if value.Kind != yaml.ScalarNode || value.Tag == "!!null" {
			d.fail(value, path+"."+name, "a value", describe(value))
			return nil, nil
		}
		values, places = append(values, param.Value{Name: name, Text: value.Value}), append(places, fmt.Sprintf("%s#%d", path, i))
	}
	return values, places
}

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
