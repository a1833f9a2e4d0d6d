package study

import (
	"context"
	"fmt"

	"sakusen/tuner/entry"
)

// takeOver writes what the study begins with, or reads it from the log.
func takeOver(ctx context.Context, st *Study) error {
	if st.Setup.BeginFrom == "" {
		return nil
	}
	b, err := step(ctx, st.journal, entry.KindBegun, func() (entry.Begun, error) {
		if st.begun.read == nil {
			return entry.Begun{}, fmt.Errorf("begin_from: the games of study %s cannot be read here", st.Setup.BeginFrom)
		}
		b, err := st.begun.read(ctx)
		if err != nil {
			return entry.Begun{}, err
		}
		return *b, nil
	}, nil)
	if err != nil {
		return err
	}
	return st.begun.load(st.Setup, &b)
}
