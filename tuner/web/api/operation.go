package api

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// prefix begins the path of every operation.
const prefix = "/api/v1"

// Description is the OpenAPI document of the API, which go test -run TestDescription -update
// writes from the declarations.
//
//go:embed openapi.json
var Description []byte

// Op is an operation that takes an In and answers with an Out. In is a struct whose
// fields say where they stand in a request:
//
//	path:"study"            a part of the path
//	query:"limit"           a parameter of the query
//	header:"Last-Event-ID"  a header
//	body:"json"             the body, one JSON document
//
// Embedded structs count as their fields. Beside that a field may have
//
//	help     what it means, for the description
//	default  its value where it is absent
//	min, max the bounds of an integer; without them 0 and 2^53
//	least, most  the bounds of a text's length in characters, or of a list's
//	line     the same of a text that has to stand in one line
//	need     what is expected where a text of a body must not be empty
//	enum     the texts that are allowed, by commas; with open they are told, and the operation
//	         itself says what it takes
//	what     what a part of the path names, for the error where there is none such
//	null     that a list may be null
//	bytes    the bound of a text in bytes, or of each of a list
//	pattern  what a text looks like; it is told, and the operation itself says what it takes
//	schema   the name of a schema that several fields have, such as State
//
// The same tags describe the fields of bodies and answers, beside their json tag. A field
// that is always written (no omitempty) is required.
type Op[In, Out any] struct{ *Operation }

// Operation is an operation without its Go types.
type Operation struct {
	ID     string // such as listStudies: unique, for generated clients
	Method string
	Path   string // whole, such as /api/v1/studies/{study}
	Help   string
	Role   Role   // that it takes
	Type   string // media type of the answer; of a file the first of several, by commas
	Kind   string // of the jobs on which it works, empty for others
	// Limit bounds the body, in bytes.
	Limit int64
	// Refusal is the first line of the error that lists all mistakes of a request; without
	// it only the first mistake is reported.
	Refusal string
	// Answers are the statuses of success with what they mean, ascending.
	Answers []answer

	in, out reflect.Type
}

// answer is a status of success.
type answer struct {
	Status int
	Help   string
}

const (
	// usualBody bounds a body, in bytes, where a declaration does not. A study file takes
	// some thousand.
	usualBody = 1 << 20
	jsonType  = "application/json"
)

// Streams reports whether the answer is a stream.
func (o *Operation) Streams() bool {
	return o.Type == "text/event-stream" || o.Type == "application/x-ndjson"
}

// declared is implemented by every Op: declare sets its operation and notes its types.
type declared interface {
	declare(*Operation)
}

func (op *Op[In, Out]) declare(o *Operation) {
	o.in, o.out = reflect.TypeFor[In](), reflect.TypeFor[Out]()
	op.Operation = o
}

// API are all operations, each declared by a field: its types, and tags that say
//
//	GET, POST, PUT, DELETE  its path below [Prefix]
//	help                    what it does
//	role                    what it takes; without it read for GET, and else administer
//	type                    the media type of the answer where it is not JSON
//	limit                   the bytes of a body where they are not 1 MiB
//	refusal                 what heads the list of all mistakes
//	200, 201                what a status of success means
//
// A field that is a group puts its path before theirs, and its noun into their names and texts.
type API struct {
	daemon
	studies
	games
	jobLists
	Tournaments Jobs `path:"/tournaments" name:"Tournament" noun:"tournament" kind:"tournament"`
	Runs        Jobs `path:"/experiments/runs" name:"ExperimentRun" noun:"run of an experiment" kind:"experiment"`
	Tests       Jobs `path:"/tests" name:"Test" noun:"test of a patch" kind:"test"`
	benchmarks
	all []*Operation
}

// V1 are the operations of the API.
var V1 = newAPI()

func newAPI() *API {
	a := &API{}
	a.all = declareAll(reflect.ValueOf(a).Elem(), "")
	return a
}

// All lists the operations.
func (a *API) All() []*Operation { return a.all }

// declareAll fills the operations of a group from their tags, and lists them in order.
func declareAll(group reflect.Value, of reflect.StructTag) (all []*Operation) {
	for i := range group.NumField() {
		field := group.Type().Field(i)
		switch v := group.Field(i); {
		case field.Anonymous:
			all = append(all, declareAll(v, "")...)
		case field.Tag.Get("kind") != "":
			all = append(all, declareAll(v, field.Tag)...)
		case field.Tag != "":
			o := operationOf(field, of)
			v.Addr().Interface().(declared).declare(o)
			all = append(all, o)
		}
	}
	return all
}

