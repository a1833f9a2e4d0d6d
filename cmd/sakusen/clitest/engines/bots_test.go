package engines

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/external/gtptest"
	"sakusen/engines/external/ucitest"
	"sakusen/engines/suite"
	"sakusen/tuner"
)

// botsDir returns a copy of examples/bots, whose programs need Python or Go.
func botsDir(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../../../examples/bots")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// fewGames stands in the place of a study's games where it only has to end.
const fewGames = "games: 80}\nrace: {rungs: [2]}\nvalidation: {max_blocks: 4"

// A bot in Python with an optimum that a secret draws is tuned, in JSON Lines, to a
// pass within 10 Elo of the top. Through a command, with a process for every game,
// that is behind SAKUSEN_BOTS=1; else few games are played.
func TestBotsAreTuned(t *testing.T) {
	dir := botsDir(t)
	const secret = "7"
	for _, file := range []string{"lines.yaml", "duel.yaml"} {
		if file == "duel.yaml" && suite.Few() {
			continue // a process of Python for every game
		}
		whole := file == "lines.yaml" && !suite.Few() || os.Getenv("SAKUSEN_BOTS") != ""
		if !whole {
			path := filepath.Join(dir, file)
			text, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(path, []byte(strings.Replace(string(text), "games: 6000", fewGames, 1)), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		out, errs, _ := clitest.Program(t, dir, []string{"DUEL_SECRET=" + secret}, "tune", file, "--json")
		var r tuner.Result
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.Class != "" {
			t.Fatalf("%s: %v %s%s", file, err, out, errs)
		}
		if !whole {
			continue
		}
		c := exec.Command("python3", "-c", fmt.Sprintf("import duel; print(duel.rating({'u': %s, 'k': %s}))", r.Best.Params["u"], r.Best.Params["k"]))
		c.Dir, c.Env = dir, append(os.Environ(), "DUEL_SECRET="+secret)
		said, err := c.Output()
		below := -1e9
		fmt.Sscan(string(said), &below)
		if err != nil || r.Validation.Verdict != "pass" || below < -10 {
			t.Errorf("%s: %s, %.1f Elo above the top with %v: %s", file, r.Validation.Verdict, below, r.Best.Params, errs)
		}
		t.Logf("%s: %.2f Elo above the top after %d games", file, below, r.Games)
	}
}

// The program in Go plays in JSON Lines, with a metric of its own.
func TestGoBot(t *testing.T) {
	dir := botsDir(t)
	build := exec.Command("go", "build", "-o", "dice", "./lines")
	build.Dir = dir
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	settings := fmt.Sprintf("engines:\n  dice: {protocol: jsonl, command: [%q], metrics: [dice]}\n", filepath.Join(dir, "dice"))
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	out, errs, err := clitest.Program(t, dir, nil, "match", "external", "dice", "dice(Dice=3)", "--blocks", "50", "--json")
	if err != nil {
		t.Fatalf("%v: %s%s", err, out, errs)
	}
	type report struct {
		Entrants []struct {
			Score   float64
			Metrics map[string]struct{ Mean float64 }
		}
	}
	r := clitest.Decode[report](t, out)
	if r.Entrants[1].Score < 0.7 || r.Entrants[1].Metrics["dice"].Mean != 3 || r.Entrants[0].Metrics["dice"].Mean != 2 || len(r.Entrants[0].Metrics) != 3 {
		t.Errorf("%s", out)
	}
}

// A program that sometimes ends without a result, and tells errors of players, is told of in the
// report: how many games, and whose.
func TestFaultsAreTold(t *testing.T) {
	suite.All(t)
	dir := botsDir(t)
	const bot = `import json, sys
for line in sys.stdin:
    q = json.loads(line)
    if q["do"] == "hello":
        a = {"protocol": 1, "name": "frail", "version": "1", "role": "match", "deterministic": True, "params": [{"name": "u", "kind": "float", "low": 0, "high": 1, "default": 0.1}]}
    elif q["do"] == "quit":
        break
    elif int(q["seed"]) > 8 and int(q["seed"]) % 11 == 0:
        sys.exit(3)
    else:
        u = [p["params"]["u"] for p in q["players"]]
        first = u[0] + (int(q["seed"]) % 101) / 100 > u[1] + (int(q["seed"]) % 103) / 100
        a = {"ranks": [1, 2] if first else [2, 1], "errors": [x == 0.1 for x in u]}
    a["id"] = q["id"]
    print(json.dumps(a), flush=True)
`
	const file = "version: 1\nname: frail\ngame: external\nengines:\n  frail: {protocol: jsonl, command: [python3, frail.py], files: [frail.py]}\ntune: {strategy: frail}\nbaseline: frail\nbudget: {games: 100}\nvalidation: {replay: 0}\n"
	for name, text := range map[string]string{"frail.py": bot, "frail.yaml": file} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	report, errs, _ := clitest.Program(t, dir, nil, "tune", "frail.yaml")
	out, _, _ := clitest.Program(t, dir, nil, "tune", "frail.yaml", "--json") // as it is stored
	var r tuner.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || r.Validation == nil {
		t.Fatalf("%v %s%s", err, out, errs)
	}
	by := map[string]tuner.FaultsOf{}
	void := int64(0)
	for _, f := range r.Faults {
		by[f.Player], void = f, void+f.Faults["void"]
	}
	base := by[tuner.TheBaseline]
	if base.Faults["faults"] == 0 || base.Faults["faults"] > base.Games || void == 0 || by[tuner.TheAnswer].Faults["faults"] != 0 && r.Best.Params["u"] != "0.1" {
		t.Errorf("%+v\n%s", r.Faults, out)
	}
	if !strings.Contains(errs, "engine frail: ") || !strings.Contains(errs, "games were asked for once more in a fresh process, as it told no result; the last: crash: exit status 3") {
		t.Errorf("what was asked for twice is not told: %s", errs)
	}
	said := strings.Join(strings.Fields(report), " ")
	if !strings.Contains(said, fmt.Sprintf("he baseline made an error in %d of ", base.Faults["faults"])) || !strings.Contains(said, fmt.Sprintf("%d games had no result and count as draws.", void)) {
		t.Errorf("%s", report)
	}
}

// The studies of GNU Go, of a program that speaks UGI and of one that is asked for the
// moves of Battleship run to a verdict. GNU Go's
// place is taken by a program of the tests where its package is missing; few games are
// played unless SAKUSEN_BOTS=1.
func TestConsentingStudies(t *testing.T) {
	suite.All(t)
	dir := botsDir(t)
	whole := os.Getenv("SAKUSEN_BOTS") != ""
	book, err := exec.Command("python3", filepath.Join(dir, "stones.py"), "book").Output()
	if err != nil {
		t.Fatal(err)
	}
	rewrite := func(file string, pairs ...string) {
		path := filepath.Join(dir, file)
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, []byte(strings.NewReplacer(pairs...).Replace(string(text))), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "stones.book"), book, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("/usr/games/gnugo"); err != nil || !whole {
		rewrite("gnugo.yaml", "[gnugo, --mode, gtp, --seed, \"1\", --level, ", fmt.Sprintf("[%q, ", os.Args[0]),
			"protocol: gtp", "protocol: gtp\n    environment: ["+gtptest.As(gtptest.Sound)[0]+"]")
	}
	small := []string{"games: 2000", fewGames, "games: 1200", fewGames}
	for _, file := range []string{"gnugo.yaml", "sailor.yaml", "stones.yaml"} {
		if !whole {
			rewrite(file, small...)
		}
		out, errs, _ := clitest.Program(t, dir, nil, "tune", file, "--json")
		var r tuner.Result
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.Class != "" || r.Validation.Verdict == "" || whole && r.Validation.Verdict != "pass" {
			t.Fatalf("%s: %v %s%s", file, err, out, errs)
		}
		t.Logf("%s: %s, %v after %d games", file, r.Validation.Verdict, r.Best.Params, r.Games)
	}
}

// The studies of Debian's engines run to a verdict from one file each. The place of an
// engine whose package is missing, and of all where few games are played (without
// SAKUSEN_BOTS=1), is taken by the engine of the tests.
func TestDebianStudies(t *testing.T) {
	suite.All(t)
	whole := os.Getenv("SAKUSEN_BOTS") != ""
	for _, c := range []struct{ file, command, option, class string }{
		{"toga.yaml", "[toga2]", "Piece Activity", ""},
		{"gnuchess.yaml", "[gnuchess, --uci]", "History Threshold", ""},
		{"skill.yaml", "[stockfish]", "Skill Level", "recorded"},
	} {
		dir := t.TempDir()
		text, err := os.ReadFile(filepath.Join("../../../../examples/bots", c.file))
		if err != nil {
			t.Fatal(err)
		}
		program, _, _ := strings.Cut(strings.Trim(c.command, "[]"), ",")
		_, err = exec.LookPath("/usr/games/" + program)
		study := string(text)
		if err != nil || !whole {
			study = strings.NewReplacer(c.command, fmt.Sprintf("[%q], environment: [%q]", os.Args[0], ucitest.As("", 0)[0]), c.option, "Sense",
				"value: \"nodes:500\"", "value: \"nodes:1\"", "value: \"depth:3\"", "value: \"depth:1\"").Replace(study)
			study = regexp.MustCompile("games: [0-9]+}").ReplaceAllString(study, fewGames+"}")
		}
		if err := os.WriteFile(filepath.Join(dir, c.file), []byte(study), 0o644); err != nil {
			t.Fatal(err)
		}
		out, errs, _ := clitest.Program(t, dir, nil, "tune", c.file, "--json")
		var r tuner.Result
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.Class != c.class || r.Validation.Verdict == "" {
			t.Fatalf("%s: %v %s%s", c.file, err, out, errs)
		}
		t.Logf("%s: %s, %v after %d games", c.file, r.Validation.Verdict, r.Best.Params, r.Games)
	}
}
