package runner

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// leaveOut removes the packages whose binaries and testdata are equal on both sides, and
// names them: their benchmarks cannot differ.
func leaveOut(base, head *side) []string {
	var same []string
	for _, pkg := range slices.Sorted(maps.Keys(base.binaries)) {
		if other := head.binaries[pkg]; other != nil && other.sum == base.binaries[pkg].sum {
			same = append(same, pkg)
			delete(base.binaries, pkg)
			delete(head.binaries, pkg)
		}
	}
	return same
}

// twin is a side with copies of the binaries.
func (s *side) twin(dir string) (*side, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	other := &side{name: noiseSide, binaries: map[string]*binary{}}
	for pkg, b := range s.binaries {
		copied, err := b.twin(filepath.Join(dir, filepath.Base(b.path)))
		if err != nil {
			return nil, err
		}
		other.binaries[pkg] = copied
	}
	return other, nil
}

// plan lists the benchmarks, by package and then in the order of the binary.
func plan(ctx context.Context, pattern string, sides []*side) ([]*job, error) {
	var jobs []*job
	index := map[string]*job{}
	packages := map[string]bool{}
	for _, s := range sides {
		for pkg := range s.binaries {
			packages[pkg] = true
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		for _, s := range sides {
			b := s.binaries[pkg]
			if b == nil {
				continue
			}
			names, err := b.benchmarks(ctx, pattern)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", s.name, pkg, err)
			}
			for _, name := range names {
				key := pkg + " " + name
				if index[key] == nil {
					index[key] = &job{name: name}
					jobs = append(jobs, index[key])
				}
				index[key].sides = append(index[key].sides, s)
				index[key].on = append(index[key].on, b)
			}
		}
	}
	return jobs, nil
}

// play runs a warm-up round and then as many rounds as the time allows. Rounds come in
// pairs; the second reverses the order of the first. Rounds in the journal are not run
// again. If options.Look is set, a benchmark gets no more rounds once it is decided.
func play(ctx context.Context, o *Options, jobs []*job, kept *journal, look func(rounds int) (func(*job) bool, error)) (rounds int, err error) {
	random := rand.New(rand.NewPCG(o.Seed, 0x62656e6368))
	orders := make([][]int, len(jobs))
	active := func(*job) bool { return true }
	began, measured := time.Now(), 0
	for round := -1; round < o.Rounds; round++ {
		before := kept.round(round)
		if before == nil && measured > 0 && o.Budget > 0 {
			// The rounds so far show how long a round takes.
			spent := time.Since(began)
			if each := spent / time.Duration(measured); spent+each > o.Budget {
				o.Say("the time budget ends after %d of %d rounds", max(0, round), o.Rounds)
				break
			}
		}
		switch {
		case before != nil && round >= 0:
			o.Say("round %d of %d was measured before the interrupt", round+1, o.Rounds)
		case before != nil:
		case round < 0:
			o.Say("warming up %d benchmarks", len(jobs))
		default:
			o.Say("round %d of %d", round+1, o.Rounds)
		}
		now := &keptRound{Round: round}
		for i, j := range jobs {
			if round%2 == 0 || round < 0 {
				orders[i] = random.Perm(len(j.sides))
			} else {
				slices.Reverse(orders[i])
			}
			if !active(j) {
				continue
			}
			for _, k := range orders[i] {
				text, there := before.text(j, k)
				if !there {
					if text, err = j.sample(ctx, o, k, round < 0); err != nil {
						return rounds, err
					}
				}
				if err := j.take(text, o, k, round < 0); err != nil {
					return rounds, fmt.Errorf("%s: %w", j.name, err)
				}
				now.Samples = append(now.Samples, keptSample{j.on[k].pkg, j.name, j.sides[k].name, text})
			}
		}
		if before == nil {
			measured++
			if err := kept.write(now); err != nil {
				o.warn("an interrupt would lose the rounds from %d on: %v", round+1, err)
			}
		}
		if rounds = round + 1; rounds > 0 && look != nil {
			if active, err = look(rounds); err != nil {
				return rounds, err
			}
			if !slices.ContainsFunc(jobs, active) {
				break
			}
		}
	}
	return rounds, nil
}

// sample measures the benchmark once on a side. Of the warm-up everything is used.
func (j *job) sample(ctx context.Context, o *Options, k int, warm bool) (string, error) {
	text, err := j.run(ctx, o, k)
	if err != nil || warm {
		return text, err
	}
	return condense(text, j.name, o)
}

// take takes a sample over.
func (j *job) take(text string, o *Options, k int, warm bool) error {
	if warm {
		return j.plan(text, o, k)
	}
	return j.sides[k].add(text)
}

// run runs the benchmark once on a side: as many slices as a sample has. Verbose
// output has each result on a line of its own, whatever the benchmark prints.
func (j *job) run(ctx context.Context, o *Options, k int) (string, error) {
	b := j.on[k]
	args := []string{
		"-test.run=^$", "-test.bench=" + only(j.name, o.Bench), "-test.benchmem", "-test.v",
		fmt.Sprint("-test.count=", max(1, j.count)), "-test.benchtime=" + o.slice(),
	}
	if o.CPU != "" {
		args = append(args, "-test.cpu="+o.CPU)
	}
	text, err := output(ctx, b.dir, b.path, args...)
	if err != nil {
		return "", fmt.Errorf("%s: %s: %s: %w", j.sides[k].name, b.pkg, j.name, err)
	}
	return text + "\n", nil
}
