package decide

import (
	"os"
	"path/filepath"

	"sakusen/bench"
)

// Sides are what was measured, by side: base, head, and noise, a second copy of
// the base. A side on which no benchmark printed anything is missing.
type Sides map[string]*bench.Run

// of is a side, empty where it is missing: then all that differs is new, or gone.
func (s Sides) of(side string) *bench.Run {
	if run := s[side]; run != nil {
		return run
	}
	return &bench.Run{Name: side}
}

// Write keeps the text of each side in a file of a folder: base.txt, head.txt and
// noise.txt.
func (s Sides) Write(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for side, run := range s {
		if err := os.WriteFile(filepath.Join(folder, side+".txt"), []byte(run.Raw), 0o644); err != nil {
			return err
		}
	}
	return nil
}
