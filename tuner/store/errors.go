package store

import (
	"errors"
	"fmt"
)

var (
	// ErrStudyNotFound says that no study has the name or id.
	ErrStudyNotFound = errors.New("study not found")
	// ErrStudyExists says that the name of a new study is taken.
	ErrStudyExists = errors.New("a study of this name already exists")
	// ErrJobNotFound says that no tournament or experiment has the id.
	ErrJobNotFound = errors.New("job not found")
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
