package tubstap

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMapsWriteBack(t *testing.T) {
	for _, name := range MapNames() {
		data, err := embedded.ReadFile("maps/" + name + ".tbsmap")
		if err != nil {
			t.Fatal(err)
		}
		if got := mustMap(t, name).AppendText(nil); !bytes.Equal(got, data) {
			t.Errorf("%s: written back as\n%s", name, got)
		}
	}
}

const small = `SIZEX[4];SIZEY[3];
TURNLIMIT[50];HPTHRESHOLD[10];
UNITNUMRED[1];UNITNUMBLUE[1];
AUTHOR[a];MAPCOM[c];
UNIT[1,1,panzer,0,10,0];
UNIT[2,1,cannon,1,10,0];
MAP[0,0,0,0];
MAP[0,1,3,0];
MAP[0,0,0,0];
`

func TestMapForms(t *testing.T) {
	want, _, err := ParseMap([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"crlf":        strings.ReplaceAll(small, "\n", "\r\n"),
		"one line":    strings.ReplaceAll(small, "\n", ""),
		"no last end": strings.TrimSuffix(small, "\n"),
		"blanks":      strings.ReplaceAll(small, "[1,1,", "[ 1 , 1 ,"),
		"order":       "MAP[0,0,0,0];MAP[0,1,3,0];MAP[0,0,0,0];" + small[:strings.Index(small, "MAP[0")],
		"no ;":        strings.Replace(small, "];SIZEY", "]SIZEY", 1),
		"split tag":   strings.Replace(small, "UNIT[1,1,", "UNIT[1,\n1,", 1),
	} {
		m, w, err := ParseMap([]byte(text))
		if err != nil || len(w) > 0 {
			t.Errorf("%s: %v, %v", name, err, w)
			continue
		}
		if !bytes.Equal(m.AppendText(nil), want.AppendText(nil)) {
			t.Errorf("%s: read as\n%s", name, m.AppendText(nil))
		}
	}
}

// In Shift_JIS the second byte of a character may be '[' or ']'.
func TestMapShiftJIS(t *testing.T) {
	comment := "\x83\x5d\x81\x5b\x82\xa0" // zo, long vowel, a
	m, _, err := ParseMap([]byte(strings.Replace(small, "MAPCOM[c]", "MAPCOM["+comment+"]", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if m.Comment != "ゾーあ" {
		t.Errorf("comment %q", m.Comment)
	}
	if again, _, err := ParseMap(m.AppendText(nil)); err != nil || again.Comment != m.Comment || !utf8.Valid(m.AppendText(nil)) {
		t.Errorf("read again: %v, %q", err, again.Comment)
	}
	// A record of an old map with players whose names are UTF-8; and bytes that are neither.
	for text, want := range map[string]string{comment: "ゾーあ", "ゾー": "ゾー", "a\xff\x00b": "a\ufffd\x00b", "": ""} {
		if got := Text(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// A comment is no reason to refuse a game: MSS writes a time with its unit in brackets.
func TestOddRemarks(t *testing.T) {
	data, err := os.ReadFile("testdata/bestsingle.sgf")
	if err != nil {
		t.Fatal(err)
	}
	plain, _, err := ParseRecord(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, comment := range []string{"COM[depth 3,3.508[sec],nodes 5,12];\n", "COM[no step];\n", "COM[];\n", "COM[x,-4];\n", "COM[a;b,one];\n"} {
		r, warnings, err := ParseRecord([]byte(strings.Replace(string(data), "ACTION[2,3,1", comment+"ACTION[2,3,1", 1)))
		if err != nil {
			t.Errorf("%s: %v", comment, err)
			continue
		}
		if len(warnings) != 1 || warnings[0].Line == 0 || !strings.Contains(warnings[0].Text, "COM: ") || len(r.Remarks) > 0 {
			t.Errorf("%s: warnings %v, remarks %v", comment, warnings, r.Remarks)
		}
		if string(r.AppendText(nil)) != string(plain.AppendText(nil)) {
			t.Errorf("%s: another game", comment)
		}
	}
}

func TestMapErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"SIZEX[4];", "", "SIZEX is missing"},
		{"SIZEX[4]", "SIZEX[x]", `line 1: SIZEX: value "x": want a whole number`},
		{"SIZEX[4]", "SIZEX[4000]", "line 1: SIZEX: value 4000: want 3 to 64"},
		{"TURNLIMIT[50]", "TURNLIMIT[0]", "line 2: TURNLIMIT: value 0: want 1 to"},
		{"UNITNUMRED[1]", "UNITNUMRED[0]", "line 6: UNIT: unit 1: UNITNUMRED + UNITNUMBLUE leave room for 1"},
		{"panzer", "tank", `line 5: UNIT: name "tank": want one of fighter`},
		{"0,10,0];\nUNIT", "0,0,0];\nUNIT", "line 5: UNIT: HP 0: want 1 to 100"},
		{"UNIT[2,1,", "UNIT[1,1,", "line 6: UNIT: (1,1) already holds unit 0"},
		{"UNIT[2,1,", "UNIT[3,1,", "line 6: UNIT: x 3: want 1 to 2"},
		{"cannon,1", "cannon,2", "line 6: UNIT: team 2: want 0 to 1"},
		{"MAP[0,1,3,0]", "MAP[0,1,3]", "line 8: MAP: row 1 has 3 cells, want SIZEX = 4"},
		{"MAP[0,1,3,0]", "MAP[0,1,9,0]", "line 8: MAP: row 1, column 2: terrain 9: want 0 to 6"},
		{"MAP[0,1,3,0]", "MAP[1,1,3,0]", "line 8: MAP: row 1, column 0: the border must be terrain 0, not 1"},
		{"MAP[0,1,3,0];\n", "", "line 8: 2 MAP rows, want SIZEY = 3"},
		{"SIZEY[3]", "SIZEX[4]", "line 1: SIZEX: given twice"},
		{"AUTHOR[a];MAPCOM[c];", "AUTHOR[a;", ""},
		{"MAP[0,0,0,0];\nMAP[0,1", "MAP[0,0,0,0];\nMAP[0,1", ""},
	} {
		_, _, err := ParseMap([]byte(strings.Replace(small, c.old, c.new, 1)))
		if c.want == "" {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
	if _, _, err := ParseMap([]byte(small + "MAP[0")); err == nil || !strings.Contains(err.Error(), "line 10: MAP[: no closing ']'") {
		t.Errorf("unclosed: %v", err)
	}
}

func TestMapWarnings(t *testing.T) {
	text := strings.Replace(strings.Replace(small, "panzer,0,10", "panzer,0,12", 1), "0,1,3,0", "0,2,3,0", 1)
	_, w, err := ParseMap([]byte(text))
	if err != nil || len(w) != 2 || w[0].String() != "line 5: UNIT: HP 12 is above 10" ||
		w[1].String() != "line 5: UNIT: panzer stands on sea, which it cannot enter" {
		t.Errorf("%v, %v", w, err)
	}
}

func TestRecordWritesBack(t *testing.T) {
	data, err := os.ReadFile("testdata/bestsingle.sgf")
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := ParseRecord(data)
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.Replay(Rules{})
	if err != nil {
		t.Fatal(err)
	}
	if winner, end := s.Result(); winner != Red || end != Annihilation {
		t.Errorf("%v by %v", winner, end)
	}
	if got := r.AppendText(nil); !bytes.Equal(got, data) {
		t.Errorf("written back as\n%s", got)
	}
	g := NewGame(r.Map.Start(Rules{}))
	g.Record.Date, g.Record.Red, g.Record.Blue = r.Date, r.Red, r.Blue
	for _, turn := range r.Turns {
		for _, step := range turn.Steps {
			a, err := step.Action()
			if err == nil {
				err = g.Play(a)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := g.Record.AppendText(nil); !bytes.Equal(got, data) {
		t.Errorf("played again, recorded as\n%s", got)
	}
	if got, want := resigned(t), "1,True,1,0,0,0,0,"; !strings.HasPrefix(got, want) {
		t.Errorf("combat line %s, want %s...", got, want)
	}
	if got, want := g.CombatLine(), "0,False,3,0,5,0,0,0,26,0,0,0,0,0,0,16,0,0,0,10,0"; got != want {
		t.Errorf("combat line %s, want %s", got, want)
	}
}

func TestRecordErrors(t *testing.T) {
	data, err := os.ReadFile("testdata/bestsingle.sgf")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, c := range []struct{ old, new, want string }{
		{"TURNINFO[0,0,3]", "TURNINFO[0,0,2]", "line 24: ACTION: more actions than TURNINFO announced"},
		{"TURNINFO[0,0,3]", "TURNINFO[0,0,4]", "line 25: TURNINFO: the turn before lacks 1 of its actions"},
		{"TURNINFO[0,0,3]", "TURNINFO[0,2,3]", "line 21: TURNINFO: team 2"},
		{"ACTION[0,4,3,", "ACTION[0,4,", "line 22: ACTION: 10 fields, want 11"},
		{"2,10,0];\nACTION[1,3,2", "7,10,0];\nACTION[1,3,2", "line 22: ACTION: type 7"},
		{"2,10,0];\nACTION[1,3,2", "2,9,0];\nACTION[1,3,2", "turn 0, action 0: recorded as 0,4,3,2,2,5,4,4,2,9,0, the rules say 0,4,3,2,2,5,4,4,2,10,0"},
		{"ACTION[4,4,1,", "ACTION[4,1,1,", "turn 1, action 0: unit 4 (fighter at (4,1)) cannot end"},
	} {
		r, _, err := ParseRecord([]byte(strings.Replace(text, c.old, c.new, 1)))
		if err == nil {
			_, err = r.Replay(Rules{})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.new, c.old, err, c.want)
		}
	}
}

func TestRemarks(t *testing.T) {
	data, err := os.ReadFile("testdata/bestsingle.sgf")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), "ACTION[2,3,1", "COM[value 3, then 4,1];\nACTION[2,3,1", 1)
	r, _, err := ParseRecord([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Remarks) != 1 || r.Remarks[0] != (remark{"value 3, then 4", 1}) {
		t.Errorf("%v", r.Remarks)
	}
	if got := string(r.AppendText(nil)); got != text {
		t.Errorf("written back as\n%s", got)
	}
}

func TestReport(t *testing.T) {
	r := Report{MapName: "a,b", Red: "x", Blue: "y", NoisePos: true}
	r.Add(Red, Annihilation)
	r.Add(Blue, TurnLimit)
	r.Add(Nobody, TurnLimit)
	if got, want := r.String(), `"a,b",x,y,3,1,1,1,2,0,1,False,True`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func FuzzMap(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("MAPCOM[\x83\x5d];" + small))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, _, err := ParseMap(data)
		if err != nil {
			return
		}
		if err := m.Check(); err != nil {
			t.Fatalf("accepted: %v", err)
		}
		s := m.Start(Rules{})
		if s.alive[0] > 0 && s.alive[1] > 0 {
			s.StayAll()
			s.EndTurn()
		}
	})
}

func FuzzRecord(f *testing.F) {
	data, err := os.ReadFile("testdata/bestsingle.sgf")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		r, _, err := ParseRecord(data)
		if err != nil {
			return
		}
		if _, err := r.Replay(Rules{}); err != nil {
			return
		}
		again, _, err := ParseRecord(r.AppendText(nil))
		if err != nil {
			return // valid UTF-8 cut from a Shift_JIS file can read differently
		}
		if len(again.Turns) != len(r.Turns) {
			t.Fatalf("%d turns, then %d", len(r.Turns), len(again.Turns))
		}
	})
}

// resigned returns the combat line of a game in which Red resigns at once.
func resigned(t *testing.T) string {
	m, err := EmbeddedMap("own02")
	if err != nil {
		t.Fatal(err)
	}
	g := NewGame(m.Start(Rules{}))
	g.Resign()
	return g.CombatLine()
}
