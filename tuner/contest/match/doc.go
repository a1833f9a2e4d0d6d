// Package match plays a match: entrants against each other for a number of
// blocks, or until a sequential test of the first one's strength is decided.
//
// Place in the flow: the commands match, play and bench gate make a [Match] of
// their flags, have it played by a host, and print its [Report].
//
// For example
//
//	m, err := match.New(game, nil, []string{"MP70", "CB"}, 1, 1000)
//	err = m.Play(ctx, arena.NewPool(2))
//	report, err := m.Report()
//
// A test looks at the same blocks however the host cuts the series into runs,
// so the result does not depend on the number of workers.
package match
