package engines

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/external/ucitest"
	"sakusen/engines/suite"
	"sakusen/tuner"
)

// toyStudy tunes the engine of the tests, which plays best where Sense is
// ucitest.Best and badly by default.
const toyStudy = `version: 1
name: killed
game: chess
rules:
  - {name: limit, value: "%s"}
  - {name: most_plies, value: 60}
tune: {strategy: toy, params: [{name: Sense}]}
baseline: toy
sampler: {seed: 2}
budget: {games: %d}
`

// toyEngine returns the study's engine as a registry has it.
func toyEngine(fault string, every int) string {
	return fmt.Sprintf("engines:\n  toy: {command: [%q], environment: [%q]}\n", os.Args[0], ucitest.As(fault, every)[0])
}

// An engine is tuned from one file to a pass; the parameters come out as the lines
// that set them, also where the engine is not registered; a second run prints the
// stored result.
func TestEngineStudy(t *testing.T) {
	suite.All(t)
	const games = 1200
	dir := clitest.NewStudyDir(t, toyEngine("", 0)+fmt.Sprintf(toyStudy, "nodes:1", games))
	out, errs, err := clitest.Program(t, dir, nil, "tune", "killed.yaml", "--json")
	if err != nil {
		t.Fatalf("%v: %s%s", err, out, errs)
	}
	var r tuner.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	var sense int
	fmt.Sscan(r.Best.Params["Sense"], &sense)
	if r.Validation.Verdict != "pass" || sense < ucitest.Best-20 || sense > ucitest.Best+20 || r.Class != "" {
		t.Errorf("%s", out)
	}
	if text, errs, err := clitest.Program(t, dir, nil, "export", "killed", "--format", "chess-tuning-tools"); err != nil || strings.Count(text, fmt.Sprintf(`"command": %q`, os.Args[0])) != 2 {
		t.Errorf("command: %v %s %s", err, text, errs)
	}
	if lines, errs, err := clitest.Program(t, dir, nil, "export", "killed", "--format", "uci"); err != nil || !strings.Contains(lines, fmt.Sprintf("\nsetoption name Sense value %d\n", sense)) {
		t.Errorf("%v %s%s", err, lines, errs)
	}
	if again, errs, err := clitest.Program(t, dir, nil, "tune", "killed.yaml", "--json"); err != nil || again != out {
		t.Errorf("a second run: %v %s%s", err, again, errs)
	}
	// Without the engine the study cannot run, and what it did can be read.
	if err := os.WriteFile(filepath.Join(dir, "killed.yaml"), fmt.Appendf(nil, toyStudy, "nodes:1", games), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, errs, err := clitest.Program(t, dir, nil, "tune", "killed.yaml"); err == nil || !strings.Contains(errs, "toy") {
		t.Errorf("without its engine: %v %s", err, errs)
	}
	for _, args := range [][]string{{"study", "show", "killed"}, {"study", "list"}, {"db", "check"}} {
		if _, errs, err := clitest.Program(t, dir, nil, args...); err != nil {
			t.Errorf("%v: %v %s", args, err, errs)
		}
	}
}

// An export for chess-tuning-tools has the engine's command. Where a study got its engine by a flag, the
// export needs the same flag. A daemon tells only commands that the study's own text has.
func TestExportedCommand(t *testing.T) {
	dir := clitest.NewStudyDir(t, fmt.Sprintf(toyStudy, "nodes:1", 100))
	clitest.WriteFile(t, dir, "toy.yaml", toyEngine("", 0))
	if out, errs, _ := clitest.Program(t, dir, nil, "tune", "killed.yaml", "--engine-file", "toy.yaml", "--quiet"); !strings.Contains(out, "Digest") {
		t.Fatalf("%s%s", out, errs)
	}
	export := []string{"export", "killed", "--force", "--format", "chess-tuning-tools"}
	if out, errs := clitest.Exits(t, dir, 2, export...); out != "" || !strings.Contains(errs, "--engine toy=PROGRAM") {
		t.Errorf("not known: %s%s", out, errs)
	}
	if out, _ := clitest.Exits(t, dir, 0, append(export, "--engine-file", "toy.yaml")...); strings.Count(out, fmt.Sprintf(`"command": %q`, os.Args[0])) != 2 {
		t.Errorf("known by a flag: %s", out)
	}
	clitest.WriteFile(t, dir, "config.yaml", toyEngine("", 0))
	if out, _ := clitest.Exits(t, dir, 0, export...); strings.Count(out, fmt.Sprintf(`"command": %q`, os.Args[0])) != 2 {
		t.Errorf("known by the settings: %s", out)
	}
	s := clitest.Serve(t, dir)
	defer s.End()
	defer s.Cmd.Process.Signal(syscall.SIGTERM)
	if status, body := s.Answer("GET", "/api/v1/studies/killed/export?format=chess-tuning-tools&force=true", ""); status != 400 || !strings.Contains(body, "toy") || strings.Contains(body, os.Args[0]) {
		t.Errorf("over HTTP: %d %s", status, body)
	}
}

// killSoon runs a study and kills it after a while; false where it ended before.
func killSoon(t *testing.T, dir string, after time.Duration) bool {
	t.Helper()
	c := exec.Command(os.Args[0], "tune", "killed.yaml", "--quiet")
	c.Dir, c.Env = dir, append(os.Environ(), clitest.AsProgram+"=1")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(after, func() { c.Process.Kill() })
	defer kill.Stop()
	err := c.Wait()
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}

// A study of an engine with fixed nodes that is killed at any time ends as one that
// is not; by the clock its games are recorded, it ends too, and says so.
func TestKilledEngineStudies(t *testing.T) {
	suite.All(t)
	const kills, games = 3, 400
	chance := rand.New(rand.NewPCG(1, 1))
	exact := toyEngine("", 0) + fmt.Sprintf(toyStudy, "nodes:1", games)
	want, err := clitest.DigestOf(t, clitest.NewStudyDir(t, exact))
	if err != nil {
		t.Fatal(err)
	}
	dir, n := clitest.NewStudyDir(t, exact), 0
	for range kills {
		if killSoon(t, dir, time.Duration(500+chance.IntN(1500))*time.Millisecond) {
			n++
		}
	}
	if got, err := clitest.DigestOf(t, dir); err != nil || got != want {
		t.Errorf("after %d kills the digest is %s, %v; undisturbed %s", n, got, err, want)
	}
	dir = clitest.NewStudyDir(t, toyEngine("", 0)+fmt.Sprintf(toyStudy, "movetime:1000", games))
	for range kills {
		killSoon(t, dir, time.Duration(500+chance.IntN(1500))*time.Millisecond)
	}
	out, errs, err := clitest.Program(t, dir, nil, "tune", "killed.yaml", "--json")
	var r tuner.Result
	if json.Unmarshal([]byte(out), &r) != nil || r.Class != tuner.ClassRecorded || !strings.Contains(r.Why, "by the clock") {
		t.Fatalf("%v %s%s", err, out, errs)
	}
	if text, errs, err := clitest.Program(t, dir, nil, "tune", "killed.yaml", "--technical"); !strings.Contains(text, "recorded: games cannot be replayed") {
		t.Errorf("%v %s%s", err, text, errs)
	}
	if text, errs, err := clitest.Program(t, dir, nil, "export", "killed", "--force", "--json"); err != nil || !strings.Contains(text, `"class":"recorded"`) {
		t.Errorf("%v %s%s", err, text, errs)
	}
}

// A daemon runs the engines of its own settings, and no program that a file brings.
func TestDaemonRunsItsOwnEngines(t *testing.T) {
	dir := clitest.NewStudyDir(t, fmt.Sprintf(toyStudy, "nodes:1", 300))
	evil := filepath.Join(dir, "evil.yaml")
	mark := filepath.Join(dir, "was-run")
	text := fmt.Sprintf("engines:\n  toy: {command: [touch, %q]}\n", mark) + fmt.Sprintf(toyStudy, "nodes:1", 300)
	for file, text := range map[string]string{evil: text, filepath.Join(dir, "config.yaml"): toyEngine("", 0)} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d := clitest.Serve(t, dir)
	for _, command := range [][]string{{"study", "submit"}, {"tune"}} {
		if _, errs, code := d.Run(append(command, "evil.yaml")...); command[0] == "study" && (code != clitest.ExitUsage || !strings.Contains(errs, "its own config.yaml")) {
			t.Errorf("%v: exit code %d, %s", command, code, errs)
		}
		if _, err := os.Stat(mark); err == nil && command[0] == "study" {
			t.Errorf("%v: a program of the file was run", command)
		}
	}
	if out, errs, code := d.Run("tune", "killed.yaml", "--json"); code != clitest.ExitDone && code != clitest.ExitInconclusive && code != clitest.ExitNegative || !strings.Contains(out, `"digest"`) {
		t.Errorf("exit code %d, %s%s", code, out, errs)
	}
	d.Cmd.Process.Signal(syscall.SIGTERM)
	d.End()
}

// A tournament whose games cannot be played again is not judged by playing some
// again; one of the same engines with fixed nodes is.
func TestTournamentOfEngines(t *testing.T) {
	for limit, again := range map[string]bool{"movetime:1000": false, "nodes:1": true} {
		dir := clitest.NewStudyDir(t, fmt.Sprintf("version: 1\nname: two\ngame: chess\nrules: [{name: limit, value: %q}, {name: most_plies, value: 60}]\nentrants: [toy, toy(Sense=50)]\nformat: round_robin\nblocks: 3\nseed: 4\n", limit))
		if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(toyEngine("", 0)), 0o644); err != nil {
			t.Fatal(err)
		}
		out, errs, err := clitest.Program(t, dir, nil, "tournament", "killed.yaml", "--json")
		type report struct {
			Games    int
			Replayed *struct{ Blocks int }
		}
		r := clitest.Decode[report](t, out)
		if err != nil || r.Games != 6 || (r.Replayed != nil && r.Replayed.Blocks > 0) != again {
			t.Errorf("%s: %v, %+v %s", limit, err, r, errs)
		}
	}
}

