package api

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Description is the description of the API as it is served: what [API.OpenAPI] writes.
//
//go:embed openapi.json
var Description []byte

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

// Problem is what the API answers where it cannot do what was asked.
type Problem struct {
	Error  string   `json:"error"`
	Errors []string `json:"errors,omitempty" help:"All of them, where there are several."`
}

// operation is an operation in the description.
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

// content is what an operation answers, by media type.
func (s *schemas) content(o *Operation) object {
	out := object{}
	for _, kind := range strings.Split(o.Type, ",") {
		switch {
		case kind != jsonType:
			out[kind] = object{"schema": object{"type": "string"}}
		case o.out == reflect.TypeFor[File]():
			out[kind] = object{"schema": object{}}
		default:
			out[kind] = object{"schema": s.of(o.out)}
		}
	}
	return out
}

// parameter is a parameter in the description.
func (s *schemas) parameter(p *place) object {
	t := p.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	schema := s.of(t)
	if name := p.Tag.Get("schema"); name != "" {
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
