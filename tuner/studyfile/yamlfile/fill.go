package yamlfile

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
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

// Fill reads the keys of the mapping at a path, and of the mappings below it, into the fields of a
// struct with the same JSON names; an empty path is the whole file. A key without a field is
// checked only. A key that is absent or mistaken has the default of its row. It reports all
// mistakes: unknown keys (those of the root are reported by Err), values of other types and
// out of range, absent keys that are required, keys that do not go with others.
func (d *Document) Fill(path string, into any) { d.fillMapping(path, reflect.ValueOf(into).Elem()) }

func (d *Document) fillMapping(path string, into reflect.Value) {
	rows, field := d.in(path), fieldsOf(into)
	if path != "" {
		d.known(path)
	}
	for _, k := range rows {
		d.fill(join(path, k.Name()), k, field(k.Name()))
	}
	for _, k := range rows {
		at := join(path, k.Name())
		if !d.Has(at) {
			continue
		}
		if k.When != "" && !d.holds(path, k.When, true) {
			d.Refuse(at, "none without "+k.When)
		}
		for with, want := range k.Not {
			got := "both"
			if strings.Contains(with, ": ") {
				got = d.Got(at)
			}
			if d.holds(path, with, false) {
				d.Fail(at, want, got)
			}
		}
	}
}

// holds reports whether a key below a path has a value, such as "mode: pool", or is there, such as
// choices; unknown is the result where that key is a mistake.
func (d *Document) holds(path, with string, unknown bool) bool {
	key, want, valued := strings.Cut(with, ": ")
	at := join(path, key)
	switch got, _ := d.Scalar(at); {
	case d.Wrong(at):
		return unknown
	case valued && !d.Has(at):
		return d.row(at).Default == want
	case valued:
		return got == want
	}
	return d.Has(at)
}

// row returns the row of the key at a path; it is empty where the table has none.
func (d *Document) row(path string) *Key {
	pattern := listIndex.ReplaceAllString(path, "[]")
	if i := slices.IndexFunc(d.keys, func(k Key) bool { return k.Path == pattern }); i >= 0 {
		return &d.keys[i]
	}
	return &Key{}
}

// fieldsOf returns a function that returns the field of a struct with a JSON name or, where it
// has no tag, of the name in Go's spelling; it is not valid where there is none.
func fieldsOf(v reflect.Value) func(name string) reflect.Value {
	var all []reflect.StructField
	if v.IsValid() {
		all = reflect.VisibleFields(v.Type())
	}
	return func(name string) reflect.Value {
		for _, f := range all {
			if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag == name || tag == "" && strings.EqualFold(f.Name, strings.ReplaceAll(name, "_", "")) {
				return v.FieldByIndex(f.Index)
			}
		}
		return reflect.Value{}
	}
}

// known reports the keys of the mapping at a path that the table does not have, and those that
// are there twice.
func (d *Document) known(path string) {
	var names []string
	for _, k := range d.in(path) {
		names = append(names, k.Name())
	}
	d.mapping(path, names)
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
	switch {
	case n == nil && k.Need != "":
		d.Require(path, k.Need)
	case !t.List && t.Kind == "mapping" && into.Kind() == reflect.Struct:
		d.fillMapping(path, into)
	case n == nil || !t.List && (t.Kind == "entrant" || t.Kind == "any"):
	case !t.List && t.Kind == "mapping":
		d.known(path)
	case t.Kind == "values":
		if d.values(path); into.IsValid() {
			into.Set(reflect.ValueOf(d.Values(path)))
		}
	case !t.List:
		if value, ok := t.parse(n); ok {
			set(into, value)
		} else if !k.Later {
			d.value(path, &t)
		}
	case n.Kind != yaml.SequenceNode:
		d.fail(n, path, "a list", describe(n))
	default:
		most := k.Items.Most > 0 && len(n.Content) > k.Items.Most
		if most || len(n.Content) < k.Items.Least {
			d.fail(n, path, k.Items.Want, strconv.Itoa(len(n.Content)))
		}
		if !most && !k.Later && t.Kind != "entrant" && t.Kind != "any" {
			d.fillList(path, &t, into)
		}
	}
}

