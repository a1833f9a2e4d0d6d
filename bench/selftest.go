package bench

import (
	"fmt"
	"strings"
)

// SelfTest plants three regressions that no gate may miss, a time 20 % slower,
// one allocation more and a changed signature, each alone and all together, in
// made-up measurements, and judges them by the policy that is in use. It returns
// the gate of all together, which must be a regression with three failures; an
// error says that the gate is blind, or that it fails what has not changed.
func SelfTest(p Policy) (Gate, *Comparison, error) {
	base, err := planted(0, 0, 0)
	if err != nil {
		return Gate{}, nil, err
	}
	for _, c := range []struct {
		what                    string
		slower, allocs, changed int
		want                    Outcome
	}{
		{"nothing planted", 0, 0, 0, Pass},
		{"a time 20 % slower", 20, 0, 0, Regression},
		{"an allocation more", 0, 1, 0, Regression},
		{"a changed signature", 0, 0, 1, Regression},
	} {
		run, err := planted(c.slower, c.allocs, c.changed)
		if err != nil {
			return Gate{}, nil, err
		}
		if g := Judge(Compare(base, run, Options{}), p); g.Outcome != c.want {
			return g, nil, fmt.Errorf("the gate cannot be trusted: with %s it says %s, expected %s", c.what, g.Outcome, c.want)
		}
	}
	run, err := planted(20, 1, 1)
	if err != nil {
		return Gate{}, nil, err
	}
	c := Compare(base, run, Options{})
	g := Judge(c, p)
	if len(g.Failures) != 3 {
		return g, c, fmt.Errorf("the gate cannot be trusted: %d of 3 planted regressions failed", len(g.Failures))
	}
	return g, c, nil
}

// planted makes up ten measurements with 1 % of spread.
func planted(slower, allocs, changed int) (*Run, error) {
	var b strings.Builder
	b.WriteString("pkg: planted\n")
	for i := range 10 {
		ns := (1000 + i*7%10) * (100 + slower)
		fmt.Fprintf(&b, "BenchmarkPlanted 100 %d ns/op %d allocs/op %d %s\n", ns, 3+allocs, 12345+changed, SignatureLo)
	}
	return Read(strings.NewReader(b.String()), "planted", ReadOptions{})
}
