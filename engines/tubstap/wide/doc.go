// Package wide is the fast board for maps of up to 15 x 15 playable cells.
// It is the package narrow on larger sets: only this file and set.go are
// written by hand; go generate copies the others.
//
//	b := wide.New(state, rollout.Reference())
//	reward := b.Playout(&chance)
//
// Source: as narrow.
package wide

//go:generate go test -run TestCopies -update
