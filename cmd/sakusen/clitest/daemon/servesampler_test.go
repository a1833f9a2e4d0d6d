package daemon

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
)

// Studies whose sampler never answers are paused and stopped as others are, and other
// studies go on beside them; nor does the daemon wait for such a sampler when it ends. What
// was interrupted goes on to its end.
func TestServeLeavesASilentSampler(t *testing.T) {
	dir := t.TempDir()
	clitest.ServedStudies(t, dir)
	silence := clitest.Silence(t, filepath.Join(dir, "silence"))
	s := clitest.ServeWith(t, dir, []string{silence.Variable()})
	await := func(study, state string) {
		t.Helper()
		for s.States()[study] != state {
			time.Sleep(20 * time.Millisecond)
		}
	}
	must := func(args ...string) {
		t.Helper()
		if out, errs, code := s.Run(args...); code != 0 {
			t.Fatalf("%v: exit code %d: %s%s", args, code, out, errs)
		}
	}
	must("study", "submit", "served-0.yaml")
	silence.Await()
	silence.Over()
	must("study", "submit", "served-1.yaml")
	await("served-1", "done")
	if state := s.States()["served-0"]; state != "running" {
		t.Errorf("the study whose sampler does not answer is %s", state)
	}
	must("study", "pause", "served-0")
	await("served-0", "paused")
	silence.Again()
	must("study", "resume", "served-0")
	silence.Await()
	must("study", "stop", "served-0")
	await("served-0", "stopped")
	silence.Over()
	silence.Again()
	must("study", "submit", "served-2.yaml")
	silence.Await()
	s.Cmd.Process.Signal(syscall.SIGTERM)
	if said, err := s.End(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	silence.Over()
	s = clitest.ServeWith(t, dir, nil)
	await("served-2", "done")
	must("study", "resume", "served-0")
	await("served-0", "done")
	s.Cmd.Process.Signal(syscall.SIGTERM)
	if said, err := s.End(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
}
