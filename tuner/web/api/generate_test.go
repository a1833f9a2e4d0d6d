package api

import (
	"bytes"
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
	"sakusen/tuner/export"
	"sakusen/tuner/web/films"
)

// openAPI writes the description of the operations, of OpenAPI 3.0.3.
func (a *API) openAPI() ([]byte, error) {
	s := newSchemas()
	paths := map[string]object{}
	for _, o := range a.all {
		path := strings.Replace(o.Path, "...}", "}", 1)
		if paths[path] == nil {
			paths[path] = object{}
		}
		paths[path][strings.ToLower(o.Method)] = s.operation(o)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(object{
		"openapi": "3.0.3",
		"info": object{"title": "Sakusen", "version": "1",
			"description": "Studies, tournaments and experiments of a daemon. Writes need Content-Type: application/json; where the server has a token, every request needs Authorization: Bearer TOKEN or a login's cookie."},
		"servers":  []object{{"url": "/", "description": "The daemon that gave this description."}},
		"security": []object{{"bearer": []string{}}, {}},
		"paths":    paths,
		"components": object{"schemas": s.named,
			"securitySchemes": object{"bearer": object{"type": "http", "scheme": "bearer"}}},
	})
	return out.Bytes(), err
}

// Problem is the answer of the API to a request that it cannot fulfil.
type Problem struct {
	Error  string   `json:"error"`
	Errors []string `json:"errors,omitempty" help:"All of them, where there are several."`
}

// operation returns an operation in the description.
func (s *schemas) operation(o *Operation) object {
	problem := object{"description": "Not done; error says why, errors lists everything that is wrong.",
		"content": object{jsonType: object{"schema": s.of(reflect.TypeFor[Problem]())}}}
	answers := object{"4XX": problem, "default": problem}
	for _, a := range o.Answers {
		answers[strconv.Itoa(a.Status)] = object{"description": a.Help, "content": s.content(o)}
	}
	out := object{"operationId": o.ID, "summary": o.Help, "description": fmt.Sprintf("Takes the role %s.", o.Role), "responses": answers}
	var parameters []object
	for _, p := range placesOf(o.in) {
		if p.in == "body" {
			schema := s.of(p.Type)
			taken := schema
			if name, ok := schema["$ref"].(string); ok {
				taken = s.named[strings.TrimPrefix(name, "#/components/schemas/")]
			}
			taken["additionalProperties"] = false
			out["requestBody"] = object{"required": true, "content": object{jsonType: object{"schema": schema}}}
		} else if p.Type.Kind() != reflect.Map {
			parameters = append(parameters, s.parameter(&p))
		}
	}
	if parameters != nil {
		out["parameters"] = parameters
	}
	return out
}

// content returns what an operation answers, by media type.
func (s *schemas) content(o *Operation) object {
	out := object{}
	for kind := range strings.SplitSeq(o.Type, ",") {
		switch {
		case kind != jsonType: // lines are told as texts, and what is in them by a schema of its own
			if o.out.NumField() > 0 {
				s.of(o.out)
			}
			out[kind] = object{"schema": object{"type": "string"}}
		case o.out == reflect.TypeFor[File]():
			out[kind] = object{"schema": object{}}
		default:
			out[kind] = object{"schema": s.of(o.out)}
		}
	}
	return out
}

// parameter returns a parameter in the description.
func (s *schemas) parameter(p *place) object {
	t := p.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	schema := s.of(t)
	if name := p.Tag.Get("schema"); name == "ExportFormat" {
		schema["enum"] = export.FormatNames()
	} else if name != "" {
		schema = named(name)
	}
	if t.Kind() == reflect.Int || t.Kind() == reflect.Int64 {
		schema["minimum"], schema["maximum"] = p.bounds()
		schema["format"] = "int64"
	}
	out := object{"name": p.name, "in": p.in, "schema": told(schema, p.Tag)}
	if p.in == "path" {
		out["required"] = true
	}
	if help := p.Tag.Get("help"); help != "" {
		out["description"] = help
	}
	return out
}

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
		"Seed": {"oneOf": []object{{"type": "string", "pattern": "^[0-9]{1,20}$"}, {"type": "integer", "format": "int64", "minimum": 0}},
			"description": "64 bits without sign; more than 2^53 as a text."},
		"EventID": {"type": "integer", "format": "int64", "minimum": 0},
	}}
}

// named refers to a schema by its name.
func named(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// of returns the schema of a type; for a struct, a reference to the schema that it adds.
func (s *schemas) of(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case reflect.TypeFor[json.RawMessage](), reflect.TypeFor[any]():
		return object{}
	case reflect.TypeFor[param.Seed](): // as it is answered; the requests that take one name the schema Seed
		return named("Decimal")
	case reflect.TypeFor[films.Text]():
		return object{"oneOf": []object{{"type": "string"}, {"type": "number"}, {"type": "boolean"}}}
	}
	if t.Kind() == reflect.Pointer { // before what a type does by itself, which its pointer does too
		return nullable(s.of(t.Elem()))
	}
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return object{"type": "string"}
	}
	if t.Implements(reflect.TypeFor[json.Marshaler]()) {
		panic(fmt.Sprintf("api: %v writes JSON of its own", t))
	}
	switch t.Kind() {
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
	name := strings.ToUpper(t.Name()[:1]) + t.Name()[1:]
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

// object returns the schema of a struct.
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

// field returns the schema of a field with what its tags say.
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
		if f.Type.Kind() == reflect.Pointer {
			o = nullable(o)
		}
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
		{"least", "array", "minItems"}, {"most", "array", "maxItems"}, {"most", "object", "maxProperties"}, {"bytes", "string", "maxLength"},
	} {
		if n, err := strconv.ParseInt(tag.Get(b.tag), 10, 64); err == nil && o["type"] == b.kind {
			o[b.key] = n
		}
	}
	if length := tag.Get("line"); length != "" && o["type"] == "string" {
		o["minLength"], o["maxLength"] = lengths(length)
	}
	if pattern := tag.Get("pattern"); pattern != "" && o["type"] == "string" {
		o["pattern"] = pattern
	}
	if items, ok := o["items"].(object); ok && items["type"] == "string" { // what bounds a text bounds each of a list
		told(items, reflect.StructTag(fmt.Sprintf("bytes:%q line:%q", tag.Get("bytes"), tag.Get("line"))))
	}
	return o
}
