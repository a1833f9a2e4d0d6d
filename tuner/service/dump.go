package service

import (
	"context"
	"errors"
	"io"

	"sakusen/tuner/store"
)

// Dump writes the named studies as JSON, or all where no name is given; see [store.Dump].
// damaged tells of studies that were left out. An error tells a name that is not there, and
// a database without a study.
func Dump(ctx context.Context, s *store.Store, w io.Writer, names ...string) (damaged, err error) {
	if len(names) == 0 {
		n, damaged, err := s.Dump(ctx, w, "")
		if err == nil && n == 0 {
			err = &Error{Code: NotFound, Reason: Nothing, Message: s.DB().Path() + ": it has no study"}
		}
		return damaged, err
	}
	for _, name := range names {
		if name == "" {
			return nil, &Error{Code: Invalid, Message: "a study's name is empty: expected a name, or none for all studies"}
		}
		_, _, err := s.Dump(ctx, w, name)
		if errors.Is(err, store.ErrStudyNotFound) {
			return nil, ErrorOf(err)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}
