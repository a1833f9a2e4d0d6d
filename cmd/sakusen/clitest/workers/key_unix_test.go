//go:build unix

package workers

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// A key that the shell writes into a file can be read by its owner alone.
func TestKeyIsItsOwners(t *testing.T) {
	dir := t.TempDir()
	file, err := os.OpenFile(filepath.Join(dir, "attic.key"), os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c := exec.Command(os.Args[0], "worker", "add", "attic")
	c.Env = append(os.Environ(), clitest.AsProgram+"=1")
	c.Dir, c.Stdout = dir, file
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	if info, err := file.Stat(); err != nil || info.Size() == 0 || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}
