package laboratory

import "testing"

// found is what studies of one method found.
type found struct {
	outcomes            []Outcome
	sixtieths           []float64 // their truths, scaled to a top of 60
	claims, held, below int       // claims with an interval, those whose interval holds the truth, answers below the baseline
}

// play plays n studies of a method, seeds from first on, each in its cell.
func play(t *testing.T, m Method, cell func(seed int) Cell, first, n int) found {
	t.Helper()
	var f found
	for seed := first; seed < first+n; seed++ {
		c := cell(seed)
		text, _ := m.study(c, seed)
		spec, err := c.read(m.Name, text)
		if err != nil {
			t.Fatal(err)
		}
		o, err := c.run(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		if o.ClaimCI != nil {
			f.claims++
			if o.ClaimCI[0] <= o.Truth && o.Truth <= o.ClaimCI[1] {
				f.held++
			}
		}
		if o.Truth < -belowBaseline {
			f.below++
		}
		f.outcomes = append(f.outcomes, o)
		f.sixtieths = append(f.sixtieths, c.scaled(o))
	}
	return f
}
