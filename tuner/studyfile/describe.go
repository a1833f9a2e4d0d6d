package studyfile

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"sakusen/engines/param"
	"sakusen/tuner/studyfile/yamlfile"
)

// Plain returns a text without the links of Markdown.
func Plain(text string) string { return markdownLink.ReplaceAllString(text, "$1") }

var markdownLink = regexp.MustCompile(`\[([^\]]+)\]\(([^)]*)\)`)

// Describe returns the keys of study files, or one and those below it, without links.
func Describe(name string, samplers Samplers) ([]yamlfile.Key, error) {
	var out []yamlfile.Key
	var names []string
	for _, k := range Keys(samplers) {
		names = append(names, k.Path)
		if rest, ok := strings.CutPrefix(k.Path, name); ok && (name == "" || rest == "" || strings.ContainsAny(rest[:1], ".[")) {
			k.Doc = Plain(k.Doc)
			out = append(out, k)
		}
	}
	if out == nil {
		return nil, fmt.Errorf("expected a key of study files, got %s", yamlfile.Nearest(name, names))
	}
	return out, nil
}

// object is a JSON object of a schema.
type object map[string]any

// Schema returns the JSON Schema (draft 2020-12) of study files, by which editors complete and
// check them. What hangs on a game, such as the names of parameters, it leaves open.
func Schema(samplers Samplers) ([]byte, error) {
	scalar := []string{"string", "number", "boolean"}
	s := schema{keys: Keys(samplers), samplers: samplers}
	root := s.mapping("")
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "Sakusen study file"
	values := object{"type": "array", "items": object{"type": "object", "additionalProperties": false, "required": []string{"name", "value"},
		"properties": object{"name": object{"type": "string"}, "value": object{"type": scalar}}}}
	root["$defs"] = object{
		"scalar": object{"type": scalar},
		"values": values,
		"entrant": object{"anyOf": []object{{"type": "string"}, {"type": "object", "additionalProperties": false, "required": []string{"strategy"},
			"properties": object{"strategy": object{"type": "string"}, "params": ref("values")}}}},
	}
	text, err := json.MarshalIndent(root, "", "  ")
	return append(text, '\n'), err
}

func ref(name string) object { return object{"$ref": "#/$defs/" + name} }

// schema is a schema being made.
type schema struct {
	keys     []yamlfile.Key
	samplers Samplers
}

// mapping returns the schema of the mapping at a pattern.
func (s *schema) mapping(pattern string) object {
	properties, required, all := object{}, []string{}, []object{}
	for i := range s.keys {
		k := &s.keys[i]
		if !k.Within(pattern) {
			continue
		}
		properties[k.Name()] = s.property(k)
		if k.Need != "" {
			required = append(required, k.Name())
		}
		given := object{"required": []string{k.Name()}}
		if k.When != "" {
			all = append(all, object{"if": given, "then": condition(k.When)})
		}
		for _, with := range slices.Sorted(maps.Keys(k.Not)) {
			if !strings.Contains(with, ".") { // it stands beside the key
				all = append(all, object{"if": given, "then": object{"not": condition(with)}})
			}
		}
	}
	if pattern == "sampler" {
		all = append(all, s.options()...)
	}
	out := object{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
	if len(all) > 0 {
		out["allOf"] = all
	}
	return out
}

// condition returns the schema of a mapping with a key, such as choices, or with a value of a key,
// such as "mode: pool".
func condition(with string) object {
	key, value, valued := strings.Cut(with, ": ")
	out := object{"required": []string{key}}
	if valued {
		out["properties"] = object{key: object{"const": value}}
	}
	return out
}

// property returns the schema of a key.
func (s *schema) property(k *yamlfile.Key) object {
	t, out := k.Type(), object{}
	switch t.Kind {
	case "text":
		if out = ref("scalar"); t.Match != nil {
			out = object{"type": "string", "pattern": t.Match.String()}
		}
	case "word":
		var words []any
		for _, w := range t.Words {
			if words = append(words, w); w == "true" || w == "false" {
				words = append(words, w == "true")
			}
		}
		out = object{"enum": words}
	case "number", "integer":
		if out = (object{"type": t.Kind}); t.Low == math.SmallestNonzeroFloat64 {
			out["exclusiveMinimum"] = 0
		} else if t.Low > -math.MaxFloat64 {
			out["minimum"] = t.Low
		}
		if t.High < math.MaxFloat64 {
			out["maximum"] = t.High
		}
	case "seed":
		out = object{"anyOf": []object{{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+$"}}}
	case "mapping":
		pattern := k.Path
		if t.List {
			pattern += "[]"
		}
		out = s.mapping(pattern)
	case "values", "entrant":
		out = ref(t.Kind)
	}
	if t.List {
		out = object{"type": "array", "items": out}
		if k.Items.Least > 0 {
			out["minItems"] = k.Items.Least
		}
		if k.Items.Most > 0 {
			out["maxItems"] = k.Items.Most
		}
	}
	if k.Path == "tune.fix" {
		out = object{"anyOf": []object{out, {"type": "string"}}} // the path of a file
	}
	out["description"] = Plain(k.Doc)
	if value, ok := k.Filled(); ok {
		out["default"] = value
	} else if k.Default != "" {
		out["description"] = fmt.Sprintf("%s (default: %s)", out["description"], k.Default)
	}
	return out
}

// options returns what each sampler's options may be. A name with a dot is of a parameter of
// the study, which the schema does not know.
func (s *schema) options() []object {
	var all []object
	if s.samplers == nil {
		return nil
	}
	for _, name := range s.samplers.Names() {
		one := []object{{"properties": object{"name": object{"pattern": `\.`}}}}
		for _, p := range s.samplers.Options(name) {
			value := object{"description": fmt.Sprintf("%s (default: %s)", p.Doc, p.Default)}
			switch p.Kind {
			case param.Int, param.Float:
				value["minimum"], value["maximum"] = p.Domain.Low, p.Domain.High
			case param.Choice:
				if p.Choices != nil {
					value["enum"] = p.Choices
				}
			}
			one = append(one, object{"properties": object{"name": object{"const": p.Name, "description": p.Doc}, "value": value}})
		}
		all = append(all, object{"if": object{"required": []string{"name"}, "properties": object{"name": object{"const": name}}},
			"then": object{"properties": object{"options": object{"items": object{"anyOf": one}}}}})
	}
	return all
}