// operationOf reads the tags of a field that is an operation, and of the group in which it is.
func operationOf(field reflect.StructField, of reflect.StructTag) *Operation {
	tag := field.Tag
	o := &Operation{ID: strings.ToLower(field.Name[:1]) + field.Name[1:] + of.Get("name"), Kind: of.Get("kind"),
		Help: strings.ReplaceAll(tag.Get("help"), "NOUN", of.Get("noun")), Limit: bound(tag, "limit", usualBody), Refusal: tag.Get("refusal"), Type: jsonType}
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		if path, ok := tag.Lookup(method); ok {
			o.Method, o.Path = method, prefix+of.Get("path")+path
		}
	}
	o.Role = Administer
	if o.Method == http.MethodGet {
		o.Role = Read
	}
	if text, ok := tag.Lookup("role"); ok {
		o.Role, _ = roleOf(text)
	}
	if text, ok := tag.Lookup("type"); ok {
		o.Type = text
	}
	for _, status := range []int{http.StatusOK, http.StatusCreated} {
		if help, ok := tag.Lookup(strconv.Itoa(status)); ok {
			o.Answers = append(o.Answers, answer{status, help})
		}
	}
	if o.Answers == nil {
		o.Answers = []answer{{http.StatusOK, "Done."}}
	}
	return o
}

// place says where a field of an In is in a request.
type place struct {
	in, name string
	reflect.StructField
}

// tags are the places where a field may be.
var tags = []string{"path", "query", "header", "body"}

// placesOf lists the fields of an In, including those of embedded structs.
func placesOf(t reflect.Type) (all []place) {
	for _, field := range reflect.VisibleFields(t) {
		for _, in := range tags {
			if name, ok := field.Tag.Lookup(in); ok {
				all = append(all, place{in, name, field})
			}
		}
	}
	return all
}

// bounds returns the bounds of an integer of the path, the query or a header.
func (p *place) bounds() (least, most int64) {
	return bound(p.Tag, "min", 0), bound(p.Tag, "max", MostKey)
}

// MostKey is the largest key of a page, which every client can hold as a number.
const MostKey = 1 << 53

// bound returns the bound in a tag, or otherwise.
func bound(tag reflect.StructTag, name string, otherwise int64) int64 {
	if n, err := strconv.ParseInt(tag.Get(name), 10, 64); err == nil {
		return n
	}
	return otherwise
}

// Target returns the address of a request, path and query, as the operation has them.
func (op Op[In, Out]) Target(in *In) string {
	v := reflect.ValueOf(in).Elem()
	path := op.Path
	for _, p := range placesOf(op.in) {
		if p.in == "path" {
			part := url.PathEscape(text(v.FieldByIndex(p.Index)))
			path = strings.NewReplacer("{"+p.name+"}", part, "{"+p.name+"...}", part).Replace(path)
		}
	}
	if query := op.Query(in); len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

// Query returns the query of a request, without what is absent.
func (op Op[In, Out]) Query(in *In) url.Values {
	query := url.Values{}
	for _, p := range placesOf(op.in) {
		if field := reflect.ValueOf(in).Elem().FieldByIndex(p.Index); p.in == "query" && !field.IsZero() {
			p.write(query, field)
		}
	}
	return query
}

// Body returns the body of a request, nil where the operation takes none.
func (op Op[In, Out]) Body(in *In) ([]byte, error) {
	for _, p := range placesOf(op.in) {
		if p.in == "body" {
			return json.Marshal(reflect.ValueOf(in).Elem().FieldByIndex(p.Index).Interface())
		}
	}
	return nil, nil
}

// write adds a parameter to a query.
func (p *place) write(query url.Values, v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			query.Add(p.name, text(v.Index(i)))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			query.Set(p.name+key.String(), text(v.MapIndex(key)))
		}
	case reflect.Pointer:
		p.write(query, v.Elem())
	default:
		query.Set(p.name, text(v))
	}
}

// text returns a value in the form that it has in a path or a query.
func text(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.String:
		return v.String()
	}
	if at, ok := v.Interface().(time.Time); ok {
		return at.Format(time.RFC3339)
	}
	return fmt.Sprint(v.Interface())
}
