package tubstap

import (
	"math"
	"testing"

	"sakusen/engines/tubstap"
)

func TestPrediction(t *testing.T) {
	d := tubstap.DefaultDesign()
	d.Units, d.Planes = 12, 25
	m, err := d.Map()
	if err != nil {
		t.Fatal(err)
	}
	if air := Air(m); air != 0.25 {
		t.Errorf("air %v, want 0.25", air)
	}
	p := Prediction{Base: -2, PerDecade: 10, PerAir: -8}
	if at := p.Threshold(m, 1000); math.Abs(at-26) > 1e-12 {
		t.Errorf("threshold %v, want -2 + 10 x 3 - 8 x 0.25 = 26", at)
	}
	if Air(&tubstap.Map{}) != 0 {
		t.Error("a map without units has planes")
	}
	// More simulations leave more to the search.
	l := Learned()
	if !(l.Threshold(m, 2000) > l.Threshold(m, 200)) {
		t.Errorf("learned %+v", l)
	}
	s := m.Start(tubstap.Rules{})
	set := switchingSettings{Measure: Predicted, Prediction: p}
	for sims, want := range map[int]bool{10: true, 1_000_000: false} {
		if set.Muct.Simulations = sims; set.complex(s) != want {
			t.Errorf("%d simulations, 10^%.1f moves: complex %v, want %v", sims, s.LogMoves(tubstap.Red), !want, want)
		}
	}
}
