package tuner

import "math"

// shrink is the trials' values drawn towards their common mean by as much as
// their noise asks (James and Stein 1961, in its empirical Bayes form for
// unequal variances, Efron and Morris 1975): what proposers learn from. Values
// without an error stay as they are.
func shrink(trials []*Trial) []float64 {
	out := make([]float64, len(trials))
	var n, sum, squares, noise float64
	for i, t := range trials {
		out[i] = t.Estimate.Value
		if e := t.Estimate.Error; !math.IsNaN(e) && !math.IsNaN(out[i]) {
			n++
			sum += out[i]
			squares += out[i] * out[i]
			noise += e * e
		}
	}
	if n < 3 {
		return out
	}
	mean := sum / n
	// The spread of true values is what the noise does not explain.
	spread := math.Max(0, (squares-float64(sum*mean))/(n-1)-noise/n)
	for i, t := range trials {
		if e := t.Estimate.Error; !math.IsNaN(e) && !math.IsNaN(out[i]) && spread+e*e > 0 {
			out[i] = mean + float64(spread/(spread+e*e))*(out[i]-mean)
		}
	}
	return out
}
