package engines

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/external/ucitest"

	"sakusen/engines/suite"
)

// documentBlock returns the commands of the first block of docs/engines.md behind a heading.
func documentBlock(t *testing.T, heading string) []string {
	t.Helper()
	text, err := os.ReadFile("../../../../docs/engines.md")
	if err != nil {
		t.Fatal(err)
	}
	_, behind, ok := strings.Cut(string(text), heading)
	_, block, open := strings.Cut(behind, "```\n")
	block, _, closed := strings.Cut(block, "```")
	if !ok || !open || !closed {
		t.Fatalf("docs/engines.md has no block behind %q", heading)
	}
	return strings.Split(strings.TrimSpace(block), "\n")
}

// The engine of the tests stands on the path under the names that docs/engines.md has, and the
// commands of the page do with it what it says: from an engine and nothing else to a verdict.
func TestStudyNewOfTheDocument(t *testing.T) {
	suite.All(t)
	dir := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\n%s exec %q\n", ucitest.As("", 0)[0], os.Args[0])
	if err := os.WriteFile(filepath.Join(dir, "glaurung"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}
	games := regexp.MustCompile(`(?m)^budget: .*$|^  games: .*$`)
	for i, line := range documentBlock(t, "## A study of an engine") {
		command, file, written := strings.Cut(line, " > ")
		args := strings.Fields(command)
		if args[0] != "sakusen" {
			t.Fatalf("line %d: %s", i+1, line)
		}
		out, errs, err := clitest.Program(t, dir, env, args[1:]...)
		if err != nil && args[1] != "tune" { // whose verdict hangs on few games
			t.Fatalf("%s: %v\n%s%s", line, err, out, errs)
		}
		if !written {
			if args[1] == "tune" && !strings.Contains(out, "Verdict") && !strings.Contains(strings.ToLower(out), "undecided") && !strings.Contains(strings.ToLower(out), "fail") && !strings.Contains(strings.ToLower(out), "pass") {
				t.Errorf("%s: no verdict:\n%s%s", line, out, errs)
			}
			continue
		}
		for _, want := range []string{"Sense", "changes the move in", "at the speed measured now", "# Left out"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q:\n%s", line, want, out)
			}
		}
		out = games.ReplaceAllStringFunc(out, func(was string) string { // enough to end with
			if strings.HasPrefix(was, "budget:") && !strings.Contains(was, "{") {
				return was
			}
			return regexp.MustCompile(`[0-9]+`).ReplaceAllString(was, "200")
		})
		clitest.WriteFile(t, dir, strings.TrimSpace(file), out)
	}
}

// The command of docs/engines.md that tests a patch is one: with limits that take no time.
func TestPatchOfTheDocument(t *testing.T) {
	dir := t.TempDir()
	config := ""
	for _, name := range []string{"dev", "main"} {
		config += fmt.Sprintf("  %s: {command: [%q], environment: [%q], options: [{name: Hash, value: 4}]}\n", name, os.Args[0], ucitest.As("", 0)[0])
	}
	clitest.WritePrivate(t, dir, "config.yaml", "engines:\n"+config)
	clitest.WriteFile(t, dir, "book.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\nrnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n")
	line := documentBlock(t, "## A test of a patch")[0]
	line = regexp.MustCompile(`clock:\S+`).ReplaceAllString(line, "nodes:1")
	args := append(strings.Fields(line)[1:], "--max-games", "64", "--rules", "most_plies=50")
	args[1] = "dev(Sense=" + fmt.Sprint(ucitest.Best) + ")"
	args[2] = "main(Sense=0)"
	out, errs, _ := clitest.Program(t, dir, nil, args...)
	for _, want := range []string{"Elo   | ", "SPRT  | nodes:1 Threads=1", "LLR   | ", "Games | N: ", "Penta | ["} {
		if !strings.Contains(out, want) {
			t.Errorf("%v: %q is missing:\n%s%s", args, want, out, errs)
		}
	}
}
