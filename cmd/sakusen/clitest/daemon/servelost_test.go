package daemon

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// A daemon whose database is removed, or replaced by a copy, acknowledges
// nothing more, is not ready any longer, and says which file it was.
func TestServeLosesItsDatabase(t *testing.T) {
	for name, take := range map[string]func(path string) error{
		"removed": os.Remove,
		"replaced": func(path string) error {
			text, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path+".copy", text, 0o644)
			}
			if err == nil {
				err = os.Rename(path+".copy", path)
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			clitest.ServedStudies(t, dir)
			s := clitest.Serve(t, dir)
			path := filepath.Join(dir, "sakusen.db")
			s.Run("study", "submit", "served-0.yaml")
			if err := take(path); err != nil {
				t.Fatal(err)
			}
			file, err := os.ReadFile(filepath.Join(dir, "served-1.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			body, err := json.Marshal(map[string]string{"name": "served-1.yaml", "spec": string(file)})
			if err != nil {
				t.Fatal(err)
			}
			status, text := s.Answer("POST", "/api/v1/studies", string(body))
			if status != http.StatusServiceUnavailable {
				t.Errorf("a submission: %d %s", status, text)
			}
			if status, text := s.Answer("GET", "/readyz", ""); status != http.StatusServiceUnavailable {
				t.Errorf("ready: %d %s", status, text)
			}
			s.Cmd.Process.Signal(os.Interrupt)
			said, _ := s.End()
			if !strings.Contains(said, path) || !strings.Contains(said, "nothing more is written") {
				t.Errorf("%s", said)
			}
		})
	}
}

// After its lock file was removed a daemon notices by itself within seconds, and
// no second one begins beside it.
func TestServeLosesItsLock(t *testing.T) {
	dir := t.TempDir()
	clitest.ServedStudies(t, dir)
	s := clitest.Serve(t, dir)
	if err := os.Remove(filepath.Join(dir, "sakusen.db.lock")); err != nil {
		t.Fatal(err)
	}
	_, errs, err := clitest.Program(t, dir, nil, "serve", "--listen", "127.0.0.1:0")
	if err == nil || !strings.Contains(err.Error(), "exit status 2") || !strings.Contains(errs, "is being written by") {
		t.Errorf("a second daemon: %v %s", err, errs)
	}
	ready := http.StatusOK
	for end := suite.Deadline(t); ready == http.StatusOK && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		ready, _ = s.Answer("GET", "/readyz", "")
	}
	if ready != http.StatusServiceUnavailable {
		t.Errorf("ready: %d", ready)
	}
	s.Cmd.Process.Signal(os.Interrupt)
	s.End()
}
