//go:build !linux

package solving

import "errors"

type mapped struct{ bytes []byte }

func newMapped(string, uint64) (*mapped, error) {
	return nil, errors.New("layers are kept on disk only under Linux: allow more memory")
}

func (*mapped) drop() {}

func (*mapped) close() {}

func resident() uint64 { return 0 }
