package chart

import (
	"strings"
	"testing"
)

// Rows stand in standard errors: those that differ with their number, those beyond the
// edge at it, those without a value not at all.
func TestDeviations(t *testing.T) {
	at := func(x float64) *float64 { return &x }
	rows := []Deviation{{"far <off>", "no", at(-30)}, {"few", "undecided", at(1)}, {"none", "undecided", nil}, {"good", "yes", at(0.5)}}
	svg := string(Deviations(rows, 2.58))
	for _, want := range []string{`class="apart"`, "1, far &lt;off&gt;: -30.0", `class="lab">1</text>`, `class="hollow"`, `class="dot"`, `class="band"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
	if strings.Count(svg, "<circle") != 3 {
		t.Errorf("%d points of 3", strings.Count(svg, "<circle"))
	}
	if Deviations(rows[1:3], 2.58) != "" {
		t.Error("two rows make no figure")
	}
}
