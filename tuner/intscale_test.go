package tuner_test

import (
	"encoding/json"
	"strings"
	"testing"

	"sakusen/engines/param"
	"sakusen/tuner"
)

// Each value that tuning visits is another integer of the option's range, all of them,
// and an integer's real number leads back to it, also at the ends.
func TestScaled(t *testing.T) {
	for _, scale := range []float64{0.1, 0.5, 1, 3, 7, 10, 100, 1000, 12345.678} {
		for _, in := range [][2]float64{{0, 100}, {-50, 50}, {-7, -7}, {3, 2000}} {
			p := param.Param{Name: "x", Kind: param.Int, Domain: param.Range(in[0], in[1])}
			p.Default = (&tuner.Dimension{Param: p}).Point(0)
			d := tuner.Scaled(p, scale)
			if d.Points() != int(in[1]-in[0])+1 || d.Played(d.Default) != p.Default || d.Default != d.Point(0) {
				t.Fatalf("scale %g of %v: %d points, default %s", scale, in, d.Points(), d.Default)
			}
			for i := range d.Points() {
				want := (&tuner.Dimension{Param: p}).Point(i)
				if got := d.Played(d.Point(i)); got != want || d.Played(d.Searched(want)) != want || i < d.Points()-1 && d.Searched(want) != d.Point(i) {
					t.Fatalf("scale %g: %s is played as %s, expected %s, which is searched as %s", scale, d.Point(i), got, want, d.Searched(want))
				}
			}
			if n := d.Native(); n.Kind != param.Int || n.Domain != p.Domain || n.Default != p.Default {
				t.Errorf("scale %g: native %+v", scale, n)
			}
		}
	}
	d := tuner.Scaled(param.Param{Name: "x", Kind: param.Int, Default: "1", Domain: param.Log(1, 1000)}, 100)
	for text, want := range map[string]string{"0.014": "1", "0.015": "2", "-0.015": "-2", "9.999": "1000"} {
		if got := d.Played(text); got != want {
			t.Errorf("%s is played as %s, expected %s", text, got, want)
		}
	}
	// Studies without a scale are stored as ever.
	text, err := json.Marshal(tuner.Dimension{Param: param.Param{Name: "x", Default: "1"}})
	if err != nil || strings.Contains(string(text), "scale") {
		t.Errorf("%s %v", text, err)
	}
}