// fillList reads the items of a list. A mistake is an item without its value, so that the items
// of mappings stand at their places.
func (d *Document) fillList(path string, t *Type, into reflect.Value) {
	for i := range d.Len(path) {
		if d.TooManyMistakes() {
			return
		}
		at := fmt.Sprintf("%s[%d]", path, i)
		var item reflect.Value
		if into.IsValid() {
			item = reflect.New(into.Type().Elem()).Elem()
		}
		if n := d.at(at); t.Kind != "mapping" {
			value, ok := d.value(at, t)
			if !ok {
				continue
			}
			set(item, value)
		} else if t.want != "" && n.Kind != yaml.MappingNode {
			d.fail(n, at, t.want, describe(n))
		} else {
			d.fillMapping(at, item)
		}
		if into.IsValid() {
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
		want := cmp.Or(t.meant[n.Value], t.expected())
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

// Within reports whether the number at a path, which Fill has read, lies in a range that hangs on
// the rest of the file, and the mistake where it does not; false where there is none.
func (d *Document) Within(path string, low, high float64) bool {
	if !d.Has(path) || d.Wrong(path) {
		return false
	}
	t := d.row(path).Type()
	t.Low, t.High = low, high
	_, ok := d.value(path, &t)
	return ok
}

// Paired reports whether all items of the list or mapping at a path are names with values, and
// the mistakes where some are not.
func (d *Document) Paired(path string) bool {
	n, before := d.at(path), len(d.errs)
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if v := n.Content[i+1]; v.Kind != yaml.ScalarNode || v.Tag == "!!null" {
			d.fail(v, path+"."+n.Content[i].Value, "a value", describe(v))
		}
	}
	for i := range d.Len(path) {
		at := fmt.Sprintf("%s[%d]", path, i)
		if d.mapping(at, []string{"name", "value"}) && d.Require(at+".name", "the name of a parameter") && d.Require(at+".value", "its value") {
			d.value(at+".name", &Type{Kind: "text"})
			d.value(at+".value", &Type{Kind: "text"})
		}
	}
	return len(d.errs) == before
}

// values reports what in the list at a path is no name with a value.
func (d *Document) values(path string) {
	want := "a list"
	switch n := d.at(path); n.Kind {
	case yaml.SequenceNode:
		d.Paired(path)
	case yaml.MappingNode:
		want += ", such as " + asList(n)
		fallthrough
	default:
		d.fail(n, path, want, describe(n))
	}
}

// asList returns how the first entry of a mapping is written as a value of a list.
func asList(n *yaml.Node) string {
	name, value := "NAME", "VALUE"
	if len(n.Content) >= 2 && n.Content[0].Kind == yaml.ScalarNode && n.Content[1].Kind == yaml.ScalarNode {
		name, value = n.Content[0].Value, n.Content[1].Value
	}
	return fmt.Sprintf("[{name: %.40s, value: %.40s}]", name, value)
}

// Rules opens the game of the key game under the rules of the key rules. Rules that are
// mistakes are reported, and the game is opened without them; nil where that cannot be.
func (d *Document) Rules(games arena.Catalogue) *arena.Ruleset {
	name, ok := d.Scalar("game")
	if !ok {
		return nil // which Fill has reported
	}
	g, err := games.Game(name)
	if err != nil {
		d.Fail("game", "a game", UnknownName(err))
		return nil
	}
	values := d.Values("rules")
	rs, errs := g.Open(values)
	d.Declared("rules", errs...)
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
		all := Unjoin(err)
		for _, one := range all {
			switch {
			case one == nil:
			case len(all) > 1:
				d.Fail(path, "an entrant of "+rs.Game.Name, n.Value+": "+one.Error())
			default:
				d.Fail(path, "an entrant of "+rs.Game.Name, strings.TrimPrefix(UnknownName(err), "entrant "))
			}
		}
		return e, err == nil
	}
	if !d.mapping(path, keys) {
		return arena.Entrant{}, false
	}
	if d.Has(path + ".params") {
		d.values(path + ".params")
	}
	name, ok := d.Scalar(path + ".strategy")
	if !ok {
		if d.Require(path+".strategy", "the name of a strategy") {
			d.Refuse(path+".strategy", "a text")
		}
		return arena.Entrant{}, false
	}
	e, err := rs.NewEntrant(name, name, d.Values(path+".params"))
	if err != nil {
		if _, unknown := rs.Space(name); unknown != nil {
			d.Fail(path+".strategy", "a strategy of "+rs.Game.Name, UnknownName(unknown))
		} else {
			d.Declared(path+".params", Unjoin(err)...)
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
