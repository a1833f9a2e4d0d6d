package clitest

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// DigestOf runs the study to its end and returns its digest.
func DigestOf(t *testing.T, dir string, env ...string) (string, error) {
	t.Helper()
	out, errs, err := Program(t, dir, env, "tune", "killed.yaml", "--json")
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() && (exit.ExitCode() == ExitNegative || exit.ExitCode() == ExitInconclusive) {
		err = nil // a verdict
	}
	if err != nil {
		if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
			return "", ErrKilled
		}
		t.Fatalf("%v: %s", err, errs)
	}
	var r struct{ Digest string }
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return r.Digest, nil
}

// ErrKilled is the end of a process that was killed at its point.
var ErrKilled = errors.New("killed")

// NewStudyDir is a directory with the study file.
func NewStudyDir(t *testing.T, study string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "killed.yaml"), []byte(study), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}
