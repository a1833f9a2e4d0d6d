//go:build unix

package engines

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// offering is an engine that only offers options.
const offering = `#!/bin/sh
while read -r word rest; do case $word in
uci) echo 'id name Offering
option name Threads type spin default 1 min 1 max 8
option name SyzygyPath type string default <empty>
option name LmrBase type spin default 77 min 0 max 200
option name LmrDiv type spin default 235 min 100 max 400
option name CPuct type string default 1.745000
option name Broken type spin default 5
uciok';;
isready) echo readyok;;
quit) exit;;
esac; done
`

// Study import asks the engine for its options: what it does not have is refused at its line.
func TestImportAsks(t *testing.T) {
	dir := clitest.NewStudyDir(t, "engines: {e: {command: [./e.sh]}, gone: {command: [./gone]}}\n")
	if err := os.Rename(filepath.Join(dir, "killed.yaml"), filepath.Join(dir, "config.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "e.sh"), []byte(offering), 0o755); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct{ text, want string }{
		{"# one\nLmrBase, int, 77, 0, 300, 10, 0.002\n\nLmrDiv, int, 235, 50, 400, 0, 0.002", "2: LmrBase: max: expected a number in 0..200, got 300"},
		{"LmrBse, int, 77, 0, 200, 10, 0.002", "1: LmrBse: expected a parameter of e (did you mean LmrBase?), got LmrBse"},
		{"lmrbase, int, 77, 0, 200, 10, 0.002", "1: lmrbase: expected a parameter of e (did you mean LmrBase?), got lmrbase"},
		{"LmrDiv, int, 50, 20, 200, 10, 0.002", "1: LmrDiv: min: expected a number in 100..400, got 20"},
		{"LmrDiv, int, 50, 20, 200, 0, 0.002\nCPuct,float,1,0,4,.1,.002", "1: LmrDiv: expected an integer in 100..400, got 50"},
		{"LmrDiv, float, 150.5, 100, 200.5, 10, 0.002", "1: LmrDiv: max: expected an integer, got 200.5"},
		{"CPuct, float, 1.7, 0.5, 5, .1, 0.002\nSyzygyPath, int, 1, 0, 2, 1, 0.002", "2: SyzygyPath: expected a parameter of e (only config.yaml sets it), got SyzygyPath"},
		{"Threads,1,1,8,1,0.002", "1: Threads: expected a parameter of e (it is always set, to 1), got Threads"},
		{"Broken,1,1,8,1,0.002", "1: Broken: expected a parameter of e (it cannot be set: expected default, min and max, each with an integer, got \"default 5\"), got Broken"},
		{`{"LmrBase": {"value": 77, "min_value": 0, "max_value": 200, "step": 5},` + "\n" + `"Lmr": {"value": 77, "min_value": 0, "max_value": 200, "step": 5}}`, "2: Lmr: expected a parameter of e"},
	} {
		name := fmt.Sprintf("f%d.txt", i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, errs := clitest.Exits(t, dir, clitest.ExitUsage, "study", "import", name, "--engine", "e"); out != "" || !strings.Contains(errs, name+":"+c.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s:\n%s%s, expected %s", c.text, out, errs, c.want)
		}
	}
	for engine, want := range map[string][]string{
		"e":    {`{name: "CPuct", low: 0.5, high: 5}`, `{name: "LmrBase", low: 0, high: 200}`, "# CPuct is a real number: the engine offers it as a string with a number, as Lc0 does.\n# LmrDiv is a real number in the file and an integer"},
		"gone": {"# The engine was not asked for its options, so names and ranges are those of the file: engine gone: "},
		"else": {`those of the file: "else" (`},
	} {
		const file = "CPuct, float, 1.7, 0.5, 5, .1, 0.002\nLmrBase, int, 77, 0, 200, 10, 0.002\nLmrDiv, float, 235.0, 200, 300, 10, 0.002\n"
		if err := os.WriteFile(filepath.Join(dir, "good.txt"), []byte(file), 0o644); err != nil {
			t.Fatal(err)
		}
		out, errs, err := clitest.Program(t, dir, nil, "study", "import", "good.txt", "--engine", engine)
		for _, text := range want {
			if err != nil || !strings.Contains(out, text) {
				t.Errorf("%s: %v\n%s%s, expected %s", engine, err, out, errs, text)
			}
		}
	}
	// Whole numbers stay whole where the engine offers a string.
	if err := os.WriteFile(filepath.Join(dir, "whole.txt"), []byte("CPuct, int, 2, 1, 5, 1, 0.002"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, errs, err := clitest.Program(t, dir, nil, "study", "import", "whole.txt", "--engine", "e"); err != nil || !strings.Contains(out, `{name: "CPuct", low: 1, high: 5, step: 1}`) {
		t.Errorf("%v\n%s%s", err, out, errs)
	}
}
