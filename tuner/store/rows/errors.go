package rows

import (
	"errors"
	"fmt"
	"math"
)

// ErrStudyExists says that the name of a new study is taken.
var ErrStudyExists = errors.New("a study of this name already exists")

// NotFiniteError says that a number which must be finite was not.
type NotFiniteError struct {
	What  string // such as "value of trial 7"
	Value float64
}

func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("%s: expected a finite number, got %v", e.What, e.Value)
}

// Finite returns x with negative zero made zero, since SQLite keeps no
// negative zero, or an error that names what is not finite.
func Finite(x float64, what string, args ...any) (float64, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, &NotFiniteError{What: fmt.Sprintf(what, args...), Value: x}
	}
	if x == 0 {
		return 0, nil
	}
	return x, nil
}
