package studies

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/cmd/sakusen/cli"
	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/param"
	"sakusen/engines/suite"
	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/sampler"
	adapter "sakusen/tuner/sampler/goptuna"
)

// single and whole are samplers of one's own: of one parameter, and of all at once.
type single struct{ seed int64 }

func (s single) Sample(study *goptuna.Study, trial goptuna.FrozenTrial, name string, _ any) (float64, error) {
	trials, err := study.GetTrials()
	return draw(s.seed, len(trials), trial.Number, name), err
}

type whole struct{ seed, asked int64 }

func (s *whole) SampleRelative(_ *goptuna.Study, _ goptuna.FrozenTrial, space map[string]any) (map[string]float64, error) {
	s.asked++ // a state, which a study that goes on has to restore
	out := map[string]float64{}
	for name := range space {
		out[name] = draw(s.seed, int(s.asked), 0, name)
	}
	return out, nil
}

// draw returns a number from 0 to 1 that follows from what it is given.
func draw(seed int64, told, number int, name string) float64 {
	h := fnv.New64a()
	fmt.Fprintln(h, name, seed, told, number)
	return math.Round(float64(h.Sum64()>>11)/(1<<53)*1e6) / 1e6
}

func ownSamplers() []sampler.Own {
	return []sampler.Own{
		{Name: "own-single", Doc: "of one parameter", Begins: true, New: adapter.Single(func(seed int64) goptuna.Sampler { return single{seed} })},
		{Name: "own-whole", Doc: "of all parameters", New: adapter.Relative(func(seed int64) goptuna.RelativeSampler { return &whole{seed: seed} })},
	}
}

const ownStudy = `version: 1
name: own
game: laboratory
rules: [{name: dimensions, value: 2}]
tune: {strategy: point}
baseline: point
sampler: {name: NAME, seed: 3, batch: 4}
race: {rungs: [8, 24], keep: 0.5}
final: {top: 2, blocks: 40}
validation: {max_blocks: 100}
budget: {trials: 24, games: 6000}
`

// digestOf returns the digest that a study's technical report ends with.
func digestOf(text string) string {
	_, after, _ := strings.Cut(text, "\ndigest ")
	digest, _, _ := strings.Cut(strings.TrimSpace(after), "\n")
	return digest
}

// runOwn runs a command of a program with samplers of its own.
func runOwn(ctx context.Context, own []sampler.Own, hook func(string), args ...string) clitest.Printed {
	var out, errs bytes.Buffer
	p := cli.Process{In: strings.NewReader(""), Out: &out, Err: &errs, Env: clitest.NoVariables, Games: strategies.All(), Samplers: own, Hook: hook}
	return clitest.Printed{Code: p.Run(ctx, args), Out: out.String(), Err: errs.String()}
}

