package engines

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// clusterDir returns a copy of examples/asktell with a smaller budget.
func clusterDir(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../../../examples/asktell")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "bot.yaml")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	small := strings.NewReplacer("games: 6000", "games: 1200", "max_blocks: 1200", "max_blocks: 300").Replace(string(text))
	if small == string(text) {
		t.Fatal("examples/asktell/bot.yaml has another budget")
	}
	if err := os.WriteFile(path, []byte(small), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// cluster runs the example's script.
func cluster(dir string) *exec.Cmd {
	c := exec.Command("python3", "cluster.py", os.Args[0], "bot.yaml", "sakusen.db")
	c.Dir, c.Env = dir, append(os.Environ(), clitest.AsProgram+"=1")
	return c
}

// The example asks, plays and tells until the verdict; with a daemon that is killed
// again and again, and a cluster that begins anew, it is the same verdict.
func TestClusterExample(t *testing.T) {
	alone := clusterDir(t)
	out, _ := cluster(alone).CombinedOutput()
	want, _ := clitest.Exits(t, alone, 0, "study", "show", "asktell-bot", "--json")
	if !strings.Contains(string(out), `"verdict": "`) || clitest.DigestIn(want) == "" || !strings.Contains(want, `"class":"recorded"`) {
		t.Fatalf("%s\n%s", out, want)
	}
	if suite.Few() {
		return
	}
	dir := clusterDir(t)
	for kills := 0; ; {
		d := clitest.Serve(t, dir)
		c := cluster(dir)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if kills < 5 {
			time.Sleep(time.Duration(200+150*kills) * time.Millisecond)
			d.Cmd.Process.Kill()
			d.Cmd.Wait()
			kills++
			c.Wait() // told that no daemon answers, or by then alone with the file
		} else {
			c.Wait()
		}
		got, _, code := d.Run("study", "show", "asktell-bot", "--json")
		d.Cmd.Process.Kill()
		d.Cmd.Wait()
		if code != 0 {
			continue // killed before the study had begun
		}
		if digest := clitest.DigestIn(got); digest != "" {
			if digest != clitest.DigestIn(want) || kills < 1 {
				t.Errorf("%d kills: digest %s, expected %s", kills, digest, clitest.DigestIn(want))
			}
			break
		}
	}
	status, text := clitest.Serve(t, dir).Answer("POST", "/api/v1/studies/asktell-bot/asks", `{"n": 3}`)
	if status != 200 || !strings.Contains(text, `"verdict"`) || !strings.Contains(text, `"asks":[]`) {
		t.Errorf("%d %.300s", status, text)
	}
}
