package surface

import (
	"fmt"
	"math"
	"testing"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/tuner"
)

// What a level adds is the difference of two heights: that of the point with the level, and that of the
// point with the centre's value.
func TestPartOfALevel(t *testing.T) {
	var space tuner.Space
	for i := range 3 {
		space = append(space,
			tuner.Dimension{Param: param.Param{Name: fmt.Sprint("c", i), Kind: param.Choice, Choices: []string{"a", "b", "c"}}},
			tuner.Dimension{Param: param.Param{Name: fmt.Sprint("x", i), Kind: param.Float, Domain: param.Range(0, 1)}})
	}
	space[5].When = []param.Condition{{Name: "c2", Value: "b"}}
	b := newBox(space, nil, param.Values{{Name: "c0", Text: "b"}, {Name: "x0", Text: "0.25"}})
	m := newModel(newFeatures(b, false), 2, true)
	rng := arena.NewStream(1, 1)
	w, x := make([]float64, m.size()), make([]float64, len(b.axes))
	for range 100 {
		for i := range w {
			w[i] = rng.Float64()
		}
		for i := range x {
			if x[i] = rng.Float64(); b.axes[i].Nominal {
				x[i] = float64(rng.IntN(3))
			}
		}
		for l, v := range m.levels {
			i, value := v[0], float64(v[1])
			if b.decides[i] {
				continue
			}
			y := append([]float64(nil), x...)
			y[i] = b.centre[i]
			want := -m.height(w, y)
			y[i] = value
			want += m.height(w, y)
			m.look(x)
			if got := m.part(w, l); math.Abs(got-want) > 1e-9 {
				t.Fatalf("%s=%s at %v adds %v, want %v", b.axes[i].Name, b.text(i, value), x, got, want)
			}
		}
	}
}
