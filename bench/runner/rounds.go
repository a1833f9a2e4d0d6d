package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// side is a version of the module, and what its benchmarks printed.
type side struct {
	name     string
	dir      string // of the module
	tree     *tree
	binaries map[string]*binary // by package
	text     strings.Builder
	writer   *benchfmt.Writer // to text
	units    map[benchfmt.UnitMetadataKey]bool
}

// job is one benchmark, and the sides that have it.
type job struct {
	name   string
	sides  []*side
	on     []*binary // of the sides
	out    []bool    // sides on which it is not measured any more
	leaves leaves    // what it printed when it warmed up
	cpu    string    // number of processors, "" for GOMAXPROCS
	marked bool      // names on one processor end in -1
	parts  []part    // of a sample
	start  float64   // seconds that a process spends besides its benchmarks
	starts []float64 // the same by side
	// predicted is how many seconds a sample takes, and took how long a round takes on all sides.
	predicted float64
	took      time.Duration
	unheard   []string        // what was called and printed no result when it warmed up
	rounds    int             // that were measured
	cut       bool            // the time was over before all were
	running   int             // the side of the last run
	ran       []time.Duration // by side, how long its runs took until then
	hung      bool            // a round took longer than the time that was left
}

// noiseSide is the name of the second copy of the base.
const noiseSide = "noise"

// leaf is one line of results of a job: a benchmark without benchmarks below it.
type leaf struct {
	name, procs string
	seconds     float64            // of one iteration, on the slowest side
	overs       [][]float64        // by side, seconds that each call spent outside of its timed part when it warmed up
	firsts      []float64          // by side, the least of those of the first calls of a process
	untimed     float64            // what the least of them spends, at most
	wait        float64            // what the middle one of them spends more than that: it waits for a processor
	results     []*benchfmt.Result // by side, as when it warmed up; nil where it is missing
}

// leaves are those of a job.
type leaves []*leaf

// iterations returns N, the number of iterations. It is at least 2: for one, package testing runs
// a benchmark once instead of twice, and the difference would not be N iterations.
func (l *leaf) iterations() int {
	return int(math.Min(1e8, math.Max(2, math.Ceil(countedTime.Seconds()/math.Max(l.seconds, 1e-10)))))
}

// twin returns a side with copies of the binaries.
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

// list lists the benchmarks, by package and then in the order of the binary, each once for every
// number of processors.
func list(ctx context.Context, o *Options, sides []*side) ([]*job, error) {
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
			names, err := b.benchmarks(ctx, o.Bench)
			if err == nil && len(names) == 0 {
				if all, err2 := b.benchmarks(ctx, "."); err2 == nil && len(all) == 0 {
					err = errors.New("it has benchmarks and lists none: does its TestMain end before it calls m.Run? --args gives flags")
				}
			}
			if err != nil {
				if err = fmt.Errorf("%s: %s: %w", s.name, pkg, err); o.fail(ctx, s.name, pkg, "", err) {
					continue
				}
				return nil, err
			}
			for i, name := range names {
				if slices.Contains(names[:i], name) || skips(o, name) {
					continue
				}
				if slices.Contains(names[i+1:], name) { // their results could not be told apart
					err := fmt.Errorf("%s: %s: %s stands for two benchmarks, one in package %s_test: give one another name", s.name, pkg, name, path.Base(pkg))
					if o.fail(ctx, s.name, pkg, name, err) {
						continue
					}
					o.warn("%v", err)
				}
				for cpu := range strings.SplitSeq(o.CPU, ",") {
					cpu = strings.TrimSpace(cpu)
					key := pkg + " " + name + " " + cpu
					if index[key] == nil {
						index[key] = &job{name: name, cpu: cpu}
						jobs = append(jobs, index[key])
					}
					j := index[key]
					j.sides, j.on, j.out = append(j.sides, s), append(j.on, b), append(j.out, false)
				}
			}
		}
	}
	return jobs, nil
}

// skips reports whether --skip names a whole benchmark.
func skips(o *Options, name string) bool {
	return o.Skip != "" && slices.ContainsFunc(alternatives(o.Skip), func(a alternative) bool {
		found, err := regexp.MatchString(a.top, name)
		return a.rest == "" && found && err == nil
	})
}

// clock tells how much of the time budget is left.
type clock struct{ ends time.Time }

// newClock begins a measurement of at most so long; 0 is unbounded.
func newClock(budget time.Duration) clock {
	if budget <= 0 {
		return clock{}
	}
	return clock{time.Now().Add(budget)}
}

// left returns the time that is left.
func (c clock) left() time.Duration {
	if c.ends.IsZero() {
		return math.MaxInt64
	}
	return max(0, time.Until(c.ends))
}

// within returns a context that ends with a share of the time that is left.
func (c clock) within(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	if c.ends.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Duration(share*float64(c.left())))
}

