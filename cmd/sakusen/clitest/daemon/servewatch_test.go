package daemon

import (
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// Who watches a study that a daemon runs, from before its first game on, is given its
// result when it ends, and the exit code of its verdict.
func TestWatchARunningStudy(t *testing.T) {
	dir := t.TempDir()
	clitest.ServedStudies(t, dir)
	if _, errs, err := clitest.Program(t, dir, nil, "study", "submit", "served-0.yaml"); err != nil {
		t.Fatalf("%v %s", err, errs)
	}
	s := clitest.Serve(t, dir)
	watched, errs, code := s.Run("study", "watch", "served-0")
	if state := s.States()["served-0"]; state != "done" {
		t.Errorf("the study is %s after the watching ended with %d: %s%s", state, code, watched, errs)
	}
	s.Cmd.Process.Kill()
	s.End()
	if result, _, verdict := s.Run("tune", "served-0.yaml"); watched != result || code != verdict {
		t.Errorf("watch ended with %d and printed\n%s\ntune with %d\n%s", code, watched, verdict, result)
	}
}
