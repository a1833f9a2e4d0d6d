//go:build cgo && unix

package sqlitedb

import (
	"bufio"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"sakusen/engines/suite"
)

// lockAs locks a database as another program does, with statements that its path ends in.
func lockAs(path string) {
	path, statements, _ := strings.Cut(path, "|")
	db, err := sql.Open("sqlite3", path)
	if err == nil {
		db.SetMaxOpenConns(1)
		_, err = db.Exec(statements + "; CREATE TABLE theirs (x)")
	}
	fmt.Println("held", err)
	select {}
}

// Where another program has locked the file by SQLite's own lock, the error names it, for
// those who write and, where it locks out readers too, for those who read.
func TestLockedByAnotherProgram(t *testing.T) {
	suite.All(t) // each waits for the other program, as long as SQLite does
	for name, c := range map[string]struct {
		statements string
		reads      bool
	}{
		"a writer":          {"PRAGMA journal_mode = WAL; BEGIN IMMEDIATE", true},
		"one without a log": {"PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "x.db")
			db, err := Open(t.Context(), path, Options{})
			if err != nil || db.Close() != nil {
				t.Fatal(err)
			}
			cmd := again(t, "lock", path+"|"+c.statements)
			out, err := cmd.StdoutPipe()
			if err != nil || cmd.Start() != nil {
				t.Fatal(err)
			}
			defer cmd.Process.Kill()
			if line, _ := bufio.NewReader(out).ReadString('\n'); line != "held <nil>\n" {
				t.Fatalf("the other process said %q", line)
			}
			check := func(what string, err error) {
				t.Helper()
				locked, ok := errors.AsType[*LockedError](err)
				if !ok || !strings.HasPrefix(err.Error(), db.Path()+": ") || !strings.Contains(err.Error(), "try again") {
					t.Errorf("%s: %v", what, err)
				} else if runtime.GOOS == "linux" && locked.PID != cmd.Process.Pid {
					t.Errorf("%s: process %d, expected %d", what, locked.PID, cmd.Process.Pid)
				}
			}
			_, err = Open(t.Context(), path, Options{})
			check("write", err)
			read, err := OpenReadOnly(t.Context(), path)
			if !c.reads {
				check("read", err)
			} else if err != nil || read.Close() != nil {
				t.Error(err)
			}
		})
	}
}
