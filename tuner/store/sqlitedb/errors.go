package sqlitedb

import (
	"errors"
	"fmt"

	"sakusen/tuner/build"
)

// ErrReadOnlyHandle is returned when something is to be written through a
// handle that was opened for reading.
var ErrReadOnlyHandle = errors.New("database was opened for reading only")

// LockedError says that another process writes the database.
type LockedError struct {
	Path    string // database file
	PID     int    // process that holds the lock, 0 if it has not written its id yet
	Address string // where that process answers, empty if nowhere
}

func (e *LockedError) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = fmt.Sprintf("process %d", e.PID)
	}
	if e.Address != "" {
		who += " at " + e.Address
	}
	return fmt.Sprintf("%s: the database is being written by %s", e.Path, who)
}

// FormatError says that the file has another format than the one that this program reads.
type FormatError struct {
	Path    string
	Have    int    // format of the file; 0 of the development versions before the first release
	Program string // version of the program that wrote it, empty if the file does not say it
}

func (e *FormatError) Error() string {
	if e.Have == 0 {
		return fmt.Sprintf("%s: written by a development version of sakusen before 0.1.0, in a format without a number; sakusen %s reads format %d: begin a new file (--db)",
			e.Path, build.Version, build.Format)
	}
	writer := "another version of sakusen"
	if e.Program != "" {
		writer = "sakusen " + e.Program
	}
	return fmt.Sprintf("%s: format %d, written by %s; sakusen %s reads format %d: \"sakusen db dump\" of the version that wrote the file writes its studies as JSON",
		e.Path, e.Have, writer, build.Version, build.Format)
}

// NewerError says that a later Sakusen of the same format has changed tables of the file.
type NewerError struct {
	Path    string
	Series  string // migration series, such as "store"
	Have    int    // version in the file
	Know    int    // last version this program knows
	Program string // version of the program that wrote it, empty if the file does not say it
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("%s: written by a newer version of this program, sakusen %s: %s schema is version %d, expected at most %d",
		e.Path, e.Program, e.Series, e.Have, e.Know)
}

// OlderError says that a file opened for reading lacks migrations. Have is 0
// if the room to which the series belongs has never written to the file.
type OlderError struct {
	Path   string
	Series string
	Have   int
	Know   int
}

func (e *OlderError) Error() string {
	if e.Have == 0 {
		return fmt.Sprintf("%s: holds no %s data yet", e.Path, e.Series)
	}
	return fmt.Sprintf("%s: %s schema is version %d, expected %d: run a writing command once to migrate it",
		e.Path, e.Series, e.Have, e.Know)
}

// ForeignError says that the file is not a Sakusen database.
type ForeignError struct {
	Path   string
	Reason string
}

func (e *ForeignError) Error() string {
	return fmt.Sprintf("%s: not a Sakusen database: %s", e.Path, e.Reason)
}

// ReadOnlyError says that the file or its directory may not be written.
type ReadOnlyError struct {
	Path  string // database file
	What  string // the file or directory that refuses
	Cause error
}

func (e *ReadOnlyError) Error() string {
	return fmt.Sprintf("%s: cannot be written: %s: %v", e.Path, e.What, e.Cause)
}

func (e *ReadOnlyError) Unwrap() error { return e.Cause }

// errLockHeld is what tryLock returns when another process has the lock.
var errLockHeld = errors.New("lock is held")
