package studies_test

import (
	"os"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
)

// A changed file is answered with each key and both values: what may change is told and
// is in effect, anything else makes another study, and the ways out are named.
func TestChangedFile(t *testing.T) {
	first := strings.Replace(clitest.SmallStudy, "budget: {trials: 8, games: 900}", "budget: {games: 900}", 1)
	begun := t.TempDir()
	clitest.WriteFile(t, begun, "small.yaml", first)
	if _, _, err := clitest.Program(t, begun, []string{clitest.KillAt + "=tell.committed:2"}, "tune", "small.yaml"); err == nil {
		t.Fatal("it was to be killed")
	}
	if first == clitest.SmallStudy {
		t.Fatal("the study has no budget of games alone")
	}
	const resumed, another = "study small: resumed\n", `study "small" exists with another spec. This differs from when it began:`
	for _, c := range []struct {
		name, old, new string
		want           []string
		stored         string // in the spec afterwards
	}{
		{"comment", "version: 1", "# new\nversion: 1", []string{resumed}, ""},
		{"doc", "name: small", "name: small\ndoc: why", []string{resumed, "study small: doc: the study keeps the one that it began with\n"}, ""},
		{"games", "games: 900", "games: 1000", []string{resumed, "study small: budget.games: 1000, was 900\n"}, `"games":1000`},
		{"replay", "max_blocks: 60", "max_blocks: 60, replay: 0.05", []string{resumed, "study small: validation.replay: 0.05, was the default\n"}, `"replay":0.05`},
		{"less for the search", "max_blocks: 60", "max_blocks: 60, estimate: 40", []string{resumed, "study small: validation.estimate: 40, was 8\n"}, `"estimate":40`},
		{"set back", "max_blocks: 60", "max_blocks: 60, set_back: 0", []string{resumed, "study small: validation.set_back: 0, was 0.1\n"}, ""},
		{"baseline and games", "baseline: R\nsampler: {seed: 3, batch: 4}\nrace: {rungs: [4, 8]}\nbudget: {games: 900}", "baseline: MP70\nsampler: {seed: 3, batch: 4}\nrace: {rungs: [4, 8]}\nbudget: {games: 1000}",
			[]string{another + "\n  baseline: MP70, was R\n  budget.games: 1000, was 900 (this key may change)\nTo run the file as it is now, give it another name; to go on with the stored study, change the file back; to forget the stored study, sakusen study delete small"}, ""},
		{"baseline and fewer games", "baseline: R\nsampler: {seed: 3, batch: 4}\nrace: {rungs: [4, 8]}\nbudget: {games: 900}", "baseline: MP70\nsampler: {seed: 3, batch: 4}\nrace: {rungs: [4, 8]}\nbudget: {games: 800}",
			[]string{another, "\n  budget.games: 800, was 900 (it may only grow, and is 900 now)\n"}, ""},
		{"a parameter more", "{name: place.kind, choices: [random, packed]}", "{name: place.kind, choices: [random]}, {name: place.separated}",
			[]string{another, `  tune.params[place.kind].choices: ["random"], was ["random","packed"]` + "\n  tune.params[place.separated]: added\n"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(begun)); err != nil {
				t.Fatal(err)
			}
			text := strings.Replace(first, c.old, c.new, 1)
			if text == first {
				t.Fatal("nothing changed")
			}
			clitest.WriteFile(t, dir, "small.yaml", text)
			code := clitest.ExitUsage
			if c.want[0] == resumed {
				code = clitest.ExitDone
			}
			_, errs := clitest.Exits(t, dir, code, "tune", "small.yaml")
			for _, want := range c.want {
				if !strings.Contains(errs, want) {
					t.Errorf("%s\nexpected %s", errs, want)
				}
			}
			if told := strings.Count(errs, "study small: ") - strings.Count(errs, "study small: the search has ended"); c.want[0] == resumed && told > len(c.want) {
				t.Errorf("more is told: %s", errs)
			}
			if out, _ := clitest.Exits(t, dir, clitest.ExitDone, "study", "show", "small", "--json"); c.stored != "" && !strings.Contains(strings.ReplaceAll(out, " ", ""), c.stored) {
				t.Errorf("%s is not stored", c.stored)
			}
		})
	}
}

// After the verdict, a change of what comes after it changes nothing, and that is told.
func TestChangedFileOfFinished(t *testing.T) {
	dir := t.TempDir()
	clitest.WriteFile(t, dir, "small.yaml", clitest.SmallStudy)
	before, _ := clitest.Exits(t, dir, clitest.ExitDone, "tune", "small.yaml")
	clitest.WriteFile(t, dir, "small.yaml", strings.Replace(clitest.SmallStudy, "max_blocks: 60", "max_blocks: 60, set_back: 0", 1))
	after, errs := clitest.Exits(t, dir, clitest.ExitDone, "tune", "small.yaml")
	if want := "study small: it has its verdict, which this change of its file leaves as it is: validation.set_back: 0, was 0.1\n"; after != before || !strings.Contains(errs, want) {
		t.Errorf("%s%s\nexpected %s", after, errs, want)
	}
	clitest.WriteFile(t, dir, "small.yaml", strings.Replace(clitest.SmallStudy, "games: 900", "games: 1200", 1))
	if _, errs := clitest.Exits(t, dir, clitest.ExitDone, "tune", "small.yaml"); !strings.Contains(errs, "it has a verdict, and continues with a budget of 1200 games in place of 900") {
		t.Error(errs)
	}
}
