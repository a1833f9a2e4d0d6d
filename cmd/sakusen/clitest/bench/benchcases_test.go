package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
	code := regexp.MustCompile(`(?m)^(?:ok  |FAIL) .*: exit (\d+)`)
	want := map[string]struct {
		codes []string
		says  string
	}{
		"amortised-cost.sh": {[]string{"1", "3"}, "mean-sec/op"},
		"base-moved-on.sh":  {[]string{"4"}, "no benchmark in a package that differs"},
		"broken-base.sh":    {[]string{"0", "3"}, "which the change repairs: panic: broken"},
		"costly-setup.sh":   {[]string{"0", "3"}, "setup-sec"},
		"generated-file.sh": {[]string{"3"}, "1 in doubt)"},
		"submodule.sh":      {[]string{"0", "3"}, " series compared, 0 failed"},
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
		if m := code.FindSubmatch(out); err != nil || m == nil || !slices.Contains(w.codes, string(m[1])) || !strings.Contains(string(out), w.says) {
			t.Errorf("%s: %v, want %v with %q\n%s", name, err, w.codes, w.says, out)
		}
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}
