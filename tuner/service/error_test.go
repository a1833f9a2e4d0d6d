package service_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sakusen/bench/ledger"
	"sakusen/tuner"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
	"sakusen/tuner/store/sqlitedb"
)

// Every error has a code, of any package and in any wrapping.
func TestErrorOf(t *testing.T) {
	for _, c := range []struct {
		err    error
		code   service.Code
		reason service.Reason
		text   string
	}{
		{service.New(service.Refused, "no"), service.Refused, "", "no"},
		{fmt.Errorf("study x: %w", service.New(service.NotFound, "nobody")), service.NotFound, "", "nobody"},
		{service.Wrap(service.Invalid, errors.New("seed: expected a number")), service.Invalid, "", "seed: expected a number"},
		{fmt.Errorf("x: %w", store.ErrStudyNotFound), service.NotFound, "", "x: " + store.ErrStudyNotFound.Error()},
		{ledger.ErrNotFound, service.NotFound, "", ledger.ErrNotFound.Error()},
		{store.ErrNoCredit, service.NotFound, service.Nothing, store.ErrNoCredit.Error()},
		{&daemon.StateError{}, service.Conflict, "", (&daemon.StateError{}).Error()},
		{tuner.ErrOtherCode, service.Conflict, "", tuner.ErrOtherCode.Error()},
		{&sqlitedb.DamagedError{Path: "/secret/file"}, service.Unavailable, "", "the database is damaged"},
		{errors.New("open /secret/file"), service.Internal, "", "the server failed; its log says why"},
	} {
		e := service.ErrorOf(c.err)
		if e.Code != c.code || e.Reason != c.reason || !strings.HasPrefix(e.Text(), c.text) {
			t.Errorf("%v: %s %s %q, want %s %s %q", c.err, e.Code, e.Reason, e.Text(), c.code, c.reason, c.text)
		}
		if strings.Contains(e.Text(), "secret") {
			t.Errorf("%q names a path", e.Text())
		}
	}
	if service.ErrorOf(nil) != nil || service.CodeOf(nil) != "" || service.Wrap(service.Invalid, nil) != nil || service.Mistakes("x", nil) != nil {
		t.Error("nil has become an error")
	}
}

// What lists mistakes lists each in a line, and not too many.
func TestMistakes(t *testing.T) {
	err := service.Mistakes("the file has mistakes", errors.New("a:1: one\na:2: two"))
	if e := service.ErrorOf(err); e.Text() != "the file has mistakes" || len(e.Details) != 2 || err.Error() != "a:1: one\na:2: two" {
		t.Errorf("%+v", e)
	}
	many := service.ErrorOf(service.Mistakes("x", errors.New(strings.Repeat("wrong\n", 999)+"wrong")))
	if n := len(many.Details); n != 201 || many.Details[200] != "and 800 more" {
		t.Errorf("%d lines, the last %q", n, many.Details[n-1])
	}
}
