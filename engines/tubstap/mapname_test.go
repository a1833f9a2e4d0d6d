package tubstap

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// openMap fixes rules with the map named so and returns its canonical name.
func openMap(name string, read reader) (string, error) {
	g := arena.Catalogue{arena.Enter(Definition())}.Reading(arena.Files{Read: read})[0]
	rs, errs := g.Open(param.Values{{Name: "map", Text: name}})
	if len(errs) > 0 {
		return "", errors.Join(errs...)
	}
	text, _ := rs.Rules.Get("map")
	return text, nil
}

// disk returns a reader of one file, in the original's encoding.
func disk(path string) ([]byte, error) {
	if path != "maps/mine.tbsmap" {
		return nil, fmt.Errorf("open %s: no such file", path)
	}
	m, err := EmbeddedMap("own02")
	if err != nil {
		return nil, err
	}
	m.Comment = "\x83\x7d\x83\x62\x83\x76" // Shift_JIS
	return bytes.ReplaceAll(m.AppendText(nil), []byte("\n"), []byte("\r\n")), nil
}

func TestMapNames(t *testing.T) {
	data, err := disk("maps/mine.tbsmap")
	if err != nil {
		t.Fatal(err)
	}
	flat, err := flatMap(data)
	if err != nil || strings.ContainsAny(flat, "\r\n") || strings.Contains(flat, "\x83") {
		t.Fatalf("%q, %v", flat, err)
	}
	for _, c := range []struct {
		name, want string
	}{
		{"paper12b", "paper12b"},
		{"paper12b.tbsmap", "paper12b"},
		{"generated", "generated"},
		{"generate(7,10,12)", "generate(7,10,12)"},
		{" generate( 7 , 10x8 ,12 ) ", "generate(7,10x8,12)"},
		{"generate(0, 9x9, 5)", "generate(0,9,5)"},
		{"maps/mine.tbsmap", flat},
		{string(data), flat},
		{flat, flat},
	} {
		got, err := openMap(c.name, disk)
		if err != nil || got != c.want {
			t.Errorf("%q: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestMapNamesRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		read reader
		want string
	}{
		{"paper12", disk, "generate(seed, size, units), or the path or the text of a .tbsmap file, got paper12"},
		{"paper12", nil, "or generate(seed, size, units), or the text of a map, got paper12"},
		{"maps/mine.tbsmap", nil, "map: expected no path (only a command line or a study file on disk may name files), got maps/mine.tbsmap"},
		{"maps/none.tbsmap", disk, "a map file that can be read (open maps/none.tbsmap: no such file)"},
		{"generate(7,10)", nil, "expected generate(seed, size, units), got generate(7,10)"},
		{"generate(7,10,12", nil, "expected generate(seed, size, units), got"},
		{"generate(-1,10,12)", nil, "with a seed of 0 to 1000000"},
		{"generate(7,3,1)", nil, "with a size (one number, or WIDTHxHEIGHT) of 4 to 24"},
		{"generate(7,10x25,12)", nil, "of 4 to 24"},
		{"generate(7,10,0)", nil, "with units of 1 to 24"},
		{"generate(7,5,9)", nil, "of a map that there is (map_units 9: want 1 to a quarter of the 25 cells)"},
		{"SIZEX[7];SIZEY[2];", nil, "the text of a map (line 1: SIZEY"},
	} {
		if got, err := openMap(c.name, c.read); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

// TestGenerateIsGenerated: both ways to name a generated map name one map.
func TestGenerateIsGenerated(t *testing.T) {
	short := Options{MapName: "generate(9,12x8,6)"}
	d := DefaultDesign()
	d.Seed, d.Width, d.Height, d.Units = 9, 12, 8, 6
	long := Options{MapName: Generated, Generated: d}
	a, errA := short.Map()
	b, errB := long.Map()
	if errA != nil || errB != nil || !bytes.Equal(a.AppendText(nil), b.AppendText(nil)) {
		t.Errorf("two maps, %v, %v", errA, errB)
	}
	var declared Options
	if _, err := param.Bind(declared.Declare); err != nil || declared.Generated != DefaultDesign() {
		t.Errorf("declared %+v, %v, want %+v", declared.Generated, err, DefaultDesign())
	}
}
