package goptunadb

import (
	"errors"
	"fmt"
	"math"
)

var (
	// ErrStudyExists says that the name of a new study is taken.
	ErrStudyExists = errors.New("a study of this name already exists")
	// ErrStudyNotFound says that no study has the name or id.
	ErrStudyNotFound = errors.New("study not found")
	// ErrHasLog says that a study is Sakusen's: what its trials are follows from
	// its log, so that nothing else may write them.
	ErrHasLog = errors.New("the study belongs to Sakusen and is written by its log alone")
	// ErrParamNotFound says that a trial has no parameter of the name.
	ErrParamNotFound = errors.New("parameter does not exist")
	// ErrStepExists says that a trial already has a value for the step.
	ErrStepExists = errors.New("step already has a value")
	// ErrParamExists says that a parameter was to be given a second, different value.
	ErrParamExists = errors.New("parameter already has another value or distribution")
)

// NotFiniteError says that a number which must be finite was not.
type NotFiniteError struct {
	What  string // such as "value of trial 7"
	Value float64
}

func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("%s: expected a finite number, got %v", e.What, e.Value)
}

// finite returns x with negative zero made zero, since SQLite keeps no
// negative zero, or an error that names what is not finite.
func finite(x float64, what string, args ...any) (float64, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, &NotFiniteError{What: fmt.Sprintf(what, args...), Value: x}
	}
	if x == 0 {
		return 0, nil
	}
	return x, nil
}
