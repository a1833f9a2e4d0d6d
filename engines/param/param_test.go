package param_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sakusen/engines/param"
)

type place struct {
	kind          string
	height, width int
	separated     bool
}

func (p *place) declare(f *param.Fields) {
	f.Choice(&p.kind, "kind", "random", []string{"random", "packed"}, "where the fleet goes")
	f.When("kind", "packed", func(f *param.Fields) {
		f.Int(&p.height, "height", 2, param.Range(2, 4), "short side, squares")
		f.Int(&p.width, "width", 10, param.Grid(6, 10, 2), "long side, squares")
	})
	f.Bool(&p.separated, "separated", false, "no two ships side by side")
}

type config struct {
	start int
	rate  float64
	place place
}

func (c *config) declare(f *param.Fields) {
	f.Int(&c.start, "start_squares", 70, param.Grid(10, 100, 10), "unknown squares at which enumeration starts")
	f.Float(&c.rate, "rate", .5, param.Log(1e-3, 1), "share of attacks")
	f.Group("place", c.place.declare)
}

func bind(t testing.TB, c *config) *param.Fields {
	t.Helper()
	f, err := param.Bind(c.declare)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestDefaults(t *testing.T) {
	var c config
	bind(t, &c)
	want := config{70, .5, place{"random", 2, 10, false}}
	if c != want {
		t.Errorf("after Bind: %+v, want %+v", c, want)
	}
}

func TestAssign(t *testing.T) {
	for _, tc := range []struct{ given, want string }{
		{"", "start_squares=70,rate=0.5,place.kind=random,place.separated=false"},
		{"place.width=6,place.kind=packed", "start_squares=70,rate=0.5,place.kind=packed,place.height=2,place.width=6,place.separated=false"},
		{"start_squares=8e1,rate=1.0e-1", "start_squares=80,rate=0.1,place.kind=random,place.separated=false"},
		{"start_squares=75", "start_squares=75,rate=0.5,place.kind=random,place.separated=false"},
		{"place.width=6", "! place.width: expected no value unless place.kind=packed (it is random), got 6"},
		{"start_squares=101,rate=0", "! start_squares: expected an integer in 10..100, got 101; rate: expected a number in 0.001..1, got 0"},
		{"start_squares=1.5", "! start_squares: expected an integer in 10..100, got 1.5"},
		{"rate=NaN", "! rate: expected a number in 0.001..1, got NaN"},
		{"place.kind=edge", "! place.kind: expected one of random, packed, got edge"},
		{"place.separated=yes", "! place.separated: expected true or false, got yes"},
		{"place.heigth=2", "! unknown parameter place.heigth (did you mean place.height?)"},
		{"rate=.1,rate=.2", "! rate: expected one value, not several, got .2"},
	} {
		var given param.Values
		for _, kv := range strings.FieldsFunc(tc.given, func(r rune) bool { return r == ',' }) {
			name, text, _ := strings.Cut(kv, "=")
			given = append(given, param.Value{Name: name, Text: text})
		}
		var c config
		values, errs := bind(t, &c).Assign(given)
		got := values.String()
		if len(errs) > 0 {
			got = "! " + strings.ReplaceAll(errors.Join(errs...).Error(), "\n", "; ")
		}
		if got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.given, got, tc.want)
		}
	}
}

// The bound variables hold what the canonical text says.
func TestAssignWrites(t *testing.T) {
	var c config
	f := bind(t, &c)
	if _, errs := f.Assign(param.Values{{Name: "place.kind", Text: "packed"}, {Name: "place.height", Text: "3"}, {Name: "rate", Text: "0.25"}}); errs != nil {
		t.Fatal(errs)
	}
	if want := (config{70, .25, place{"packed", 3, 10, false}}); c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
	if _, errs := f.Assign(nil); errs != nil || c.place.height != 2 {
		t.Errorf("a second Assign keeps what the first wrote: %+v %v", c, errs)
	}
}

