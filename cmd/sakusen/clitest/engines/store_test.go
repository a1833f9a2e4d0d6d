package engines

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/tuner/queue/enginestore"
)

// An engine may not have the name of a game's own strategy: such a name is refused before anything is
// built or stored. Commands still work with a store that already holds such an engine.
func TestTakenName(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{"add", "random", os.Args[0]}, {"build", "random", "--git", "nowhere", "--command", "true", "--output", "x"}} {
		if _, errs := clitest.Exits(t, dir, 2, append([]string{"engine"}, args...)...); !strings.Contains(errs, "has a strategy random of its own: choose another name") {
			t.Errorf("%v: %s", args, errs)
		}
	}
	store := filepath.Join(dir, "sakusen.db.engines")
	if _, err := os.Stat(store); !os.IsNotExist(err) {
		t.Errorf("something was stored: %v", err)
	}
	m := &enginestore.Manifest{Version: 1, Name: "random", Protocol: "uci", Memory: 64}
	in := enginestore.Open(store, 1<<30)
	if err := errors.Join(in.Stage(m, []string{os.Args[0]}), in.Publish(m)); err != nil {
		t.Fatal(err)
	}
	if _, errs := clitest.Exits(t, dir, 0, "games"); !strings.Contains(errs, "the store of engines") || !strings.Contains(errs, "choose another name") {
		t.Errorf("not told: %s", errs)
	}
	clitest.Exits(t, dir, 0, "engine", "rm", "random")
	if _, errs := clitest.Exits(t, dir, 0, "engine", "list"); errs != "" {
		t.Errorf("after it was removed: %s", errs)
	}
}
