package store

import (
	"errors"
	"fmt"

	"sakusen/tuner/store/goptunadb"
)

var (
	// ErrStudyNotFound says that no study has the name or id.
	ErrStudyNotFound = goptunadb.ErrStudyNotFound
	// ErrStudyExists says that the name of a new study is taken.
	ErrStudyExists = goptunadb.ErrStudyExists
	// ErrJobNotFound says that no tournament or experiment has the id.
	ErrJobNotFound = errors.New("job not found")
)

// ForeignStudyError says that a study has no log, and so cannot be run, proved or read as
// evidence: a program keeps it with Goptuna's API.
type ForeignStudyError struct{ Study string }

func (e *ForeignStudyError) Error() string {
	return fmt.Sprintf("study %q is kept by a program with Goptuna's API: it has trials, but no log and no game here; it can be listed, shown, exported and deleted", e.Study)
}

// OtherWriterError says that a log in the file is not as long as this process
// has left it: another process writes to the same study.
type OtherWriterError struct {
	Want int // entries that this process knows of
	Have int // entries in the file
}

func (e *OtherWriterError) Error() string {
	return fmt.Sprintf("the file has %d entries where this process has left %d: another process writes to this study; nothing was added", e.Have, e.Want)
}
