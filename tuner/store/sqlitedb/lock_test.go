//go:build cgo && unix

package sqlitedb

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// The test binary runs itself again as another process: to hold a lock until
// it is killed, or to look at a directory as a user who may not write there.
const (
	roleKey = "SQLITEDB_TEST_ROLE"
	pathKey = "SQLITEDB_TEST_PATH"
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleKey) {
	case "hold":
		hold(os.Getenv(pathKey))
	case "lock":
		lockAs(os.Getenv(pathKey))
	case "unprivileged":
		if os.Getuid() == 0 {
			if err := errors.Join(syscall.Setgid(65534), syscall.Setuid(65534)); err != nil {
				fmt.Println("drop privileges:", err)
				os.Exit(1)
			}
		}
	}
	os.Exit(m.Run())
}

func hold(path string) {
	ctx := context.Background()
	db, err := Open(ctx, path, Options{Address: "127.0.0.1:7070"})
	if err == nil {
		err = db.Migrate(ctx, "words", series1...)
	}
	if err == nil {
		err = db.Write(ctx, func(tx *sql.Tx) error {
			_, err := tx.Exec("INSERT INTO words (word) VALUES ('one')")
			return err
		})
	}
	fmt.Println("held", err)
	select {}
}

func again(t *testing.T, role, path string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), roleKey+"="+role, pathKey+"="+path)
	return cmd
}

func TestSecondWriterLearnsWhoHoldsTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	cmd := again(t, "hold", path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "held <nil>\n" {
		t.Fatalf("the other process said %q", line)
	}
	_, err = Open(t.Context(), path, Options{})
	locked, ok := errors.AsType[*LockedError](err)
	if !ok {
		t.Fatalf("second writer: %v, expected a LockedError", err)
	}
	if locked.PID != cmd.Process.Pid || locked.Address != "127.0.0.1:7070" {
		t.Errorf("holder %d at %q, expected %d at 127.0.0.1:7070", locked.PID, locked.Address, cmd.Process.Pid)
	}
	expected := fmt.Sprintf("%s: the database is being written by process %d at 127.0.0.1:7070", locked.Path, locked.PID)
	if err.Error() != expected {
		t.Errorf("message %q, expected %q", err, expected)
	}
	if runtime.GOOS == "linux" { // the holder is known too where its lock file was removed
		if err := os.Remove(lockPath(path)); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), path, Options{Address: "localhost:2"}); err == nil || err.Error() != expected {
			t.Errorf("message %q, expected %q", err, expected)
		}
		if err := os.WriteFile(lockPath(path), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	read, err := OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatalf("reading beside a writer: %v", err)
	}
	read.Close()

	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if _, err := os.Stat(lockPath(path)); err != nil {
		t.Errorf("a killed process leaves its lock file: %v", err)
	}
	db, err := Open(t.Context(), path, Options{Address: "localhost:1"})
	if err != nil {
		t.Fatalf("after the holder's death: %v", err)
	}
	if got := holder(path); got.PID != os.Getpid() || got.Address != "localhost:1" {
		t.Errorf("lock file names %+v", got)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(lockPath(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("lock file after closing: %v", err)
	}
}

// The lock file is removed by the process that releases it; no process may thereby hold
// a lock on a file that has no name any more while another holds the next.
func TestLockExcludesUnderContention(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	var wait sync.WaitGroup
	var mu sync.Mutex
	inside, taken := 0, 0
	for range 8 {
		wait.Go(func() {
			for range 300 {
				lock, err := acquire(path, "")
				if err != nil {
					if _, ok := errors.AsType[*LockedError](err); !ok {
						t.Error(err)
					}
					continue
				}
				mu.Lock()
				inside++
				taken++
				if inside > 1 {
					t.Error("two hold the lock")
				}
				mu.Unlock()
				mu.Lock()
				inside--
				mu.Unlock()
				if err := lock.release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if taken == 0 {
		t.Error("nobody got the lock")
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	for name, leave := range map[string]func(*testing.T, string){
		"closed": func(t *testing.T, path string) {
			db := mustOpen(t, path)
			if err := db.Migrate(t.Context(), "words", series1...); err != nil {
				t.Fatal(err)
			}
			addWord(t, db, "one")
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		},
		"killed": func(t *testing.T, path string) { // leaves its log, with everything in it
			cmd := again(t, "hold", path)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_, _ = bufio.NewReader(out).ReadString('\n')
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "sealed")
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			leave(t, filepath.Join(dir, "x.db"))
			readAsNobody(t, dir)
		})
	}
}

func readAsNobody(t *testing.T, dir string) {
	t.Helper()
	before := names(t, dir)
	for name := range strings.FieldsSeq(before) {
		if err := os.Chmod(filepath.Join(dir, name), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	for up := filepath.Dir(dir); len(up) > len(os.TempDir()); up = filepath.Dir(up) {
		if err := os.Chmod(up, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	own := filepath.Join(filepath.Dir(dir), "own") // the folder for temporary files may be another's
	if err := errors.Join(os.Mkdir(own, 0o755), os.Chmod(own, 0o777)); err != nil {
		t.Fatal(err)
	}
	cmd := again(t, "unprivileged", dir, "-test.run=^TestAsReader$", "-test.v")
	cmd.Env = append(cmd.Environ(), "TMPDIR="+own)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestAsReader") {
		t.Errorf("%v\n%s", err, out)
	}
	if after := names(t, dir); after != before {
		t.Errorf("the directory holds %q, before %q", after, before)
	}
}

// TestAsReader is the part of TestReadOnlyDirectory that runs without
// privileges; on its own it has nothing to look at.
func TestAsReader(t *testing.T) {
	if os.Getenv(roleKey) != "unprivileged" {
		return
	}
	dir := os.Getenv(pathKey)
	read, err := OpenReadOnly(t.Context(), filepath.Join(dir, "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if got := words(t, read); len(got) != 1 || got[0] != "one" {
		t.Errorf("read %q", got)
	}
	if report, err := read.Check(t.Context()); err != nil || !report.OK() {
		t.Errorf("check: %+v %v", report, err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := read.Backup(t.Context(), copied); err != nil {
		t.Errorf("backup from a read-only directory: %v", err)
	}
	for _, name := range []string{"x.db", "new.db"} {
		_, err := Open(t.Context(), filepath.Join(dir, name), Options{})
		refused, ok := errors.AsType[*ReadOnlyError](err)
		if !ok || !errors.Is(err, os.ErrPermission) {
			t.Errorf("writing %s: %v, expected a ReadOnlyError", name, err)
		} else if !strings.Contains(refused.Error(), "cannot be written") {
			t.Errorf("message %q", refused)
		}
	}
}
