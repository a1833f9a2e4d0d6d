package engines

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// Games between Debian's engines are legal, and their results right, by a second
// program: pgn-extract replays them without a complaint. SAKUSEN_PGN_GAMES=2000 plays
// so many.
func TestPGNExtract(t *testing.T) {
	names := []string{"stockfish", "glaurung", "toga2", "gnuchess"}
	var given []string
	for _, name := range names {
		path, err := exec.LookPath("/usr/games/" + name)
		if err != nil {
			t.Skipf("Debian's package of %s is not installed", name)
		}
		if name == "gnuchess" {
			path += " -u"
		}
		given = append(given, "--engine", name+"="+path)
	}
	extract, err := exec.LookPath("/usr/games/pgn-extract")
	if err != nil {
		extract, err = exec.LookPath("pgn-extract")
	}
	if err != nil {
		t.Skip("Debian's package pgn-extract is not installed")
	}
	games := 12
	if n, err := strconv.Atoi(os.Getenv("SAKUSEN_PGN_GAMES")); err == nil {
		games = n
	} else {
		suite.All(t)
	}
	dir := t.TempDir()
	all, played := filepath.Join(dir, "all.pgn"), 0
	f, err := os.Create(all)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i, a := range names {
		for _, b := range names[i+1:] {
			one := filepath.Join(dir, a+b+".pgn")
			args := append([]string{"match", "chess", a, b, "--rules", "limit=depth:1", "--blocks", fmt.Sprint((games + 11) / 12), "--pgn", one, "--quiet", "--json"}, given...)
			if out, errs, err := clitest.Program(t, dir, nil, args...); err != nil {
				t.Fatalf("%s and %s: %v %s%s", a, b, err, out, errs)
			}
			text, err := os.ReadFile(one)
			if err == nil {
				_, err = f.Write(text)
			}
			if err != nil {
				t.Fatal(err)
			}
			played += strings.Count(string(text), "\n[Result ")
		}
	}
	said, err := exec.Command(extract, "-o", filepath.Join(dir, "again.pgn"), all).CombinedOutput()
	if err != nil || !strings.Contains(string(said), fmt.Sprintf("%d games matched out of %d", played, played)) {
		t.Errorf("%v: %.2000s", err, said)
	}
	if lower := strings.ToLower(string(said)); strings.Contains(lower, "illegal") || strings.Contains(lower, "ambiguous") || strings.Contains(lower, "failed") || strings.Contains(lower, "inconsistent") {
		t.Errorf("pgn-extract: %.2000s", said)
	}
	t.Logf("%d games replayed", played)
}
