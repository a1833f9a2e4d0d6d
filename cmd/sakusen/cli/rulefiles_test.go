package cli_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/cli"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/param"
	"sakusen/engines/tubstap"
	"sakusen/strategies"
)

// mapFile writes an embedded map beside a file.
func mapFile(t *testing.T, path, name string) {
	t.Helper()
	m, err := tubstap.EmbeddedMap(name)
	if err != nil {
		t.Fatal(err)
	}
	m.Comment = "a comment changes nothing"
	if err := os.WriteFile(path, m.AppendText(nil), 0o644); err != nil {
		t.Fatal(err)
	}
}

const mapStudy = `version: 1
name: own-map
game: tubstap
rules: [{name: map, value: MAP}]
tune:
  strategy: switch
  fix: [{name: measure, value: units}, {name: muct.simulations, value: 10}]
  params: [{name: units_threshold, low: 1, high: 3, step: 1}]
baseline: single
sampler: {name: grid}
race: {method: none, rungs: [1]}
budget: {trials: 3, games: 40}
final: {top: 1, blocks: 2}
validation: {max_blocks: 4}
`

// A map on disk is played as the embedded one it is a copy of, by a command line
// and by a study file, which names it from where it stands.
func TestMapFiles(t *testing.T) {
	here := t.TempDir()
	mapFile(t, filepath.Join(here, "mine.tbsmap"), "own02")
	digest := func(name string) string {
		p := clitest.Launch(t, "", "match", "tubstap", "single", "random", "--blocks", "3", "--rules", "map="+name, "--json")
		if p.Code != clitest.ExitDone {
			t.Fatalf("%s: exit code %d, %s", name, p.Code, p.Err)
		}
		return clitest.Decode[struct{ Digest string }](t, p.Out).Digest
	}
	if a, b, c := digest("own02"), digest(filepath.Join(here, "mine.tbsmap")), digest("own01"); a != b || a == c {
		t.Errorf("own02 %s, its copy %s, own01 %s", a, b, c)
	}
	for value, want := range map[string]int{"./mine.tbsmap": clitest.ExitInconclusive, "own02": clitest.ExitInconclusive, `"generate(3, 6, 4)"`: clitest.ExitInconclusive, "./none.tbsmap": clitest.ExitUsage} {
		file := filepath.Join(here, "study.yaml")
		if err := os.WriteFile(file, []byte(strings.Replace(mapStudy, "MAP", value, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		p := clitest.Launch(t, "", "tune", file, "--db", filepath.Join(t.TempDir(), "x.db"))
		if want == clitest.ExitUsage && (p.Code != want || !strings.Contains(p.Err, "study.yaml:4:28: rules.map: expected a map file that can be read (open ")) {
			t.Errorf("%s: exit code %d, %s", value, p.Code, p.Err)
		}
		if want != clitest.ExitUsage && p.Code != clitest.ExitDone && p.Code != clitest.ExitNegative && p.Code != clitest.ExitInconclusive {
			t.Errorf("%s: exit code %d, %s", value, p.Code, p.Err)
		}
	}
}

// What is no map is refused before anything is played.
func TestMapFilesRefused(t *testing.T) {
	here := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(here, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ name, want string }{
		{write("bad.tbsmap", "SIZEX[5];SIZEY[5];\nTURNLIMIT[x];"), "a map file (the text of a map (line 2: TURNLIMIT"},
		{write("huge.tbsmap", strings.Repeat("x", 32<<20+1)), "huge.tbsmap: expected at most 33554432 bytes, got more"},
		{here + "/", "expected a regular file, got a folder"},
	} {
		p := clitest.Launch(t, "", "match", "tubstap", "single", "random", "--rules", "map="+c.name)
		if p.Code != clitest.ExitUsage || p.Out != "" || !strings.Contains(p.Err, c.want) {
			t.Errorf("%s: exit code %d, %s, want %s", c.name, p.Code, p.Err, c.want)
		}
	}
}

// A study file's text says the map itself, so that it can be sent and kept; what
// comes through the API names no files.
func TestMapFilesTravel(t *testing.T) {
	here := t.TempDir()
	mapFile(t, filepath.Join(here, "mine.tbsmap"), "own02")
	a := cli.NewInside(nil, io.Discard)
	game, err := strategies.Catalogue().Game("tubstap")
	if err != nil {
		t.Fatal(err)
	}
	own, errs := game.Open(param.Values{{Name: "map", Text: "own02"}})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	for name, form := range map[string]string{
		"flow": "[{name: map, value: ./mine.tbsmap}]", "quoted": `[{name: map, value: "./mine.tbsmap" }]`,
		"block": "\n  - name: map\n    value: ./mine.tbsmap", "other order": "[{value: ./mine.tbsmap, name: map}]",
	} {
		text := []byte(strings.Replace(mapStudy, "[{name: map, value: MAP}]", form, 1))
		local := a.Settled(text, here)
		spec, _, err := a.Spec(local, here)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m, _ := spec.Rules.Get("map"); m == "own02" || len(m) < 100 || len(own.Rules) != len(spec.Rules) {
			t.Errorf("%s: map %s", name, m)
		}
		again, _, err := a.Spec(local, "")
		if err != nil || again.Hash() != spec.Hash() {
			t.Errorf("%s, sent: %v", name, err)
		}
	}
	if _, _, err := a.Spec([]byte(strings.Replace(mapStudy, "MAP", "./mine.tbsmap", 1)), ""); err == nil || !strings.Contains(err.Error(), "expected no path (only a command line or a study file on disk may name files), got ./mine.tbsmap") {
		t.Errorf("a path is read for the API: %v", err)
	}
	for _, text := range []string{mapStudy, strings.Replace(mapStudy, "MAP", "./none.tbsmap", 1), strings.Replace(mapStudy, "MAP", "own02", 1), "game: dice\nrules: [{name: map, value: ./mine.tbsmap}]\n"} {
		if got := a.Settled([]byte(text), here); string(got) != text {
			t.Errorf("%s\nbecomes\n%s", text, got)
		}
	}
}
