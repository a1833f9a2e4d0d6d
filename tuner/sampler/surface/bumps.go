package surface

// bumps are what a quadratic cannot follow: a Gaussian process, known by its heights at a few
// places. The features are white: their weights are independent before anything is seen. At
// the baseline they are 0.
type bumps interface {
	// count is the number of features, and fillAll writes those of several points.
	count() int
	fillAll(b *basis, at, phi [][]float64)
	// relief is the surface of given weights, made ready for its height to be asked often.
	relief(b *basis, w []float64) relief
	// reach is how far from a peak it is worth looking, a share of the range.
	reach() float64
	// starts are the points from which a peak of weights is looked for.
	starts() [][]float64
}

// relief is bumps of given weights: a point's height on top of that of the plain features, and
// whether it lies where games were played.
type relief interface {
	height(b *basis, plain float64, x []float64) (h float64, near bool)
}
