// Package changepoint finds where the level of a series of measurements
// changed: the E-divisive scheme with Student's t-test in place of
// permutations, in windows, with a merging step. It is deterministic and independent of
// benchmarks.
//
// Flow: [Detect] slides a window over the series, splits each window where the energy statistic
// is largest for as long as the t-test agrees at a relaxed level (divide). Then it removes the
// weakest point again and again until all points left hold at the asked level and size.
//
//	points, err := changepoint.Detect([]float64{1, 1.1, 0.9, 1, 2, 2.1, 1.9, 2}, changepoint.Options{MaxP: 0.001})
//	// points[0].Index is 4, the first value of the new level
//
// The work is O(n^2) in the length of a segment, memory is O(n).
//
// Sources: Matteson and James 2014, "A Nonparametric Approach for Multiple Change Point
// Analysis of Multivariate Data", section 2 (statistic) and 3 (divisive scheme). Fleming,
// Kolaczkowski, Kumar, Das, McCarthy, Pattabhiraman and Ingo 2023, "Hunter: Using Change Point
// Detection to Hunt for Performance Regressions", section 3 (t-test, windows, merging). Where
// the paper leaves a choice, it is that of Apache Otava, so that both find the same points:
// standard deviations are those of the population (divided by n) but enter a pooled t-test as
// if they were the sample's. A level below .05 is relaxed tenfold for splitting, one below .5
// twofold. One thing is added: a step that a later step cancels in the mean is found too, see
// splits. After a removal the two points that follow in the list are tested again, the one
// before them is not.
package changepoint
