package api

import (
	"bytes"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// The committed description is that of the declarations.
func TestDescription(t *testing.T) {
	got, err := V1.openAPI()
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("openapi.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile("openapi.json"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("openapi.json is stale; go test ./tuner/web/api -run TestDescription -update (%v)", err)
	}
}

// A field of a body that is a pointer and always written may be null, unless something is
// expected there.
func TestPointersMayBeNull(t *testing.T) {
	s := newSchemas()
	for _, o := range V1.all {
		s.operation(o)
	}
	seen := 0
	for name, of := range s.types {
		for _, field := range reflect.VisibleFields(of) {
			key, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if key == "" || field.Type.Kind() != reflect.Pointer || strings.Contains(options, "omit") || field.Tag.Get("need") != "" {
				continue
			}
			seen++
			if got := s.named[name]["properties"].(object)[key].(object); len(got) > 0 && got["nullable"] != true {
				t.Errorf("%s.%s: %v", name, key, got)
			}
		}
	}
	if seen < 10 {
		t.Errorf("%d fields were looked at", seen)
	}
	for _, name := range []string{"FilmHeader", "FilmFrame", "FilmEnd"} {
		if s.types[name] == nil {
			t.Errorf("no schema %s, which the answers of films name", name)
		}
	}
}

// Parameters and fields are described as the server reads them.
func TestDescribedBounds(t *testing.T) {
	for part, want := range map[string]int{
		`"$ref": "#/components/schemas/EventID"`:                       2,
		`"$ref": "#/components/schemas/Seed"`:                          4,
		`"pattern": "^[0-9a-f]{32}$"`:                                  1,
		`"pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}(@[0-9]{1,9})?$"`: 2,
	} {
		if n := strings.Count(string(Description), part); n != want {
			t.Errorf("%s comes %d times, want %d", part, n, want)
		}
	}
	s := newSchemas()
	for _, p := range placesOf(V1.WatchFilm.in) {
		if p.name != "entrant" {
			continue
		}
		schema := s.parameter(&p)["schema"].(object)
		if items := schema["items"].(object); items["maxLength"] != int64(2000) || schema["maxItems"] != int64(64) {
			t.Errorf("entrant: %v", schema)
		}
	}
}
