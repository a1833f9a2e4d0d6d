package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// maxDifferences bounds what an error message lists.
const maxDifferences = 10

// specDifference says where two specs differ: by field if both are JSON, else
// by their first lines that differ. The budget, which may differ, is left out.
func specDifference(stored, given string) []string {
	var a, b any
	if decodeExact(stored, &a) == nil && decodeExact(given, &b) == nil {
		var found []string
		differing("", a, b, &found)
		if len(found) > maxDifferences {
			more := len(found) - maxDifferences
			found = append(found[:maxDifferences], fmt.Sprintf("and %d more", more))
		}
		return found
	}
	as, bs := strings.Split(stored, "\n"), strings.Split(given, "\n")
	for i := range max(len(as), len(bs)) {
		x, y := lineAt(as, i), lineAt(bs, i)
		if x != y {
			return []string{fmt.Sprintf("line %d: stored %s, given %s", i+1, x, y)}
		}
	}
	return nil
}

func lineAt(lines []string, i int) string {
	if i >= len(lines) {
		return "nothing"
	}
	return fmt.Sprintf("%q", strings.TrimSpace(lines[i]))
}

// decodeExact keeps numbers as they are written.
func decodeExact(text string, into *any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

func differing(path string, a, b any, found *[]string) {
	if path == "budget" || reflect.DeepEqual(a, b) {
		return
	}
	switch x := a.(type) {
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			keys := maps.Clone(x)
			maps.Copy(keys, y)
			for _, key := range slices.Sorted(maps.Keys(keys)) {
				differing(strings.TrimPrefix(path+"."+key, "."), x[key], y[key], found)
			}
			return
		}
	case []any:
		if y, ok := b.([]any); ok && len(x) == len(y) {
			for i := range x {
				differing(fmt.Sprintf("%s[%d]", path, i), x[i], y[i], found)
			}
			return
		}
	}
	*found = append(*found, fmt.Sprintf("%s: stored %s, given %s", path, brief(a), brief(b)))
}

// brief is a value as JSON, "nothing" if it is absent.
func brief(v any) string {
	if v == nil {
		return "nothing"
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	short := strings.TrimSpace(text.String())
	if len(short) > 80 {
		short = short[:77] + "..."
	}
	return short
}
