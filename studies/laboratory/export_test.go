package laboratory

import (
	"context"

	"sakusen/tuner"
)

// Study runs a study of the laboratory in memory and holds its answer against
// the truth.
func Study(ctx context.Context, spec *tuner.Setup) (Outcome, error) { return Cell{}.run(ctx, spec) }

// Serves tells whether the method serves a cell, and what is wrong with its study
// file, if anything.
func (m Method) Serves(c Cell) (bool, error) {
	text, ok := m.study(c, 1)
	if !ok {
		return false, nil
	}
	_, err := c.read(m.Name, text)
	return err == nil, err
}