func TestDeclarationMistakes(t *testing.T) {
	var n int
	var x float64
	var s string
	for want, declare := range map[string]func(*param.Fields){
		"declared twice": func(f *param.Fields) {
			f.Int(&n, "a", 1, param.Range(0, 1), "x")
			f.Int(&n, "a", 1, param.Range(0, 1), "x")
		},
		"no documentation":      func(f *param.Fields) { f.Int(&n, "a", 1, param.Range(0, 1), "") },
		"default":               func(f *param.Fields) { f.Int(&n, "a", 2, param.Range(0, 1), "x") },
		"above its upper end":   func(f *param.Fields) { f.Int(&n, "a", 2, param.Range(3, 1), "x") },
		"width must be finite":  func(f *param.Fields) { f.Float(&x, "a", 0, param.Range(-1e308, 1e308), "x") },
		"positive lower end":    func(f *param.Fields) { f.Float(&x, "a", 1, param.Log(0, 1), "x") },
		"no integers":           func(f *param.Fields) { f.Int(&n, "a", 1, param.Grid(0, 1, .5), "x") },
		"no choices":            func(f *param.Fields) { f.Choice(&s, "a", "b", nil, "x") },
		"before it is declared": func(f *param.Fields) { f.When("a", "b", func(*param.Fields) {}) },
		"condition": func(f *param.Fields) {
			f.Int(&n, "a", 1, param.Range(0, 1), "x")
			f.When("a", "7", func(*param.Fields) {})
		},
		"bound to the same variable": func(f *param.Fields) {
			f.Choice(&s, "kind", "a", []string{"a", "b"}, "x")
			f.When("kind", "a", func(f *param.Fields) { f.Int(&n, "near", 1, param.Range(0, 1), "x") })
			f.When("kind", "b", func(f *param.Fields) { f.Int(&n, "far", 0, param.Range(0, 1), "x") })
		},
		"at least one value": func(f *param.Fields) {
			f.Int(&n, "a", 1, param.Range(0, 1), "x")
			f.WhenAny("a", nil, func(*param.Fields) {})
		},
		"not declared before it": func(f *param.Fields) { f.Int(&n, "a", 1, param.Range(0, 1), "x", param.AtLeast("b")) },
		"only numbers": func(f *param.Fields) {
			f.Choice(&s, "kind", "a", []string{"a", "b"}, "x")
			f.Int(&n, "a", 1, param.Range(0, 1), "x", param.AtLeast("kind"))
		},
		"is below": func(f *param.Fields) {
			f.Int(&n, "low", 1, param.Range(0, 1), "x")
			f.Float(&x, "high", 0, param.Range(0, 1), "x", param.AtLeast("low"))
		},
	} {
		if _, err := param.Bind(declare); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

func TestDomain(t *testing.T) {
	d := param.Grid(10, 100, 20)
	if d.Points() != 5 || d.Top() != 90 || d.Point(1) != 30 {
		t.Errorf("%d points up to %g", d.Points(), d.Top())
	}
	if got := fmt.Sprint(param.Log(.001, 1), param.Grid(0, 1, .1), param.Range(-1, 1)); got != "0.001..1 log 0..1 step 0.1 -1..1" {
		t.Error(got)
	}
	if n := param.Grid(0, 1, .1).Points(); n != 11 {
		t.Errorf("0..1 step 0.1 has %d points", n)
	}
}

func TestHashIgnoresOrder(t *testing.T) {
	a := param.Values{{Name: "x", Text: "1"}, {Name: "y", Text: "2"}}
	b := param.Values{{Name: "y", Text: "2"}, {Name: "x", Text: "1"}}
	if a.Hash() != b.Hash() || a.Hash() == a.With("x", "2").Hash() {
		t.Error("the hash is that of the sorted values")
	}
}

func TestNearest(t *testing.T) {
	names := []string{"start_squares", "place.kind", "rate"}
	for in, want := range map[string]string{"start_square": "start_squares", "plcae.kind": "place.kind", "r": "", "zzzz": ""} {
		if got, _ := param.Nearest(in, names); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{"1", "1e2", "-0", "true", "0x1p-3", "NaN", "packed", " 7 "} {
		f.Add(s)
	}
	var c config
	fields := bind(f, &c)
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range fields.Params() {
			canonical, err := p.Canonical(text)
			if err != nil {
				continue
			}
			if again, err := p.Canonical(canonical); err != nil || again != canonical {
				t.Errorf("%s: %q reads as %q, which reads as %q (%v)", p.Name, text, canonical, again, err)
			}
		}
	})
}

func ExampleFields_Assign() {
	var height int
	var kind string
	f, _ := param.Bind(func(f *param.Fields) {
		f.Choice(&kind, "kind", "random", []string{"random", "packed"}, "where the fleet goes")
		f.When("kind", "packed", func(f *param.Fields) {
			f.Int(&height, "height", 2, param.Range(2, 4), "short side of the rectangle, squares")
		})
	})
	values, _ := f.Assign(param.Values{{Name: "kind", Text: "packed"}, {Name: "height", Text: "3"}})
	fmt.Println(values, height)
	// Output: kind=packed,height=3 3
}

// A choice may take texts that it does not list.
func TestBeyond(t *testing.T) {
	var v string
	f, err := param.Bind(func(f *param.Fields) {
		f.Choice(&v, "map", "a", []string{"a", "b"}, "where", param.Beyond("a number", func(text string) (string, error) {
			if strings.Trim(text, "0123456789") != "" {
				return "", errors.New("digits")
			}
			return strings.TrimLeft(text, "0"), nil
		}))
	})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"a": "a", " b ": "b", "007": "7"} {
		if got, errs := f.Assign(param.Values{{Name: "map", Text: text}}); errs != nil || v != want || got.String() != "map="+want {
			t.Errorf("%q: bound %q, canonical %s, %v", text, v, got, errs)
		}
	}
	if _, errs := f.Assign(param.Values{{Name: "map", Text: "c"}}); len(errs) != 1 || errs[0].Error() != "map: expected digits, got c" {
		t.Errorf("%v", errs)
	}
	if p, _ := f.Lookup("map"); p.Expected() != "one of a, b, or a number" {
		t.Error(p.Expected())
	}
}

