package yamlfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"sakusen/engines/plain"
)

// mostChanges is how many keys [Changes] lists.
const mostChanges = 20

// Changes returns the keys in which two texts of a file differ, sorted, each with its value and
// the one that it had. Items of a list that have names go by these, so that their order does
// not matter. It returns nil where a text cannot be read.
func Changes(was, now []byte) []string {
	before, after := leaves(was), leaves(now)
	if before == nil || after == nil {
		return nil
	}
	var out []string
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		old, had := before[key]
		text, has := after[key]
		switch {
		case old == text && had == has:
		case !had && text == "":
			out = append(out, key+": added")
		case !has && old == "":
			out = append(out, key+": taken out")
		case !had:
			out = append(out, fmt.Sprintf("%s: %s, was not given", key, plain.Near(text, "", mostValue)))
		case !has:
			out = append(out, fmt.Sprintf("%s: not given, was %s", key, plain.Near(old, "", mostValue)))
		default:
			out = append(out, fmt.Sprintf("%s: %s, was %s", key, plain.Near(text, old, mostValue), plain.Near(old, text, mostValue)))
		}
	}
	if more := len(out) - mostChanges; more > 0 {
		out = append(out[:mostChanges], fmt.Sprintf("and %d more", more))
	}
	return out
}

// leaves returns the values of a text by their paths; a named item without a value has an
// empty one.
func leaves(text []byte) map[string]string {
	var doc yaml.Node
	var v any
	if yaml.Unmarshal(text, &doc) != nil || Crowded(&doc) || doc.Decode(&v) != nil {
		return nil
	}
	out := map[string]string{}
	gather("", v, out)
	return out
}

func gather(path string, v any, out map[string]string) {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			gather(strings.TrimPrefix(path+"."+key, "."), value, out)
		}
		return
	case []any:
		if gatherNamed(path, v, out) {
			return
		}
	case string:
		out[path] = v
		return
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		text.Reset()
		fmt.Fprint(&text, v)
	}
	out[path] = strings.TrimSpace(text.String())
}

// gatherNamed gathers a list whose items are mappings with different names, such as tune.params.
func gatherNamed(path string, list []any, out map[string]string) bool {
	seen := map[string]bool{}
	for _, item := range list {
		m, _ := item.(map[string]any)
		name, ok := m["name"].(string)
		if !ok || seen[name] {
			return false
		}
		seen[name] = true
	}
	for _, item := range list {
		m := maps.Clone(item.(map[string]any))
		at := fmt.Sprintf("%s[%s]", path, m["name"])
		delete(m, "name")
		if value, ok := m["value"]; ok && len(m) == 1 {
			gather(at, value, out)
			continue
		}
		out[at] = ""
		gather(at, m, out)
	}
	return len(list) > 0
}

// mostValue is how many characters of a value are shown.
const mostValue = 60