// play runs a warm-up round and then as many rounds as the time allows: a benchmark whose
// samples do not fit into what is left of it is left out of a round, while others go on. Rounds
// come in pairs; the second reverses the order of the first. Rounds in the journal are not run
// again. If options.Look is set, a benchmark gets no more rounds once it is decided.
func play(ctx context.Context, o *Options, jobs []*job, kept *journal, c clock, look func(rounds int) (func(*job) bool, error)) (rounds int, err error) {
	random := rand.New(rand.NewPCG(o.Seed, 0x62656e6368))
	if err := warmUp(ctx, o, jobs, kept, c, random); err != nil {
		return 0, err
	}
	orders := make([][]int, len(jobs))
	active := func(*job) bool { return true }
	for round := range o.Rounds {
		before := kept.round(round)
		if before != nil {
			o.Say("round %d of %d was measured before the interrupt", round+1, o.Rounds)
		} else if c.left() > 0 {
			o.Say("round %d of %d", round+1, o.Rounds)
		}
		now := &keptRound{Round: round}
		for i, j := range jobs {
			if round%2 == 0 {
				orders[i] = random.Perm(len(j.sides))
			} else {
				slices.Reverse(orders[i])
			}
			if !active(j) || !slices.Contains(j.out, false) {
				continue
			}
			if err := j.round(ctx, o, orders[i], before, now, c); err != nil {
				return rounds, err
			}
			j.end()
		}
		if len(now.Samples) == 0 {
			break
		}
		if before == nil {
			if err := kept.write(now); err != nil {
				o.warn("an interrupt would lose the rounds from %d on: %v", round+1, err)
			}
		}
		rounds = round + 1
		if look != nil {
			if active, err = look(rounds); err != nil {
				return rounds, err
			}
			if !slices.ContainsFunc(jobs, func(j *job) bool { return active(j) && slices.Contains(j.out, false) }) {
				break
			}
		}
	}
	o.tellCut(jobs)
	return rounds, nil
}

// warmUp runs each benchmark for the first time, plans its samples and says what they cost.
func warmUp(ctx context.Context, o *Options, jobs []*job, kept *journal, c clock, random *rand.Rand) error {
	before, now := kept.round(-1), &keptRound{Round: -1}
	if before == nil {
		o.Say("warming up %d benchmarks", len(jobs))
	}
	round, began, tried := 0.0, time.Now(), 0
	var late, dear []*job
	for _, j := range jobs {
		order := random.Perm(len(j.sides))
		if there, err := j.resume(before, o); there || err != nil {
			if err != nil {
				return err
			}
			round += j.took.Seconds()
			continue
		}
		if c.left().Seconds() < round*float64(min(o.Rounds, fewestRounds)) {
			j.close()
			late = append(late, j)
			continue
		}
		limited, stop := c.within(ctx, 0.5)
		tried++
		err := j.warm(limited, o, order, now)
		tooLong := limited.Err() != nil
		stop()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case tooLong:
			j.close()
			o.leaveOut(fmt.Sprintf("its first runs do not end %sin half of the time that %s leaves%s: raise it, or leave it out by --skip '^%s$'", unended(j), limit(o), endedElsewhere(j), j.name), j)
			continue
		case err != nil:
			return err
		}
		j.skipped(ctx, o)
		if j.end(); slices.Contains(j.out, false) {
			o.Say("%s", j.cost())
			if j.took.Seconds()*float64(min(o.Rounds, fewestRounds)) > c.left().Seconds() {
				dear = append(dear, j)
				continue
			}
			round += j.took.Seconds()
		}
	}
	cheapest := 0
	for i, j := range dear {
		if j.took < dear[cheapest].took {
			cheapest = i
		}
	}
	alone := round == 0
	for i, j := range dear { // the time is for the others; where there are none, for the cheapest
		if alone && i == cheapest {
			round = j.took.Seconds()
			continue
		}
		j.close()
		late = append(late, j)
	}
	all := round * float64(o.Rounds)
	if tried > 0 { // what was not tried is taken to cost as much as the others
		o.needs = seconds((time.Since(began).Seconds() + all) / float64(tried) * float64(tried+len(late)))
	}
	o.leaveOut(limit(o)+" is too short for it beside the others"+instead(o), late...)
	mark(jobs)
	if before != nil {
		return nil
	}
	text := fmt.Sprintf("a round takes about %s, %d rounds %s", short(round), o.Rounds, short(all))
	if left := c.left().Seconds(); all > left {
		text += fmt.Sprintf("; %s leaves time for %d%s", limit(o), int(left/round), instead(o))
	}
	o.Say("%s", text)
	if err := kept.write(now); err != nil {
		o.warn("an interrupt would lose the rounds: %v", err)
	}
	return nil
}

