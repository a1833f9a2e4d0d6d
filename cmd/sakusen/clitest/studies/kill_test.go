package studies

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// killStudy has a conditional space of two branches (the packing rectangle only
// where place.kind is packed), racing with the incumbent re-played and tested
// against, a limit relative to the baseline, a final and a validation.
const killStudy = `version: 1
name: killed
game: battleship
tune:
  strategy: neighbour
  params: [{name: place.kind, choices: [random, packed]}, {name: place.height}, {name: place.width}]
baseline: RNB
objective: {limits: [{metric: shots, max_ratio: 2}]}
sampler: {name: %s, seed: 3, batch: 4}
race: {rungs: [2, 16, 18]}
budget: {trials: 12, games: 900}
final: {top: 3, blocks: 10}
validation: {gain_elo: [0, 30], max_blocks: 40}
`

// killDuels has duels and an answer, of the sampler surface.
const killDuels = `version: 1
name: killed
game: battleship
tune:
  strategy: neighbour
  fix: [{name: place.kind, value: packed}]
  params: [{name: place.height}, {name: place.width}]
baseline: RNB
evaluate: {mode: duels}
sampler: {name: %s, seed: 3, batch: 4}
race: {rungs: [4]}
budget: {trials: 24, games: 600}
validation: {gain_elo: [0, 30], max_blocks: 40}
`

// A study killed at any named point, any number of times, ends exactly as an
// uninterrupted one, and its database is whole. Every point of an ask, a rung,
// a tell, an incumbent, the final, the validation and the migrations is met; at
// least five times with SAKUSEN_STUDY_KILLS=5, which has more samplers too.
func TestKilledStudiesEndTheSame(t *testing.T) {
	least, _ := strconv.Atoi(os.Getenv("SAKUSEN_STUDY_KILLS"))
	whole := least > 0
	rounds, samplers := max(2, (least+1)/2), []string{"uniform", "surface", "spsa", "quasi", "grid", "tpe"}
	switch {
	case suite.Few():
		rounds, samplers, least = 1, samplers[:1], 0
	case !whole:
		rounds, samplers, least = 1, samplers[:3], 1
	}
	kills := map[string]int{}
	total := 0
	for i, sampler := range samplers {
		study, rounds := fmt.Sprintf(killStudy, sampler), rounds
		var only []string // points of the loop that other studies do not have, or that matter to the sampler
		switch sampler {
		case "grid":
			rounds = 1 // what it does otherwise than uniform and quasi is asked once
		case "surface", "spsa":
			study, only = fmt.Sprintf(killDuels, sampler), []string{"duel", "answer"}
			if whole {
				rounds = least
			}
		case "tpe":
			study, rounds, only = fmt.Sprintf(killStudy, "tpe, options: [{name: startup, value: 4}]"), 1, []string{"ask", "tell"}
		}
		uncut := clitest.NewStudyDir(t, study)
		trace := filepath.Join(uncut, "trace")
		want, err := clitest.DigestOf(t, uncut, clitest.TracePoints+"="+trace)
		if err != nil {
			t.Fatal(err)
		}
		reached := pointsIn(t, trace)
		order := rand.New(rand.NewPCG(11, uint64(i)))
		for round := range rounds {
			// Each round kills at every named point once, in random order and at a
			// random occurrence, in one database after another.
			points := slices.Sorted(maps.Keys(reached))
			points = slices.DeleteFunc(points, func(p string) bool {
				return only != nil && !slices.ContainsFunc(only, func(part string) bool { return strings.Contains(p, part) })
			})
			order.Shuffle(len(points), func(a, b int) { points[a], points[b] = points[b], points[a] })
			if suite.Few() {
				points = points[:len(points)/6]
			}
			dir := clitest.NewStudyDir(t, study)
			for _, p := range points {
				at := fmt.Sprintf("%s:%d", p, 1+order.IntN(reached[p]))
				got, err := clitest.DigestOf(t, dir, clitest.KillAt+"="+at)
				if errors.Is(err, clitest.ErrKilled) {
					kills[p]++
					total++
					continue
				}
				if got != want {
					t.Fatalf("%s, round %d: digest %s after kills, want %s", sampler, round, got, want)
				}
				dir = clitest.NewStudyDir(t, study) // it ended before that occurrence: begin anew
				if _, err := clitest.DigestOf(t, dir, clitest.KillAt+"="+p+":1"); errors.Is(err, clitest.ErrKilled) {
					kills[p]++
					total++
				}
			}
			if got, err := clitest.DigestOf(t, dir); err != nil || got != want {
				t.Fatalf("%s, round %d: digest %s, want %s (%v)", sampler, round, got, want, err)
			}
			if out, errs, err := clitest.Program(t, dir, nil, "db", "check"); err != nil || !strings.HasSuffix(out, ": ok\n") {
				t.Fatalf("%s, round %d: %v %s%s", sampler, round, err, out, errs)
			}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(kills)) {
		t.Logf("%3d kills at %s", kills[p], p)
	}
	t.Logf("%d kills in all", total)
	if suite.Few() {
		return
	}
	if total < 20*least {
		t.Errorf("%d kills, want at least %d", total, 20*least)
	}
	for _, kind := range []string{"ask", "rung", "compare", "tell", "duel", "answer", "incumbent", "final", "attempt", "validation", "migration"} {
		n := 0
		for p, k := range kills {
			if !strings.HasPrefix(p, kind+".") && !strings.HasSuffix(p, " "+kind) {
				continue
			}
			n += k
			if k < least {
				t.Errorf("%d kills at %s, want at least %d", k, p, least)
			}
		}
		if n == 0 {
			t.Errorf("no kill at any point of %s", kind)
		}
	}
}

// pointsIn counts the points of a trace.
func pointsIn(t *testing.T, file string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for line := range strings.Lines(string(text)) {
		n[strings.TrimSpace(line)]++
	}
	return n
}
