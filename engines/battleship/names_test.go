package battleship

import "testing"

func TestPaperName(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"R", "random()"},
		{"RNB", "neighbour()"},
		{"CB", "checkerboard()"},
		{"EX", "exact()"},
		{"MP70", "mp(start_squares=70)"},
		{"MP700", "mp(start_squares=700)"}, // the arena says what is wrong with it
		{"LA2.8.70", "lookahead(shots=2,kept=8,start_squares=70)"},
		{"MP70/R", "mp(start_squares=70,place.kind=random,place.separated=false)"},
		{"MP70/RSP", "mp(start_squares=70,place.kind=random,place.separated=true)"},
		{"CB/ED1", "checkerboard(place.kind=edge1,place.separated=false)"},
		{"CB/ED2SP", "checkerboard(place.kind=edge2,place.separated=true)"},
		{"R/PK2X10", "random(place.kind=packed,place.height=2,place.width=10,place.separated=false)"},
		{"R/PK4x6", "random(place.kind=packed,place.height=4,place.width=6,place.separated=false)"},
		{"R/PKSP2X10", "random(place.kind=packed,place.height=2,place.width=10,place.separated=true)"},
		{"R/PK2X10SP", "random(place.kind=packed,place.height=2,place.width=10,place.separated=true)"},
		{"R/PKSP2X10SP", ""},
		{"R/", ""},
		{"R/R/R", ""},
		{"/R", ""},
		{"MP", ""},
		{"LA2.8", ""},
		{"r", ""},
		{"", ""},
	} {
		strategy, values, ok := paperName(c.text)
		got := ""
		if ok {
			got = strategy + "(" + values.String() + ")"
		}
		if got != c.want {
			t.Errorf("%q: got %s, want %s", c.text, got, c.want)
		}
	}
}

func FuzzPaperName(f *testing.F) {
	for _, text := range []string{"R", "MP70/ED1SP", "LA2.8.70/PKSP2X10", "CB/PK3x7SP", "EX/", "MP/70"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		strategy, values, ok := paperName(text)
		if !ok {
			if strategy != "" || values != nil {
				t.Errorf("%q is no name and has values", text)
			}
			return
		}
		for _, v := range values {
			if v.Name == "" || v.Text == "" {
				t.Errorf("%q: empty value in %s", text, values)
			}
		}
	})
}
