package param

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Nearest returns the candidate with the smallest edit distance to a mistyped name,
// if one is near enough (a third of the name's letters, at least 2, but not the
// whole name) to be worth suggesting. The first of equally near candidates wins.
func Nearest(name string, candidates []string) (string, bool) {
	if len(name) > longestTypo {
		return "", false
	}
	best, at := "", min(max(2, len(name)/3)+1, len(name))
	for _, c := range candidates {
		if len(c)-len(name) >= at || len(name)-len(c) >= at {
			continue // so many edits at least
		}
		if d := distance(name, c, at); d < at {
			best, at = c, d
		}
	}
	return best, best != ""
}

// unknownField returns an error that says that an object of JSON has a field of an unknown
// name, and which of the known ones may be meant.
func unknownField(name string, known []string) error {
	if near, ok := Nearest(name, known); ok {
		return fmt.Errorf("unknown field %q (did you mean %s?)", name, near)
	}
	return fmt.Errorf("unknown field %q (expected only %s)", name, strings.Join(known, ", "))
}

// Object reads one JSON object, and nothing behind it, into a struct. A field that the struct
// does not have is a mistake, which tells the known one that may be meant.
func Object(text []byte, into any, known []string) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	kind, mistyped := errors.AsType[*json.UnmarshalTypeError](err)
	var name string
	switch {
	case mistyped && kind.Field == "":
		return fmt.Errorf("expected a JSON object, got %s", kind.Value)
	case mistyped:
		return fmt.Errorf("%s: expected %s, got %s", kind.Field, JSONKind(kind.Type), kind.Value)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("expected a JSON object, got no end of one")
	case err != nil:
		said := strings.TrimPrefix(err.Error(), "json: ")
		if n, _ := fmt.Sscanf(said, "unknown field %q", &name); n == 1 {
			return unknownField(name, known)
		}
		return errors.New(said)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("expected the end of the text after the object, at byte %d", d.InputOffset())
	}
	return nil
}

// JSONKind returns what JSON has for values of a type, in words.
func JSONKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return JSONKind(t.Elem())
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "an object"
	}
	return "an integer"
}

// Misspelt returns the error of the first field, by name, of an object of JSON that is not
// known and may be meant for a known one which the object lacks. Other fields that are
// not known are passed over; nil if there is no such field.
func Misspelt(object []byte, known []string) error {
	var given map[string]json.RawMessage
	if json.Unmarshal(object, &given) != nil {
		return nil
	}
	var lacking []string
	for _, k := range known {
		if _, ok := given[k]; !ok {
			lacking = append(lacking, k)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		same := func(k string) bool { return strings.EqualFold(k, name) } // as encoding/json reads them
		if _, near := Nearest(name, lacking); near && !slices.ContainsFunc(known, same) {
			return unknownField(name, lacking)
		}
	}
	return nil
}

// longestTypo is the length in bytes above which a name is not taken for a misspelling;
// comparing longer ones would take long.
const longestTypo = 64

// distance returns Levenshtein's (1966), in single-byte edits. It stops counting at enough:
// larger distances may be returned as enough.
func distance(a, b string, enough int) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, row[j] = row[j], min(row[j]+1, row[j-1]+1, diagonal+cost)
			least = min(least, row[j])
		}
		if least >= enough {
			return enough
		}
	}
	return row[len(b)]
}
