package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// The scripts of bench/testdata/cases, each a repository whose verdict its README states. What
// they say of time is for people; each is told here by its exit code and by what it prints.
func TestBenchCases(t *testing.T) {
	suite.All(t)
	cases, err := filepath.Abs("../../../../bench/testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob(filepath.Join(cases, "*.sh"))
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "sakusen")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"+clitest.AsProgram+"=1 exec '"+os.Args[0]+"' \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	const repaired, compared = "which the change repairs: panic: broken", " series compared, 0 failed"
	code := regexp.MustCompile(`(?m)^(?:ok  |FAIL) .*: exit (\d+)`)
	want := map[string]map[string]string{ // what is printed, by exit code
		"amortised-cost.sh": {"1": "sec/op", "3": "mean-sec/op"},
		"base-moved-on.sh":  {"4": "no benchmark in a package that differs"},
		"broken-base.sh":    {"0": repaired, "3": repaired},
		"costly-setup.sh":   {"0": "setup-sec", "3": "setup-sec"},
		"generated-file.sh": {"3": "1 in doubt)"},
		"submodule.sh":      {"0": compared, "3": compared},
	}
	for _, script := range scripts {
		name := filepath.Base(script)
		if name == "lib.sh" {
			continue
		}
		cmd := exec.Command("sh", script)
		cmd.Env = append(os.Environ(), "SAKUSEN="+program)
		out, err := cmd.CombinedOutput()
		w, ok := want[name]
		if !ok {
			t.Errorf("%s: expected an exit code for it", name)
			continue
		}
		delete(want, name)
		if m := code.FindSubmatch(out); err != nil || m == nil || w[string(m[1])] == "" || !strings.Contains(string(out), w[string(m[1])]) {
			t.Errorf("%s: %v, want %v\n%s", name, err, w, out)
		}
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}
