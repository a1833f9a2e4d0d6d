// Package classic holds the samplers that the literature knows, each in a file of its name:
//
//   - points.go: uniform draws, a scrambled Halton sequence, and every parameter set of a
//     finite space in order. They learn nothing.
//   - spsa.go: simultaneous perturbation stochastic approximation (J. Spall, 1992) with
//     fishtest's schedule. It climbs by pairs of proposals on both sides of where it
//     stands, which meet head to head in duels.
//   - jgg.go: a real-coded genetic algorithm, Just Generation Gap with the crossover REX-star
//     (S. Kobayashi, "The frontiers of real-coded genetic algorithms", 2009). Its batches
//     end where a stage of a generation does.
//   - tpe.go, and its densities in parzen.go: a multivariate tree-structured Parzen estimator
//     (J. Bergstra et al., 2011; S. Falkner, A. Klein and F. Hutter, 2018). It proposes where
//     the density of the good trials exceeds that of the others by most, and serves every
//     kind of parameter, conditional ones included.
//
// Each has a constructor and, where it has options, a function that declares them:
//
//	p, err := classic.NewTPE(spec.Sampler, space, nil)
//	values, ok, err := p.Propose(view, draw)
package classic
