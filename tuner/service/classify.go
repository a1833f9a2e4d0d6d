package service

import (
	"errors"

	"sakusen/bench/ledger"
	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/store/blocks"
	"sakusen/tuner/store/sqlitedb"
)

// The texts for errors of the database that anybody may read. The errors themselves contain
// paths of this machine; they are for logs and for the person at the command line.
const (
	damagedText = "the database is damaged: no study runs and nothing is written until a backup is put in its place; the server's log names the file and what is wrong"
	fullText    = "the database cannot be written, as when the disk is full; nothing is lost, try again when there is space"
	failedText  = "the server failed; its log says why"
)

// ErrorOf is an error with its code. An [*Error] in err is returned as it is;
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

// classify is the code of an error that the caller can do something about; empty for any
// other.
func classify(err error) (Code, Reason) {
	var (
		state   *daemon.StateError
		locked  *sqlitedb.LockedError
		newer   *sqlitedb.NewerError
		older   *sqlitedb.OlderError
		format  *sqlitedb.FormatError
		foreign *sqlitedb.ForeignError
		ro      *sqlitedb.ReadOnlyError
		spec    *store.OtherSpecError
		code    *store.OtherCodeError
		budget  *store.SmallerBudgetError
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
	case errors.As(err, &state), errors.As(err, &locked), errors.As(err, &spec), errors.As(err, &code),
		errors.As(err, &budget), errors.As(err, &kept), errors.As(err, &impure), errors.As(err, &other), errors.As(err, &shaky), errors.Is(err, tuner.ErrOtherCode):
		return Conflict, ""
	case errors.As(err, &newer), errors.As(err, &older), errors.As(err, &format), errors.As(err, &foreign), errors.As(err, &ro), errors.As(err, &unfit), errors.As(err, &invalid):
		return Invalid, ""
	}
	return "", ""
}

// CodeOf is the code of an error; empty for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return ErrorOf(err).Code
}
