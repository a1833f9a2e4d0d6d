package store

import (
	"errors"

	"sakusen/tuner/store/rows"
)

var (
	// ErrStudyNotFound says that no study has the name or id.
	ErrStudyNotFound = errors.New("study not found")
	// ErrStudyExists says that the name of a new study is taken.
	ErrStudyExists = rows.ErrStudyExists
	// ErrJobNotFound says that no tournament or experiment has the id.
	ErrJobNotFound = errors.New("job not found")
)
