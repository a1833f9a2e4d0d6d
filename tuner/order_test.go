package tuner_test

import (
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// spaceOf returns the space of all declared parameters.
func spaceOf(t *testing.T, declare func(*param.Fields)) tuner.Space {
	t.Helper()
	f, err := param.Bind(declare)
	if err != nil {
		t.Fatal(err)
	}
	var s tuner.Space
	for _, p := range f.Params() {
		s = append(s, tuner.Dimension{Param: p})
	}
	return s
}

func TestOrdered(t *testing.T) {
	var low, high, top int
	var x, y float64
	var kind string
	integers := spaceOf(t, func(f *param.Fields) {
		f.Int(&low, "low", 1, param.Range(0, 9), "x")
		f.Int(&high, "high", 5, param.Range(0, 9), "x", param.AtLeast("low"))
	})
	chain := spaceOf(t, func(f *param.Fields) {
		f.Int(&low, "a", 1, param.Range(0, 9), "x")
		f.Int(&high, "b", 5, param.Range(0, 9), "x", param.AtLeast("a"))
		f.Int(&top, "c", 5, param.Range(0, 9), "x", param.AtLeast("b"))
	})
	steps := spaceOf(t, func(f *param.Fields) {
		f.Float(&x, "low", 0, param.Grid(0, 1, 0.25), "x")
		f.Float(&y, "high", 0.6, param.Grid(0, 0.6, 0.2), "x", param.AtLeast("low"))
	})
	conditional := spaceOf(t, func(f *param.Fields) {
		f.Choice(&kind, "kind", "plain", []string{"plain", "fancy"}, "x")
		f.Float(&x, "low", 0, param.Range(0, 1), "x")
		f.When("kind", "fancy", func(f *param.Fields) { f.Float(&y, "high", 1, param.Range(0, 1), "x", param.AtLeast("low")) })
	})
	for _, c := range []struct {
		name  string
		space tuner.Space
		fixed param.Values
		in    string
		want  string
	}{
		{"kept", integers, nil, "low=2,high=2", "low=2,high=2"},
		{"the middle", integers, nil, "low=8,high=2", "low=5,high=5"},
		{"the middle, rounded for both alike", integers, nil, "low=5,high=2", "low=4,high=4"},
		{"a chain", chain, nil, "a=9,b=5,c=1", "a=6,b=6,c=6"},
		{"grids that do not meet", steps, nil, "low=1,high=0.2", "low=0.5,high=0.6"},
		{"not active", conditional, nil, "kind=plain,low=0.5,high=0.25", "kind=plain,low=0.5,high=0.25"},
		{"active", conditional, nil, "kind=fancy,low=0.5,high=0.25", "kind=fancy,low=0.375,high=0.375"},
		{"fixed", integers[1:], param.Values{{Name: "low", Text: "6"}}, "high=2", "high=6"},
	} {
		var values param.Values
		for pair := range strings.SplitSeq(c.in, ",") {
			name, text, _ := strings.Cut(pair, "=")
			values = append(values, param.Value{Name: name, Text: text})
		}
		if got := c.space.Ordered(c.fixed, values).String(); got != c.want {
			t.Errorf("%s: %s becomes %s, want %s", c.name, c.in, got, c.want)
		}
	}
	if n := integers.Count(nil); n != 55 {
		t.Errorf("%d ordered pairs of ten numbers", n)
	}
}

// An answer has no digits that games cannot tell, inside its range and in order.
func TestRounded(t *testing.T) {
	var n int
	var x, y float64
	space := func(low, high, step, def float64) tuner.Space {
		return spaceOf(t, func(f *param.Fields) {
			f.Int(&n, "n", 1, param.Range(0, 100000), "x")
			f.Float(&x, "x", def, param.Domain{Low: low, High: high, Step: step}, "x")
		})
	}
	ordered := spaceOf(t, func(f *param.Fields) {
		f.Float(&x, "low", 0, param.Range(0, 1), "x")
		f.Float(&y, "high", 1, param.Range(0, 5000), "x", param.AtLeast("low"))
	})
	for _, c := range []struct {
		space    tuner.Space
		in, want string
	}{
		{space(0, 10, 0, 1), "n=12345,x=4.141569068644781", "n=12345,x=4.142"},
		{space(0, 10, 0, 1), "n=1,x=0.00012345678", "n=1,x=0.0001235"},
		{space(0, 9.99995, 0, 1), "n=1,x=9.99994", "n=1,x=9.9999"},
		{space(1000, 1001, 0, 1000), "n=1,x=1000.1234567", "n=1,x=1000.123"},
		{space(0, 1, 0, 0.123456), "n=1,x=0.123456", "n=1,x=0.123456"},
		{space(0, 1, 0.0625, 0), "n=1,x=0.0625", "n=1,x=0.0625"},
		{ordered, "low=0.12344999,high=0.123451", "low=0.1234,high=0.1235"},
	} {
		in, err := param.ParseValues(c.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.space.Rounded(nil, in).String(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.in, got, c.want)
		}
		if in.String() != c.in {
			t.Errorf("%s has become %s", c.in, in)
		}
	}
}
