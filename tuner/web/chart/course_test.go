package chart

import (
	"strings"
	"testing"
)

// The course of a game is drawn to its end behind a clip that ends where the reader is;
// steps that do not say how the seats stand keep what was.
func TestCourse(t *testing.T) {
	steps := []CourseStep{{Standing: []float64{1, 1}}, {}, {Standing: []float64{1, 0.5}, Mark: "sunk", Text: "a <hit>"}, {Standing: []float64{1, 0}}, {}}
	svg := string(Course("fleet <afloat>", steps, 2, 2))
	for _, want := range []string{`aria-label="fleet &lt;afloat&gt;, step by step"`, `data-steps="4"`, `id="seen-to" x="-5" y="-4" width="505.0"`,
		`<path class="s0" d="M0,0H1000"/>`, `<path class="s1" d="M0,0H500V30H750V60H1000"/>`, `<title>a &lt;hit&gt;</title>`, `id="cursor" x1="500"`,
		`y1="30" y2="30"><title>50 %: equal chances</title>`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
	if Course("x", steps[:1], 0, 0) != "" || Course("x", []CourseStep{{}, {}}, 0, 0) != "" {
		t.Error("a game of one step, or whose steps say nothing, is drawn")
	}
}
