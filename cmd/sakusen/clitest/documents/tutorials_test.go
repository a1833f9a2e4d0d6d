package documents

import (
	"bytes"
	"fmt"
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

// tutorialStep is a block of commands of a tutorial and what stands there as their
// output, between start and end of the text; start is 0 where nothing is shown.
type tutorialStep struct {
	line          int
	commands      string
	shown         string
	start, end    int
	needs, notRun string
}

// tutorialFence is a block of commands with the block of output that may follow it.
// A comment before it may say that it is not run, or which program it needs.
var tutorialFence = regexp.MustCompile("(?ms)(?:^<!-- (not run|needs): ([^\n]*) -->\n)?^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?")

func tutorialSteps(text string) (steps []tutorialStep) {
	for _, m := range tutorialFence.FindAllStringSubmatchIndex(text, -1) {
		s := tutorialStep{line: 1 + strings.Count(text[:m[0]], "\n"), commands: text[m[6]:m[7]]}
		if m[2] >= 0 && text[m[2]:m[3]] == "needs" {
			s.needs = text[m[4]:m[5]]
		} else if m[2] >= 0 {
			s.notRun = text[m[4]:m[5]]
		}
		if m[8] >= 0 {
			s.shown, s.start, s.end = text[m[8]:m[9]], m[8], m[9]
		}
		steps = append(steps, s)
	}
	return steps
}

// alike reports whether an output is what is shown, in which a line of three points
// stands for any lines.
func alike(shown, out string) bool {
	parts := strings.Split("\n"+shown, "\n...\n")
	rest, first := "\n"+out, true
	for i, part := range parts {
		if i > 0 {
			part = "\n" + part
		}
		if i < len(parts)-1 {
			part += "\n"
		}
		at := strings.Index(rest, part)
		if at < 0 || first && at > 0 {
			return false
		}
		rest, first = rest[at+max(0, len(part)-1):], false
	}
	return strings.HasSuffix(shown, "...\n") || strings.TrimPrefix(rest, "\n") == ""
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		shown, out string
		want       bool
	}{
		{"a\nb\n", "a\nb\n", true}, {"a\n", "a\nb\n", false}, {"b\n", "a\nb\n", false}, {"a\nb\n", "a\n", false},
		{"a\n...\nc\n", "a\nb\nb\nc\n", true}, {"a\n...\nc\n", "a\nb\nc\nd\n", false}, {"...\nc\n", "a\nc\n", true},
		{"a\n...\n", "a\nb\n", true}, {"a\n...\n", "b\n", false}, {"", "", true}, {"", "a\n", false},
	} {
		if got := alike(c.shown, c.out); got != c.want {
			t.Errorf("%q beside %q: %v", c.shown, c.out, got)
		}
	}
}

// The commands of the tutorials and of the examples run as they stand, one after another in an empty
// folder, and print what is shown. CLONE is the folder of the source, and sakusen
// is on the PATH, as the tutorials' first commands arrange it.
func TestTutorials(t *testing.T) {
	root, err := filepath.Abs(sourceRoot)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "docs", "tutorial-*.md"))
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	examples, err := filepath.Glob(filepath.Join(root, "examples", "*", "README.md"))
	if err != nil || len(examples) < 6 {
		t.Fatal(examples, err)
	}
	for _, file := range slices.Concat(files, []string{filepath.Join(root, "docs", "fooling-oneself.md"), filepath.Join(root, "docs", "asktell.md")}, examples) {
		folder := filepath.Base(filepath.Dir(file))
		t.Run(folder+"/"+filepath.Base(file), func(t *testing.T) {
			if filepath.Base(file) != "asktell.md" { // the others take minutes
				suite.All(t)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			bin, here := t.TempDir(), t.TempDir()
			program := fmt.Sprintf("#!/bin/sh\n%s=1 exec %s \"$@\"\n", clitest.AsProgram, os.Args[0])
			if err := os.WriteFile(filepath.Join(bin, "sakusen"), []byte(program), 0o755); err != nil {
				t.Fatal(err)
			}
			env := append(os.Environ(), "CLONE="+root, "PATH="+bin+":"+os.Getenv("PATH")+":/usr/games", "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod -ldflags=-w", "GOPROXY=off", "GOWORK=off")
			whole, ran := string(text), 0
			steps := tutorialSteps(whole)
			if strings.Count(whole, "```sh\n") != len(steps) {
				t.Errorf("%d of the blocks of commands are read", len(steps))
			}
			var fresh []tutorialStep
			for _, s := range steps {
				if s.notRun != "" {
					continue
				}
				if _, err := exec.LookPath(s.needs); s.needs != "" && err != nil {
					if _, err := os.Stat("/usr/games/" + s.needs); err != nil {
						t.Logf("line %d needs %s", s.line, s.needs)
						continue
					}
				}
				c := exec.CommandContext(t.Context(), "bash", "-eu", "-c", s.commands+"\npwd > "+bin+"/pwd\n")
				c.Dir, c.Env = here, env
				var out, errs bytes.Buffer
				c.Stdout, c.Stderr = &out, &errs
				if err := c.Run(); err != nil {
					t.Errorf("line %d: %v: %s%s%s", s.line, err, s.commands, &out, &errs)
					break
				}
				ran++
				after, err := os.ReadFile(bin + "/pwd")
				if err != nil {
					t.Fatal(err)
				}
				here = strings.TrimSpace(string(after))
				if s.start > 0 && !alike(s.shown, out.String()) {
					t.Errorf("line %d: the commands\n%sprint\n%snot, as is shown,\n%s(rewrite it with -update)", s.line, s.commands, &out, s.shown)
					s.shown = out.String()
					fresh = append(fresh, s)
				}
			}
			if ran < 3 && folder == "docs" || len(steps) == 0 {
				t.Errorf("%d blocks of %d were run", ran, len(steps))
			}
			if *clitest.Update && len(fresh) > 0 {
				for i := len(fresh) - 1; i >= 0; i-- {
					whole = whole[:fresh[i].start] + fresh[i].shown + whole[fresh[i].end:]
				}
				if err := os.WriteFile(file, []byte(whole), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
