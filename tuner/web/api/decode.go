package api

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sakusen/engines/param"
	"sakusen/engines/plain"
	"sakusen/tuner/service"
)

// longestName bounds the name of a study of another program, in bytes; those of study files
// are shorter.
const longestName = 512

// Decode reads a request into an In, and checks it against the declaration.
func (op Op[In, Out]) Decode(r *http.Request) (*In, error) {
	in := new(In)
	v := reflect.ValueOf(in).Elem()
	var wrong []error
	query := r.URL.Query()
	for _, p := range placesOf(op.in) {
		field := v.FieldByIndex(p.Index)
		var err error
		switch p.in {
		case "path":
			err = p.readPath(field, r.PathValue(p.name), op.Kind)
		case "query":
			err = p.readQuery(field, query)
		case "header":
			err = p.readText(field, r.Header.Get(p.name))
		}
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	if len(wrong) == 0 {
		wrong = append(wrong, op.readBody(r, v), checked(in))
	}
	return in, op.refuse(wrong)
}

// readBody reads the body of a request into the field of an In that is for it.
func (o *Operation) readBody(r *http.Request, in reflect.Value) error {
	for _, p := range placesOf(o.in) {
		if p.in != "body" {
			continue
		}
		field := in.FieldByIndex(p.Index)
		if err := readJSON(r, field.Addr().Interface()); err != nil {
			return err
		}
		return o.refuse(append(checkFields("", field), checked(field.Addr().Interface())))
	}
	return nil
}

// checked returns what the Check method of a value says, where it has one.
func checked(v any) error {
	if c, ok := v.(interface{ Check() error }); ok {
		return c.Check()
	}
	return nil
}

// refuse makes one error of several, nil where there is none.
func (o *Operation) refuse(wrong []error) error {
	wrong = slices.DeleteFunc(wrong, func(err error) bool { return err == nil })
	switch {
	case len(wrong) == 0:
		return nil
	case o.Refusal == "":
		return wrong[0]
	}
	var texts []string
	for _, err := range wrong {
		if e, ok := errors.AsType[*service.Error](err); !ok || e.Code != service.Invalid || strings.HasPrefix(e.Text(), "body:") {
			return err
		}
		texts = append(texts, strings.Split(err.Error(), "\n")...)
	}
	return service.New(service.Invalid, o.Refusal, texts...)
}

// readJSON decodes a request's body: one JSON document with known fields only. An empty
// body leaves v as it is.
func readJSON(r *http.Request, v any) error {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var large *http.MaxBytesError
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case errors.As(err, &large):
		return err
	case errors.As(err, &mistyped):
		return invalid("body: %sexpected %s, got %.40s", fieldPath(mistyped.Field), param.JSONKind(mistyped.Type), mistyped.Value)
	case err != nil:
		return invalid("body: %.200s", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return invalid("body: expected one JSON document")
	}
	return nil
}

// fieldPath returns the path of a field in a body, followed by a colon; empty for the whole
// body. encoding/json puts the Go names of embedded structs into the path. They begin with
// a capital, as no field of a body does.
func fieldPath(field string) string {
	names := slices.DeleteFunc(strings.Split(field, "."), func(name string) bool { return name == "" || unicode.IsUpper(rune(name[0])) })
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names, ".") + ": "
}

// invalid returns an error that the client has caused.
func invalid(format string, args ...any) error {
	return service.New(service.Invalid, fmt.Sprintf(format, args...))
}

// readPath reads a part of the path. A name that nothing can have is reported as not found.
// kind is what the operation works on.
func (p *place) readPath(field reflect.Value, text, kind string) error {
	what := cmp.Or(p.Tag.Get("what"), kind)
	missing := service.New(service.NotFound, fmt.Sprintf("no %s %.40q", what, text))
	if field.Kind() == reflect.Int {
		least, most := p.bounds()
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < least || n > most || text != strconv.FormatInt(n, 10) {
			return missing
		}
		field.SetInt(n)
		return nil
	}
	field.SetString(text)
	if p.Tag.Get("line") != "" {
		return Line(p.name, text, p.Tag.Get("line"))
	}
	if what != "" && (text == "" || len(text) > longestName || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl)) {
		return missing
	}
	return nil
}

// readQuery reads a parameter of the query; an empty one counts as absent.
func (p *place) readQuery(field reflect.Value, query url.Values) error {
	switch field.Kind() {
	case reflect.Slice:
		for _, text := range query[p.name] {
			if strings.TrimSpace(text) != "" {
				field.Set(reflect.Append(field, reflect.ValueOf(text)))
			}
		}
		return nil
	case reflect.Map: // the parameters whose names begin so
		field.Set(reflect.MakeMap(field.Type()))
		for name := range query {
			if key, ok := strings.CutPrefix(name, p.name); ok && strings.TrimSpace(query.Get(name)) != "" {
				field.SetMapIndex(reflect.ValueOf(key), reflect.ValueOf(query.Get(name)).Convert(field.Type().Elem()))
			}
		}
		return nil
	}
	return p.readText(field, query.Get(p.name))
}

