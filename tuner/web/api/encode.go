package api

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Target is the address of a request, path and query, as the operation has them.
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

// Query is the query of a request, without what is absent.
func (op Op[In, Out]) Query(in *In) url.Values {
	query := url.Values{}
	for _, p := range placesOf(op.in) {
		if field := reflect.ValueOf(in).Elem().FieldByIndex(p.Index); p.in == "query" && !field.IsZero() {
			p.write(query, field)
		}
	}
	return query
}

// Body is the body of a request, nil where the operation takes none.
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

// text is a value as a path or a query has it.
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
