package api

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/param"
	"sakusen/tuner/web/films"
)

// object is a part of the description. Its keys are written in alphabetical order.
type object map[string]any

// schemas are the schemas of the description, which is of OpenAPI 3.0.3: what may be null is
// marked nullable, since generators differ in what they take of 3.1.
type schemas struct {
	named map[string]object
	types map[string]reflect.Type // by the same names
}

// newSchemas begins with the schemas that tags name.
func newSchemas() *schemas {
	return &schemas{types: map[string]reflect.Type{}, named: map[string]object{
		"State": {"type": "string", "enum": []string{"queued", "running", "paused", "stopped", "failed", "done", "foreign"},
			"description": "Of tournaments and experiments never foreign, which is a study that a program keeps with Goptuna's API."},
		"Phase":   {"type": "string", "enum": []string{"tune", "final", "validation"}},
		"Decimal": {"type": "string", "pattern": "^[0-9]{1,20}$", "description": "64 bits without sign, decimal."},
	}}
}

// named refers to a schema by its name.
func named(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// of is the schema of a type: of a struct a reference to the one that it is given here.
func (s *schemas) of(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[json.RawMessage](), reflect.TypeFor[any]():
		return object{}
	case reflect.TypeFor[param.Seed]():
		return object{"oneOf": []object{{"type": "string", "pattern": "^[0-9]{1,20}$"}, {"type": "integer"}}}
	case reflect.TypeFor[films.Text]():
		return object{"oneOf": []object{{"type": "string"}, {"type": "number"}, {"type": "boolean"}}}
	}
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return object{"type": "string"}
	}
	if t.Kind() != reflect.Pointer && t.Implements(reflect.TypeFor[json.Marshaler]()) {
		panic(fmt.Sprintf("api: %v writes JSON of its own", t))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(s.of(t.Elem()))
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Int64:
		return object{"type": "integer", "format": "int64"}
	case reflect.Int, reflect.Uint8, reflect.Int32:
		return object{"type": "integer"}
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Array:
		return object{"type": "array", "items": s.of(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Struct:
		if t.Name() == "" || strings.Contains(t.Name(), "[") {
			return s.object(t)
		}
		return s.component(t)
	}
	panic(fmt.Sprintf("api: no schema of %v", t))
}

// nullable allows null beside what a schema allows.
func nullable(o object) object {
	if len(o) == 0 {
		return o // of anything
	}
	if o["$ref"] != nil {
		return object{"allOf": []object{o}, "nullable": true}
	}
	o["nullable"] = true
	return o
}

// component names the schema of a struct after its type.
func (s *schemas) component(t reflect.Type) object {
	name := t.Name()
	if other, ok := s.types[name]; ok && other != t { // two types of one name: this one with its package
		name = strings.ToUpper(t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:][:1]) + t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+2:] + name
	}
	if _, ok := s.types[name]; !ok {
		s.types[name] = t
		s.named[name] = object{} // for those that contain themselves
		maps.Copy(s.named[name], s.object(t))
	}
	return named(name)
}

// object is the schema of a struct.
func (s *schemas) object(t reflect.Type) object {
	properties, required := object{}, []string{}
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" || !field.IsExported() {
			continue
		}
		of := s.field(field)
		absent := strings.Contains(options, "omit")
		if absent || field.Tag.Get("need") != "" { // never null
			if delete(of, "nullable"); len(of) == 1 && of["allOf"] != nil {
				of = of["allOf"].([]object)[0]
			}
		}
		if !absent {
			required = append(required, name)
		}
		properties[name] = of
	}
	o := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		slices.Sort(required)
		o["required"] = required
	}
	return o
}

// field is the schema of a field with what its tags say.
func (s *schemas) field(f reflect.StructField) object {
	o := s.of(f.Type)
	if f.Tag.Get("null") != "" {
		o = nullable(o)
	}
	switch name := f.Tag.Get("schema"); name {
	case "":
	case "Time":
		o["format"] = "date-time"
	case "Decimals":
		o["items"] = named("Decimal")
	default:
		o = named(name)
	}
	o = told(o, f.Tag)
	if help := f.Tag.Get("help"); help != "" {
		if o["$ref"] != nil { // beside which nothing counts
			o = object{"allOf": []object{o}}
		}
		o["description"] = help
	}
	return o
}

// told adds to a schema the bounds that the tags of a field say.
func told(o object, tag reflect.StructTag) object {
	if enum := tag.Get("enum"); enum != "" && o["type"] == "string" {
		o["enum"] = strings.Split(enum, ",")
	}
	for _, b := range []struct{ tag, kind, key string }{
		{"min", "integer", "minimum"}, {"max", "integer", "maximum"}, {"least", "string", "minLength"}, {"most", "string", "maxLength"},
		{"least", "array", "minItems"}, {"most", "array", "maxItems"}, {"bytes", "string", "maxLength"},
	} {
		if n, err := strconv.ParseInt(tag.Get(b.tag), 10, 64); err == nil && o["type"] == b.kind {
			o[b.key] = n
		}
	}
	if length := tag.Get("line"); length != "" && o["type"] == "string" {
		o["minLength"], o["maxLength"] = lengths(length)
	}
	return o
}