// readText reads a value that is one text.
func (p *place) readText(field reflect.Value, text string) error {
	if text = cmp.Or(text, p.Tag.Get("default")); text == "" {
		return nil
	}
	switch field.Kind() {
	case reflect.Pointer:
		field.Set(reflect.New(field.Type().Elem()))
		return p.readText(field.Elem(), text)
	case reflect.Int, reflect.Int64:
		least, most := p.bounds()
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < least || n > most {
			return invalid("%s: expected an integer from %d to %d, got %.40q", p.name, least, most, text)
		}
		field.SetInt(n)
	case reflect.Bool:
		if text != "true" && text != "false" {
			return invalid("%s: expected true or false, got %.40q", p.name, text)
		}
		field.SetBool(text == "true")
	case reflect.Struct:
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return invalid("%s: expected a time such as 2026-11-22T10:00:00Z, got %.40q", p.name, text)
		}
		field.Set(reflect.ValueOf(at))
	default:
		if all := p.Tag.Get("enum"); all != "" && p.Tag.Get("open") == "" && !slices.Contains(strings.Split(all, ","), text) {
			return invalid("%s: expected %s, got %.40q", p.name, either(strings.Split(all, ",")), text)
		}
		field.SetString(text)
	}
	return nil
}

// either lists alternatives for a message: "a, b or c".
func either(all []string) string {
	if len(all) == 1 {
		return all[0] + " or nothing"
	}
	return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}

// checkFields checks the fields of a body against their tags. at is their path in the body.
func checkFields(at string, v reflect.Value) (wrong []error) {
	switch v.Kind() {
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Struct {
			for i := range v.Len() {
				wrong = append(wrong, checkFields(fmt.Sprintf("%s[%d].", strings.TrimSuffix(at, "."), i), v.Index(i))...)
			}
		}
		return wrong
	case reflect.Struct:
	default:
		return nil
	}
	for _, field := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" || !field.IsExported() {
			continue
		}
		value := v.FieldByIndex(field.Index)
		wrong = append(wrong, checkField(at+name, field.Tag, value))
		if value.Kind() == reflect.Slice {
			wrong = append(wrong, checkFields(at+name+".", value)...)
		}
	}
	return wrong
}

// checkField checks a value of a body against the tags of its field.
func checkField(name string, tag reflect.StructTag, v reflect.Value) error {
	need := tag.Get("need")
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() && need != "" {
			return invalid("%s: expected %s", name, need)
		}
		if !v.IsNil() {
			return checkField(name, tag, v.Elem())
		}
	case reflect.String:
		switch {
		case need != "" && v.Len() == 0:
			return invalid("%s: expected %s, got none", name, need)
		case tag.Get("line") != "":
			return Line(name, v.String(), tag.Get("line"))
		case tag.Get("bytes") != "" && int64(v.Len()) > bound(tag, "bytes", 0):
			return invalid("%s: expected at most %s bytes, got %d", name, tag.Get("bytes"), v.Len())
		}
	case reflect.Slice:
		if least, most := bound(tag, "least", 0), bound(tag, "most", 1<<40); least > 0 && (int64(v.Len()) < least || int64(v.Len()) > most) {
			return invalid("%s: expected %d to %d, got %d", name, least, most, v.Len())
		}
		if tag.Get("line") != "" {
			for i := range v.Len() {
				if err := Line(name, v.Index(i).String(), tag.Get("line")); err != nil {
					return err
				}
			}
		}
	case reflect.Int, reflect.Int64:
		if least, most := tag.Get("min"), tag.Get("max"); least != "" && most != "" && (v.Int() < bound(tag, "min", 0) || v.Int() > bound(tag, "max", 0)) {
			return invalid("%s: expected an integer from %s to %s, got %d", name, least, most, v.Int())
		}
	}
	return nil
}

// Line checks a text that pages show and search: it must be one line, of a length such as
// 1-200, in characters.
func Line(name, text, length string) error {
	least, most := lengths(length)
	n := int64(utf8.RuneCountInString(text))
	if n < least || n > most || !plain.Is(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return invalid("%s: expected %d to %d characters in one line, got %.40q", name, least, most, text)
	}
	return nil
}

// lengths reads a length such as 1-200.
func lengths(text string) (least, most int64) {
	from, to, _ := strings.Cut(text, "-")
	least, _ = strconv.ParseInt(from, 10, 64)
	most, _ = strconv.ParseInt(to, 10, 64)
	return least, most
}