// A parameter may be active under several values of another, and a number may
// have to be at least another one.
func TestSeveralValuesAndOrder(t *testing.T) {
	var kind string
	var low, high int
	f, err := param.Bind(func(f *param.Fields) {
		f.Choice(&kind, "kind", "a", []string{"a", "b", "c"}, "x")
		f.Int(&low, "low", 2, param.Range(0, 9), "x")
		f.WhenAny("kind", []string{"b", "c"}, func(f *param.Fields) {
			f.Int(&high, "high", 5, param.Range(0, 9), "x", param.AtLeast("low"))
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ kind, low, high, want string }{
		{"a", "9", "", "kind=a,low=9"},
		{"b", "3", "3", "kind=b,low=3,high=3"},
		{"c", "3", "9", "kind=c,low=3,high=9"},
		{"c", "4", "3", "high: expected at least low=4, got 3"},
		{"b", "9", "", "high: expected at least low=9, got 5"},
		{"a", "1", "3", "high: expected no value unless kind=b or kind=c (it is a), got 3"},
	} {
		given := param.Values{{Name: "kind", Text: c.kind}, {Name: "low", Text: c.low}}
		if c.high != "" {
			given = append(given, param.Value{Name: "high", Text: c.high})
		}
		values, errs := f.Assign(given)
		got := values.String()
		if len(errs) > 0 {
			got = errs[0].Error()
		}
		if got != c.want {
			t.Errorf("%v: got %s, want %s", c, got, c.want)
		}
	}
}

// Grid points are what trials play: short, inside the range, the top among them.
func TestGridPoints(t *testing.T) {
	for _, tc := range []struct {
		d    param.Domain
		n    int
		top  float64
		near float64 // the last but one
	}{
		{param.Grid(0, 0.9, 0.3), 4, 0.9, 0.6},
		{param.Grid(0, 1, 0.3), 4, 0.9, 0.6},
		{param.Grid(0, 0.85, 0.05), 18, 0.85, 0.8},
		{param.Grid(-0.5, 0.4, 0.1), 10, 0.4, 0.3},
		{param.Grid(0.25, 0.33999999999999997, 0.01), 10, 0.33999999999999997, 0.33},
		{param.Grid(0.12345678901234567, 0.13, 0.1), 1, 0.12345678901234567, 0.12345678901234567},
		{param.Grid(1e14, 1e14+9, 3), 4, 1e14 + 9, 1e14 + 6},
		{param.Grid(10, 95, 10), 9, 90, 80},
		{param.Range(0.1, 0.30000000000000004), 0, 0.30000000000000004, 0},
	} {
		if n := tc.d.Points(); n != tc.n || tc.d.Top() != tc.top {
			t.Errorf("%s: %d points up to %v, want %d up to %v", tc.d, n, tc.d.Top(), tc.n, tc.top)
		}
		if tc.n > 0 {
			if x := tc.d.Point(max(tc.n-2, 0)); x != tc.near {
				t.Errorf("%s: the last but one is %v, want %v", tc.d, x, tc.near)
			}
		}
	}
}

// Packed values come back as they were, whatever their texts hold, and share their names.
func TestPack(t *testing.T) {
	var like param.Packed
	for _, v := range []param.Values{
		nil,
		{{Name: "a", Text: ""}, {Name: "b", Text: "0.5"}},
		{{Name: "a", Text: "\x00,="}, {Name: "b", Text: strings.Repeat("long ", 1000)}},
		{{Name: "b", Text: "1"}, {Name: "a", Text: "2"}},
		{{Name: "a", Text: "1"}},
	} {
		like = v.Pack(like)
		if got := like.Values(); fmt.Sprint(got) != fmt.Sprint(v) || (got == nil) != (v == nil) {
			t.Errorf("%.80q comes back as %.80q", v, got)
		}
	}
	many := make(param.Values, 64)
	for i := range many {
		many[i] = param.Value{Name: fmt.Sprint("x", i), Text: "0.123456"}
	}
	like = many.Pack(param.Packed{})
	if n := testing.AllocsPerRun(100, func() { like = many.Pack(like) }); n > 12 {
		t.Errorf("%v allocations where names are shared", n)
	}
}

// People read a book of openings as its number of lines and a hash.
func TestShort(t *testing.T) {
	v := param.Values{{Name: "a", Text: "1"}, {Name: "book", Text: strings.Repeat("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1|", 1251)}, {Name: "map", Text: strings.Repeat("line\n", 50)}}
	if got := v.Short(); !strings.HasPrefix(got, "a=1, book (1251 lines, sha256 ") || !strings.Contains(got, "...), map (50 lines, sha256 ") || len(got) > 120 {
		t.Errorf("%q", got)
	}
}

// Values of any texts come back as they were written, and different ones have different
// digests.
func FuzzValues(f *testing.F) {
	for _, text := range []string{"", "a,b", `"`, `""`, `say "hi"`, ` x `, "(100, 10)", ")(", ")", "(", "a=b", `"a" and "b"`, "x\nb=2", "\t", "\u00a0", `a","b="c`, "\xff", `","`, `"(,)"`} {
		f.Add(text, "zz")
		f.Add("zz", text)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		v := param.Values{{"a", a}, {"King Safety (MG, 1)", b}, {"x=y", a}, {"n", "1"}}
		read, err := param.ParseValues(v.String())
		if err != nil || !slices.Equal(read, v) {
			t.Errorf("%q reads as %q, %v", v.String(), read, err)
		}
		other := param.Values{{"a", a}, {"King Safety (MG, 1)", b + "\nn=1"}, {"x=y", a}, {"n", "1"}}
		if v.Digest() == other.Digest() {
			t.Errorf("%q and %q have one digest", v, other)
		}
	})
}

// Texts of all kinds, in which the marks of an entrant's text are likely.
func TestValuesRoundTrip(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		letters := []rune("ab1,,\"\"()()== \t\né\u00a0{}|#'")
		for range chance.IntN(12) {
			b.WriteRune(letters[chance.IntN(len(letters))])
		}
		return b.String()
	}
	for range 200000 {
		v := param.Values{{"p", text()}, {"q r", text()}, {"s", text()}}
		read, err := param.ParseValues(v.String())
		if err != nil || !slices.Equal(read, v) {
			t.Fatalf("%q reads as %q, %v", v.String(), read, err)
		}
	}
	// What people write without need is read too.
	for text, want := range map[string]string{
		`a=1, "b c" = 2`: "a=1,b c=2", `a="x"`: "a=x", `a= "x, y" ,b=(1, 2)`: `a="x, y",b=(1, 2)`, `a="x" y`: `a="""x"" y"`,
	} {
		if v, err := param.ParseValues(text); err != nil || v.String() != want {
			t.Errorf("%s reads as %s, %v", text, v, err)
		}
	}
}
