package optuna

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/c-bata/goptuna"
)

// WriteJSON writes the trials as a list, one after another: a hundred thousand at
// once took 800 MB.
func WriteJSON(w io.Writer, s *Study, trials iter.Seq2[goptuna.FrozenTrial, error]) error {
	described := describeAll(s.Space)
	before := "["
	for t, err := range trials {
		if err != nil {
			return err
		}
		o, err := s.trial(&t, described)
		if err != nil {
			return err
		}
		text, err := json.Marshal(o)
		if err != nil {
			return fmt.Errorf("trial %d: %w", t.Number, err)
		}
		if _, err := fmt.Fprintf(w, "%s%s", before, text); err != nil {
			return err
		}
		before = ","
	}
	if before == "[" {
		before = "[]"
	} else {
		before = "]"
	}
	_, err := fmt.Fprintln(w, before)
	return err
}
