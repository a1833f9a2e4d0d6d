package runner

import "testing"

func TestPatterns(t *testing.T) {
	for _, c := range []struct{ pattern, tops, only string }{
		{".", "(?:.)", "^BenchmarkA$"},
		{"A", "(?:A)", "^BenchmarkA$"},
		{"A/x", "(?:A)", "^BenchmarkA$/x"},
		{"A/x/y|C/z", "(?:A)|(?:C)", "^BenchmarkA$/x/y"},
		{"A/x|./z", "(?:A)|(?:.)", "^BenchmarkA$/x|^BenchmarkA$/z"},
		{"(A|C)/[/|]", "(?:(A|C))", "^BenchmarkA$/[/|]"},
		{`A\|/x`, `(?:A\|)`, ""},
		{"C", "(?:C)", ""},
	} {
		if got := tops(c.pattern); got != c.tops {
			t.Errorf("%s: top %s, want %s", c.pattern, got, c.tops)
		}
		if got := only("BenchmarkA", c.pattern); got != c.only {
			t.Errorf("%s: only %s, want %s", c.pattern, got, c.only)
		}
	}
	if got := exactly("BenchmarkA/p(q/é"); got != `^BenchmarkA$/^p\(q$/^é$` {
		t.Error(got)
	}
}