// A study file names a sampler of the program's own, and a study that was interrupted
// ends as one that was not.
func TestOwnSamplers(t *testing.T) {
	for _, own := range ownSamplers() {
		file := clitest.WriteNew(t, "own.yaml", strings.Replace(ownStudy, "NAME", own.Name, 1))
		whole := runOwn(t.Context(), ownSamplers(), nil, "tune", file, "--technical", "--db", filepath.Join(t.TempDir(), "x.db"))
		digest := digestOf(whole.Out)
		if digest == "" {
			t.Fatalf("%s: exit code %d, %s%s", own.Name, whole.Code, whole.Out, whole.Err)
		}
		db := filepath.Join(t.TempDir(), "y.db")
		for _, entries := range []int{3, 9} { // interrupted twice
			ctx, cancel := context.WithCancel(t.Context())
			asked := 0
			p := runOwn(ctx, ownSamplers(), func(point string) {
				if strings.HasPrefix(point, "after ") {
					if asked++; asked == entries {
						cancel()
					}
				}
			}, "tune", file, "--db", db)
			cancel()
			if p.Code != clitest.ExitInterrupted {
				t.Fatalf("%s: after %d of %d entries: exit code %d, %s%s", own.Name, asked, entries, p.Code, p.Out, p.Err)
			}
		}
		if p := runOwn(t.Context(), ownSamplers(), nil, "tune", file, "--technical", "--db", db); digestOf(p.Out) != digest || p.Code != whole.Code {
			t.Errorf("%s: exit code %d, want %d with digest %s\n%s%s", own.Name, p.Code, whole.Code, digest, p.Out, p.Err)
		}
		if p := runOwn(t.Context(), nil, nil, "study", "check", file); p.Code != clitest.ExitUsage || !strings.Contains(p.Err, "goptuna-cmaes") {
			t.Errorf("without the sampler: exit code %d, %s%s", p.Code, p.Out, p.Err)
		}
		if p := runOwn(t.Context(), ownSamplers(), nil, "tune", "--help"); !strings.Contains(p.Out, own.Name) || !strings.Contains(p.Out, own.Doc) {
			t.Errorf("help has no %s:\n%s", own.Name, p.Out)
		}
	}
	taken := []sampler.Own{{Name: "surface", New: ownSamplers()[0].New}, {Name: "a b", New: ownSamplers()[0].New}, {Name: "none"}}
	p := runOwn(t.Context(), taken, nil, "games")
	for _, want := range []string{"another sampler has this name", "expected a name of letters", "has no New"} {
		if p.Code != clitest.ExitUsage || !strings.Contains(p.Err, want) {
			t.Errorf("exit code %d, no %q in %s", p.Code, want, p.Err)
		}
	}
}

// baffled is a sampler that panics.
type baffled struct{}

func (baffled) Propose(*tuner.View, int) (param.Values, bool, error) { panic("no idea") }

// A sampler of the program's own that panics fails its study, and not the program.
func TestOwnSamplerPanics(t *testing.T) {
	own := []sampler.Own{{Name: "own-baffled", New: func(tuner.SamplerSpec, tuner.Space, param.Values) (tuner.Proposer, error) { return baffled{}, nil }}}
	file, db := clitest.WriteNew(t, "own.yaml", strings.Replace(ownStudy, "NAME", "own-baffled", 1)), filepath.Join(t.TempDir(), "x.db")
	p := runOwn(t.Context(), own, nil, "tune", file, "--db", db)
	if want := "sampler own-baffled: trial 0: the sampler panicked: no idea\n"; p.Code != clitest.ExitInternal || !strings.Contains(p.Err, want) {
		t.Errorf("exit code %d, want %d with %q: %s%s", p.Code, clitest.ExitInternal, want, p.Out, p.Err)
	}
	if p := runOwn(t.Context(), own, nil, "study", "show", "own", "--json", "--db", db); !strings.Contains(p.Out, `"state":"failed"`) {
		t.Errorf("the study is not failed: %s%s", p.Out, p.Err)
	}
}

// The example program, a module of its own, tunes a study with each of its samplers.
func TestOwnSamplerExample(t *testing.T) {
	suite.All(t)
	for _, name := range []string{"narrowing", "lattice"} {
		text, err := os.ReadFile("../../../../examples/ownsampler/narrowing.yaml")
		if err != nil {
			t.Fatal(err)
		}
		file := clitest.WriteNew(t, "own.yaml", strings.Replace(string(text), "name: narrowing, seed", "name: "+name+", seed", 1))
		c := exec.CommandContext(t.Context(), "go", "run", ".", "tune", file, "--db", filepath.Join(t.TempDir(), "x.db"), "--quiet", "--json")
		c.Dir = "../../../../examples/ownsampler"
		c.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod -ldflags=-w", "GOPROXY=off", "GOWORK=off")
		out, err := c.CombinedOutput()
		if _, ended := err.(*exec.ExitError); err != nil && !ended || !strings.Contains(string(out), `"validation"`) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
