package arena

import (
	"fmt"
	"strings"

	"sakusen/engines/param"
)

// UnknownError says that a catalogue has nothing of a name.
type UnknownError struct {
	What string // what was looked for: "game", "strategy of battleship"
	Name string // as given
	Hint string // which names there are: "did you mean mp?"
}

// Error reads `unknown strategy of battleship: "mpp" (did you mean mp?)`.
func (e *UnknownError) Error() string {
	if e.What == "game" {
		return fmt.Sprintf("unknown game %q (%s)", e.Name, e.Hint)
	}
	return fmt.Sprintf("unknown %s: %q (%s)", e.What, e.Name, e.Hint)
}

func unknown(what, name string, known []string) error {
	if near, ok := param.Nearest(name, known); ok {
		return &UnknownError{what, name, "did you mean " + near + "?"}
	}
	return &UnknownError{what, name, "expected one of " + strings.Join(known, ", ")}
}
