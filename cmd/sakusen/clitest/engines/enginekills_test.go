//go:build linux

package engines

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// marked counts the processes among whose arguments a mark is.
func marked(mark string) (n int) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range all {
		if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), mark) {
			n++
		}
	}
	return n
}

// A daemon that is killed while engines run leaves none of them alive, and a study
// that it ran ends as an undisturbed one. SAKUSEN_ENGINE_KILLS=50 kills so often.
func TestKilledDaemonLeavesNoEngine(t *testing.T) {
	kills := 2
	if n, err := strconv.Atoi(os.Getenv("SAKUSEN_ENGINE_KILLS")); err == nil {
		kills = n
	} else {
		suite.All(t)
	}
	study := fmt.Sprintf(toyStudy, "nodes:1", 300+100*kills)
	dir := clitest.NewStudyDir(t, study)
	mark := fmt.Sprintf("--mark-%d-%d", os.Getpid(), rand.Int64())
	settings := strings.Replace(toyEngine("", 0), "], environment", fmt.Sprintf(", %q], environment", mark), 1)
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	whole := clitest.NewStudyDir(t, study) // the mark is an argument, and so part of what the engine is
	if err := os.WriteFile(filepath.Join(whole, "config.yaml"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	want, err := clitest.DigestOf(t, whole)
	if err != nil {
		t.Fatal(err)
	}
	running := 0
	chance := rand.New(rand.NewPCG(2, 2))
	for i := range kills {
		d := clitest.Serve(t, dir)
		if i == 0 {
			if _, errs, code := d.Run("study", "submit", "killed.yaml"); code != clitest.ExitDone {
				t.Fatalf("exit code %d, %s", code, errs)
			}
		}
		for end := time.Now().Add(time.Duration(200+chance.IntN(600)) * time.Millisecond); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		}
		if marked(mark) > 0 {
			running++
		}
		d.Cmd.Process.Kill()
		d.End()
		for end := suite.Deadline(t); marked(mark) > 0; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("kill %d: %d engines are alive after 3 s", i+1, marked(mark))
			}
		}
	}
	if got, err := clitest.DigestOf(t, dir); err != nil || got != want {
		t.Errorf("digest %s, %v, and %s undisturbed", got, err, want)
	}
	t.Logf("%d kills, engines ran at %d of them", kills, running)
}
