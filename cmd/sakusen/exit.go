package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/experiment"
	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/store"
)

// The exit codes.
const (
	exitDone         = 0
	exitNegative     = 1
	exitUsage        = 2
	exitInconclusive = 3
	exitNothing      = 4
	exitInternal     = 5
	exitInterrupted  = 130
)

// coded is an error with its exit code; a nil error says nothing more.
type coded struct {
	code int
	err  error
}

func (e *coded) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *coded) Unwrap() error { return e.err }

// usage marks bad usage, config or input.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return &coded{exitUsage, err}
}

// verdict ends a command with a code and no message.
func verdict(code int) error {
	if code == exitDone {
		return nil
	}
	return &coded{code, nil}
}

// exitOf is the exit code of a command's error and the text to print.
func exitOf(ctx context.Context, err error) (int, string) {
	if err == nil {
		return exitDone, ""
	}
	if sqlitedb.Damaged(err) {
		return exitInternal, err.Error()
	}
	var c *coded
	if errors.As(err, &c) {
		return c.code, err.Error()
	}
	if ctx.Err() != nil || tuner.Interrupted(err) {
		return exitInterrupted, "interrupted; run the same command to resume"
	}
	var (
		locked  *sqlitedb.LockedError
		newer   *sqlitedb.NewerError
		older   *sqlitedb.OlderError
		foreign *sqlitedb.ForeignError
		ro      *sqlitedb.ReadOnlyError
		spec    *store.OtherSpecError
		code    *store.OtherCodeError
		budget  *store.SmallerBudgetError
		unfit   *arena.UnfitError
		invalid *experiment.InvalidError
	)
	switch {
	case errors.As(err, &locked), errors.As(err, &newer), errors.As(err, &older),
		errors.As(err, &foreign), errors.As(err, &ro),
		errors.As(err, &spec), errors.As(err, &code), errors.As(err, &budget), errors.As(err, &unfit), errors.As(err, &invalid),
		errors.Is(err, tuner.ErrOtherCode),
		errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrPermission):
		return exitUsage, err.Error()
	}
	if p, ok := errors.AsType[*arena.PanicError](err); ok {
		return exitInternal, fmt.Sprintf("%v\n%s", err, p.Stack)
	}
	return exitInternal, err.Error()
}
