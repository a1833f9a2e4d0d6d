// Package shared is what several samplers have in common.
//
//   - axis.go: a parameter as samplers see it that compute with coordinates, what place in
//     [0, 1] a value has, and which value is played for a coordinate.
//   - generation.go: the individuals of a generation are asked in one batch or in several, and
//     when all of them have been told, their values are looked up and ranked; and the
//     standard normal distribution, drawn from by inversion, so that one number of a stream
//     is one number drawn.
//   - symmetric.go: linear algebra for models of some tens to hundreds of rows, where a plain
//     loop is as fast as a library and keeps the order of its sums, so that proposals are
//     the same on every machine.
//
// For example
//
//	axes := shared.Axes(space)
//	u := axes[0].Place("40")
//	values, err := shared.Values(axes, point)
//	z := shared.Normal(&stream)
//	m := shared.NewSymmetric(3)
//	m.Add(x, weight) // weight x x^T
//	logdet, ok := m.Factor()
package shared
