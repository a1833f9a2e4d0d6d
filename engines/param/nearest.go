package param

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Nearest is the candidate with the smallest edit distance to a mistyped name,
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

// unknownField says that an object of JSON has a field of an unknown name, and which of
// the known ones may be meant.
func unknownField(name string, known []string) error {
	if near, ok := Nearest(name, known); ok {
		return fmt.Errorf("unknown field %q (did you mean %s?)", name, near)
	}
	return fmt.Errorf("unknown field %q (expected only %s)", name, strings.Join(known, ", "))
}

// FieldError is the error of a strict decoder of encoding/json, which says of an unknown
// field also which of the known ones may be meant.
func FieldError(err error, known []string) error {
	text := strings.TrimPrefix(err.Error(), "json: ")
	var name string
	if n, _ := fmt.Sscanf(text, "unknown field %q", &name); n == 1 {
		return unknownField(name, known)
	}
	return errors.New(text)
}

// Misspelt is the error of the first field, by name, of an object of JSON that is not
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

// distance is Levenshtein's (1966), in single-byte edits. It stops counting at enough:
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