// round measures the benchmark once on each side. What is not measured on all sides before the
// time is over does not count.
func (j *job) round(ctx context.Context, o *Options, order []int, before, now *keptRound, c clock) error {
	if before != nil && !before.has(j) { // it was decided, or there was no time for it
		return nil
	}
	if before == nil && j.took > c.left() {
		j.cut = true
		return nil
	}
	limited, stop := c.within(ctx, 1)
	defer stop()
	began, samples := time.Now(), make([]*keptSample, len(j.sides))
	for _, k := range order {
		if j.out[k] {
			continue
		}
		text, there := before.text(j, k)
		if !there {
			var err error
			if text, err = j.sample(limited, o, k); err != nil {
				switch {
				case ctx.Err() != nil:
					return ctx.Err()
				case limited.Err() != nil: // it took longer than before
					j.took, j.cut, j.hung = max(j.took, time.Since(began)), true, true
					return nil
				case !o.fail(ctx, j.sides[k].name, j.on[k].pkg, j.name, err):
					return err
				}
				if list := *o.failures; j.rounds > 0 {
					list[len(list)-1].late = true
				}
				j.drop(k)
				continue
			}
		}
		samples[k] = &keptSample{j.on[k].pkg, j.name, j.cpu, j.sides[k].name, text}
	}
	for k, s := range samples {
		if s == nil || j.out[k] {
			continue
		}
		if err := j.sides[k].add(s.Text); err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
		now.Samples = append(now.Samples, *s)
	}
	j.rounds++
	if before == nil {
		j.took = time.Since(began)
	}
	return nil
}

// tellCut prints for which benchmarks the time was over before all rounds were measured.
func (o *Options) tellCut(jobs []*job) {
	var few []string
	var none []*job
	for _, j := range jobs {
		switch each := short(j.took.Seconds()); {
		case !j.cut || !slices.Contains(j.out, false):
		case j.rounds == 0 && j.hung:
			o.leaveOut(fmt.Sprintf("a round of it does not end %sin the time that %s leaves%s%s", unended(j), limit(o), endedElsewhere(j), instead(o)), j)
		case j.rounds == 0:
			none = append(none, j)
		default:
			few = append(few, fmt.Sprintf("%s has %d of %d rounds (%s each)", j.title(), j.rounds, o.Rounds, each))
		}
	}
	o.leaveOut("a round of it takes longer than "+limit(o)+" has left"+instead(o), none...)
	if n := len(few); n > 3 {
		few = append(few[:3], fmt.Sprintf("and %d others", n-3))
	}
	if len(few) > 0 {
		o.warn("%s ended the measurement: %s%s", limit(o), strings.Join(few, ", "), instead(o))
	}
}

// limit returns the time budget with its flag.
func limit(o *Options) string {
	switch {
	case o.rest:
		return "--most"
	case o.Look != nil:
		return fmt.Sprintf("--most %s", o.Budget)
	}
	return fmt.Sprintf("--budget %s", o.Budget)
}

// instead returns advice where the time budget is too short: the one that would do, as far as is
// known, or fewer benchmarks.
func instead(o *Options) string {
	unit, text := time.Minute, ""
	if o.needs < time.Minute {
		unit = time.Second
	}
	if o.needs > 0 {
		text = fmt.Sprintf("all %d rounds of all benchmarks need about %s; ", o.Rounds, (o.needs + unit - 1).Truncate(unit))
	}
	return ": " + text + "choose fewer by --bench or --skip, or raise it"
}

// leaveOut notes that the time was too short for benchmarks.
func (o *Options) leaveOut(why string, jobs ...*job) {
	switch n := len(jobs); n {
	case 0:
		return
	case 1:
		o.Say("%s is not measured: %s", jobs[0].title(), why)
	default:
		o.Say("%s and %d others are not measured: %s", jobs[0].title(), n-1, why)
	}
	if o.unmeasured == nil {
		return
	}
	for _, j := range jobs {
		*o.unmeasured = append(*o.unmeasured, Failure{Pkg: j.on[0].pkg, Benchmark: j.name, Reason: why})
	}
}

// mark gives names of one processor a number too, in packages in which a name ends in a number
// that -cpu lists: else they could not be told from names on that many processors.
func mark(jobs []*job) {
	cpus := map[string]map[string]bool{} // by package
	for _, j := range jobs {
		if cpus[j.on[0].pkg] == nil {
			cpus[j.on[0].pkg] = map[string]bool{}
		}
		cpus[j.on[0].pkg][j.cpu] = true
	}
	for _, j := range jobs {
		for _, l := range j.leaves {
			at := strings.LastIndexByte(l.name, '-')
			if list := cpus[j.on[0].pkg]; at > 0 && len(list) > 1 && list["1"] && list[l.name[at+1:]] {
				for _, other := range jobs {
					other.marked = other.marked || other.on[0].pkg == j.on[0].pkg
				}
			}
		}
	}
}

// drop ends the measurement of the benchmark on a side on which it failed, with one copy of the
// base on the other too.
func (j *job) drop(k int) {
	failed := j.sides[k].name
	for i, s := range j.sides {
		old := s.name == "base" || s.name == noiseSide
		if i == k || old && (failed == "base" || failed == noiseSide) {
			j.out[i] = true
			for _, l := range j.leaves {
				l.results[i] = nil
			}
		}
	}
}

// end ends the measurement of the benchmark on all sides if it failed on the head, since there is
// nothing left to compare.
func (j *job) end() {
	for k, s := range j.sides {
		if s.name == "head" && j.out[k] {
			j.close()
		}
	}
}

// close ends the measurement of the benchmark on all sides.
func (j *job) close() {
	for i := range j.sides {
		j.drop(i)
	}
}
