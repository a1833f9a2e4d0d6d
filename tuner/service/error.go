package service

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"sakusen/bench/ledger"
	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/store/sqlitedb"
)

// Code says what kind of error it is, and so who can do something about it. A
// front end maps each code once: the command line to exit codes
// (cmd/sakusen/cli/main.go), the server to HTTP statuses (tuner/web/server.go).
type Code string

// The codes.
const (
	// Invalid: what was asked for has mistakes; the asker can correct them.
	Invalid Code = "invalid"
	// NotFound: the named thing does not exist.
	NotFound Code = "notfound"
	// Conflict: it cannot be done in the state in which things are now, such as
	// pausing a study that is done.
	Conflict Code = "conflict"
	// Refused: it could be done, but the evidence forbids it, such as exporting a
	// study whose validation failed.
	Refused Code = "refused"
	// Unavailable: it cannot be done now; asking again later may help.
	Unavailable Code = "unavailable"
	// Internal: a failure of the program or of the machine.
	Internal Code = "internal"
)

// Reason refines a code where a front end has a status of its own for it. Most
// errors have none.
type Reason string

// The reasons.
const (
	// Nothing, beside NotFound or Conflict: there is nothing to do it with, such
	// as no block of the worker whose blocks are to be dropped.
	Nothing Reason = "nothing"
	// Unproven, beside Refused: no passed validation proves it, and it is done only
	// where the asker insists.
	Unproven Reason = "unproven"
	// Full, beside Unavailable: the database cannot be written, for example because the
	// disk is full.
	Full Reason = "full"
)

// Error is an error of a use case. Any other error that a use case returns is
// given its code by [ErrorOf].
type Error struct {
	Code   Code
	Reason Reason // empty in most errors
	// Message names the mistake in one line; if it is empty, Err does. It may be shown to
	// all who may use the service, so it contains no path of this machine.
	Message string
	// Details are all mistakes, one each, where there can be several.
	Details []string
	// RetryAfter, unless 0, is the time after which asking again may help.
	RetryAfter time.Duration
	Err        error // the cause, may be nil
}

// Error lists the details, where there are any, one in a line.
func (e *Error) Error() string {
	if len(e.Details) > 0 {
		return strings.Join(e.Details, "\n")
	}
	return e.Text()
}

// Text returns the message in one line, without the details.
func (e *Error) Text() string {
	switch {
	case e.Message != "":
		return e.Message
	case e.Err != nil:
		return e.Err.Error()
	}
	return string(e.Code)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// mostDetails bounds the mistakes that an error lists.
const mostDetails = 200

// New makes an error with a message and, where there can be several mistakes,
// the first of them and how many more there are.
func New(code Code, message string, details ...string) *Error {
	if more := len(details) - mostDetails; more > 0 {
		details = append(details[:mostDetails:mostDetails], fmt.Sprintf("and %d more", more))
	}
	return &Error{Code: code, Message: message, Details: details}
}

// Wrap gives an error a code, and keeps its text; nil stays nil.
func Wrap(code Code, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Code: code, Err: err}
}

// Mistakes returns the error of a text with mistakes: each line of err is one of
// them. nil stays nil.
func Mistakes(message string, err error) error {
	if err == nil {
		return nil
	}
	e := New(Invalid, message, strings.Split(err.Error(), "\n")...)
	e.Err = err
	return e
}

// asError returns the first [*Error] in an error.
func asError(err error) (*Error, bool) {
	var e *Error
	return e, errors.As(err, &e)
}

// The texts for errors of the database that every caller may read. The errors themselves
// contain paths of this machine; they are for logs and for the person at the command line.
const (
	damagedText = "the database is damaged: no study runs and nothing is written until a backup is put in its place; the server's log names the file and what is wrong"
	fullText    = "the database cannot be written, for example because the disk is full; nothing is lost, try again when there is space"
	failedText  = "the server failed; its log says why"
)

// ErrorOf returns an error with its code. An [*Error] in err is returned as it is;
// errors of the packages below are told apart here and nowhere else; anything
// else is Internal, with a message that tells nothing of the cause. nil stays
// nil.
func ErrorOf(err error) *Error {
	if err == nil {
		return nil
	}
	if sqlitedb.Damaged(err) {
		return &Error{Code: Unavailable, Message: damagedText, Err: err}
	}
	if e, ok := asError(err); ok {
		return e
	}
	if code, reason := classify(err); code != "" {
		return &Error{Code: code, Reason: reason, Err: err}
	}
	if sqlitedb.Full(err) {
		return &Error{Code: Unavailable, Reason: Full, Message: fullText, Err: err}
	}
	return &Error{Code: Internal, Message: failedText, Err: err}
}

// classify returns the code of an error that the caller can do something about; empty for
// any other.
func classify(err error) (Code, Reason) {
	var (
		state   *daemon.StateError
		locked  *sqlitedb.LockedError
		schema  *sqlitedb.SchemaError
		format  *sqlitedb.FormatError
		foreign *sqlitedb.ForeignError
		ro      *sqlitedb.ReadOnlyError
		stored  *store.ConflictError
		kept    *store.ForeignStudyError
		impure  *blocks.ImpureError
		other   *tuner.DifferentError
		unfit   *arena.UnfitError
		shaky   *arena.UnsteadyError
		invalid *experiment.InvalidError
	)
	switch {
	case errors.Is(err, store.ErrStudyNotFound), errors.Is(err, store.ErrJobNotFound), errors.Is(err, ledger.ErrNotFound):
		return NotFound, ""
	case errors.Is(err, store.ErrNoCredit):
		return NotFound, Nothing
	case errors.As(err, &state), errors.As(err, &locked), errors.As(err, &stored),
		errors.As(err, &kept), errors.As(err, &impure), errors.As(err, &other), errors.As(err, &shaky), errors.Is(err, tuner.ErrOtherCode):
		return Conflict, ""
	case errors.As(err, &schema), errors.As(err, &format), errors.As(err, &foreign), errors.As(err, &ro), errors.As(err, &unfit), errors.As(err, &invalid):
		return Invalid, ""
	}
	return "", ""
}

// CodeOf returns the code of an error; empty for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return ErrorOf(err).Code
}