// A program from elsewhere is tried for whether it plays the same games twice before its
// study begins, and not once more before the stored result is printed.
func TestFinishedStudyIsNotTriedAgain(t *testing.T) {
	dir := clitest.NewStudyDir(t, "")
	script := fmt.Sprintf("#!/bin/sh\necho started >> %s/starts\nexec %q\n", dir, os.Args[0])
	if err := os.WriteFile(filepath.Join(dir, "toy.sh"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	study := fmt.Sprintf("engines:\n  toy: {command: [./toy.sh], environment: [%q]}\n", ucitest.As("", 0)[0]) +
		strings.Replace(fmt.Sprintf(toyStudy, "nodes:1", 80), "games: 80}", "games: 80}\nrace: {rungs: [2]}\nvalidation: {max_blocks: 4}", 1)
	if err := os.WriteFile(filepath.Join(dir, "toy.yaml"), []byte(study), 0o644); err != nil {
		t.Fatal(err)
	}
	starts := func() int {
		text, _ := os.ReadFile(filepath.Join(dir, "starts"))
		return strings.Count(string(text), "\n")
	}
	first, errs, _ := clitest.Program(t, dir, nil, "tune", "toy.yaml", "--json")
	before := starts()
	again, _, _ := clitest.Program(t, dir, nil, "tune", "toy.yaml", "--json")
	if first == "" || first != again {
		t.Errorf("printed\n%s\nand then\n%s\n%s", first, again, errs)
	}
	if n := starts() - before; before < 4 || n > 1 {
		t.Errorf("the program was started %d times for the study, and %d times to print its result", before, n)
	}
	// Another program of that name is not the one of the result.
	if err := os.WriteFile(filepath.Join(dir, "toy.sh"), []byte(script+"# changed\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, errs := clitest.Exits(t, dir, clitest.ExitUsage, "tune", "toy.yaml", "--json"); out != "" || !strings.Contains(errs, "was made by other code") {
		t.Errorf("with another program: %s%s", out, errs)
	}
}

// A check of a study names the value with which its engine fails, and says what games without a
// clock do not tell; the report says it too.
func TestCheckTriesEndsOfRanges(t *testing.T) {
	suite.All(t)
	dir := clitest.NewStudyDir(t, toyEngine("dies at the end of a range", 0)+fmt.Sprintf(toyStudy, "nodes:1", 200))
	const clock = "games of a fixed number of nodes (nodes:1) tell nothing of options that change how fast the program searches"
	out, errs, err := clitest.Program(t, dir, nil, "study", "check", "killed.yaml", "--json")
	var c struct{ Warnings []string }
	if err != nil || json.Unmarshal([]byte(out), &c) != nil || len(c.Warnings) != 2 || !strings.HasPrefix(c.Warnings[0], clock) || !strings.HasPrefix(c.Warnings[1], "Sense=100: ") {
		t.Errorf("%v %q %s", err, c.Warnings, errs)
	}
	dir = clitest.NewStudyDir(t, toyEngine("", 0)+fmt.Sprintf(toyStudy, "nodes:1", 200))
	if out, errs, err = clitest.Program(t, dir, nil, "study", "check", "killed.yaml", "--json"); err != nil || json.Unmarshal([]byte(out), &c) != nil || len(c.Warnings) != 1 {
		t.Errorf("%v %q %s", err, c.Warnings, errs)
	}
	out, errs, err = clitest.Program(t, dir, nil, "tune", "killed.yaml") // whose verdict hangs on few games
	if text := strings.Join(strings.Fields(out), " "); !strings.Contains(text, "Note "+clock) {
		t.Errorf("%v %s%s", err, out, errs)
	}
}
