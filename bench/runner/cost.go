package runner

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
)

// What a benchmark does outside of its timed part, package testing repeats in every slice: it
// calls the function once for one iteration, and then again for as many as the slice has. So a
// setup before b.ResetTimer is paid two times or more in each slice, and what b.StopTimer leaves
// out is paid in every iteration. Both show when the time that passes is measured beside the
// time that is printed.

// untimedMost is how many times the length of a sample it may spend outside of the timed part
// for the sake of more slices.
const untimedMost = 4

// busyMost is how many times the length of a sample its slices may last on a busy machine, as
// long as there are enough for the twentieth of them.
const busyMost = 10

// lightCall and lightSlice are the shares of a sample that a call and a slice may spend outside
// of their timed part to count as light: then a sample has slices of sliceTime, however many.
const (
	lightCall  = 0.05
	lightSlice = 0.1
	// pieceCall is that of a call of which the processor time can be taken off that of a piece.
	pieceCall = 0.25
	// waitingCall is that of a call on a machine so busy that none of them is light, and yet most of
	// what they take is waiting for the processor.
	waitingCall = 4 * lightCall
)

// waits is how long a call usually waits for the processor on a machine that counts as busy, in
// seconds.
const waits = 0.005

// plan decides of what parts a sample is made. The pilot is the side on which the benchmark
// spends most outside of its timed part.
func (j *job) plan(ctx context.Context, o *Options, pilot int) error {
	sample := o.sampleTime().Seconds()
	if sample == 0 {
		j.parts = []part{{Time: o.BenchTime, Count: 1}}
		return nil
	}
	if j.start > sample {
		// A process costs more than a sample: all leaves are measured in one.
		untimed, slowest := 0.0, 0.0
		for _, l := range j.leaves {
			untimed, slowest = math.Max(untimed, l.untimed), math.Max(slowest, l.seconds)
		}
		n := slicesOf(sample, 4*untimed, slowest)
		j.parts = []part{{Time: seconds(sample / float64(n)).Round(time.Microsecond).String(), Count: n}}
		j.predicted = j.start + float64(len(j.leaves))*(float64(n)*4*untimed+math.Max(sample, slowest))
		if ends, err := j.ends(ctx, o, pilot); ends || err != nil {
			return err
		}
		j.parts, j.predicted = nil, 0
	}
	var quick, costly []*leaf
	counts := map[int][]string{} // names by the number of slices
	for _, l := range j.leaves {
		switch {
		case l.seconds > sample/2:
			counts[1] = append(counts[1], l.name)
			j.predicted += l.seconds + l.untimed
		case l.seconds >= sample/10 && l.untimed <= pieceCall*sample: // an iteration is a slice
			n := slicesOf(sample, l.untimed, l.seconds)
			counts[n] = append(counts[n], l.name)
			j.parts = append(j.parts, l.piece(n)...) // each slice begins with the first of what it takes in turn
			j.predicted += float64(n)*(2*l.seconds+l.untimed) + 2*l.untimed + 2*j.start
		case l.light(sample):
			quick = append(quick, l)
		default:
			costly = append(costly, l)
		}
	}
	more, err := j.slice(ctx, o, pilot, quick, counts)
	if err != nil {
		return err
	}
	for _, n := range slices.Sorted(maps.Keys(counts)) {
		j.parts = append(j.parts, part{Names: counts[n], Time: sliceTime.String(), Count: n})
		j.predicted += j.start
	}
	for _, l := range append(costly, more...) {
		if err := j.grow(ctx, o, pilot, l); err != nil {
			return err
		}
	}
	return nil
}

// ends tries the planned sample and tells whether it ends in about the time that is predicted. It
// does not where each iteration, and not each call alone, spends time outside of the timer: then
// package testing goes on to more and more iterations.
func (j *job) ends(ctx context.Context, o *Options, pilot int) (bool, error) {
	limited, stop := context.WithTimeout(ctx, seconds(3+3*j.predicted))
	defer stop()
	_, err := j.run(limited, o, pilot, j.parts[0])
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case limited.Err() != nil:
		return false, nil
	case err != nil:
		return true, o.failOn(ctx, j, pilot, err)
	}
	return true, nil
}

// failOn leaves a benchmark out on a side on which it failed, or returns the error where that
// ends the measurement.
func (o *Options) failOn(ctx context.Context, j *job, k int, err error) error {
	if !o.fail(ctx, j.sides[k].name, j.on[k].pkg, j.name, err) {
		return err
	}
	j.drop(k)
	return nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// slicesOf returns the number of slices of a sample, of which each spends some time outside
// of its timed part, and lasts one iteration at least.
func slicesOf(sample, untimed, iteration float64) int {
	n := sample / math.Max(sliceTime.Seconds(), iteration)
	if untimed > 0 {
		n = math.Min(n, untimedMost*sample/untimed)
	}
	return max(1, int(n+1e-9))
}

// slice tries ten slices of benchmarks of which a call costs little. It adds to the counts those
// of which a slice costs little too, and returns the others.
func (j *job) slice(ctx context.Context, o *Options, pilot int, quick []*leaf, counts map[int][]string) (costly []*leaf, err error) {
	const tries = 10
	sample := o.sampleTime().Seconds()
	var names []string
	most := 3.0 + 2*j.start
	for _, l := range quick {
		if l.results[pilot] == nil { // on another side alone
			n := slicesOf(sample, 0, l.seconds)
			counts[n] = append(counts[n], l.name)
			continue
		}
		names = append(names, l.name)
		most += 3 * tries * (4*(l.untimed+l.wait) + 2*math.Max(sliceTime.Seconds(), l.seconds))
	}
	if len(names) == 0 {
		return nil, nil
	}
	limited, stop := context.WithTimeout(ctx, seconds(most))
	defer stop()
	out, err := j.run(limited, o, pilot, part{Names: names, Time: sliceTime.String(), Count: tries})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil && len(quick) == 1: // most of it is outside of the timer
		return quick, nil
	case limited.Err() != nil:
		for i := range quick {
			more, err := j.slice(ctx, o, pilot, quick[i:i+1], counts)
			if err != nil {
				return nil, err
			}
			costly = append(costly, more...)
		}
		return costly, nil
	case err != nil:
		return nil, o.failOn(ctx, j, pilot, err)
	}
	results, err := out.results()
	if err != nil {
		return nil, err
	}
	for _, l := range quick {
		var times, overs []float64
		total, iterations := 0.0, 0
		for i, r := range results {
			if name, _ := splitProcs("Benchmark"+r.Name.String(), j.cpu); name != l.name || len(out.walls) != len(results) {
				continue
			}
			s, _ := r.Value("sec/op")
			times, overs = append(times, s), append(overs, out.walls[i].Seconds()-s*float64(r.Iters))
			total, iterations = total+out.walls[i].Seconds(), iterations+r.Iters
		}
		if len(times) == 0 {
			continue
		}
		slices.Sort(times)
		l.seconds = times[len(times)/2]
		// A benchmark may print another time than that of its iterations, or none.
		each := math.Max(l.seconds, sliceTime.Seconds()*float64(len(times))/float64(2*max(1, iterations)))
		if slices.Min(overs)-6*l.wait > lightSlice*sample { // a slice has three calls or four
			costly = append(costly, l)
			continue
		}
		// On a busy machine package testing spends much on collecting garbage before each call.
		wall := total / float64(len(times))
		if l.wait > waits { // slices of a number of iterations have two
			wall *= 0.6
		}
		n := min(slicesOf(sample, 0, l.seconds), max(undisturbed, int(busyMost*sample/wall)))
		if l.wait > waits {
			j.parts = append(j.parts, part{Names: []string{l.name}, Time: fmt.Sprint(max(1, int(sliceTime.Seconds()/each)), "x"), Count: n})
		} else {
			counts[n] = append(counts[n], l.name)
		}
		j.predicted += wall * float64(n)
		if n > 1 {
			j.parts = append(j.parts, l.piece(int(sample/each))...)
			j.predicted += sample + wall + 2*j.start
		}
	}
	return costly, nil
}

// grow finds the number of iterations for a benchmark that costs much outside of its timed part,
// by running it for more and more of them, and adds the part that measures it.
func (j *job) grow(ctx context.Context, o *Options, pilot int, l *leaf) error {
	sample := o.sampleTime().Seconds()
	call := l.untimed + l.seconds
	fit := func(x float64) int { return int(math.Max(1, math.Min(x, 1e9))) }
	good, bad, over, wall := 1, 0, l.untimed, call
	for n, tries := fit(sample/math.Max(l.seconds, 1e-9)), 0; n > good && tries < 8 && l.results[pilot] != nil; tries++ {
		limited, stop := context.WithTimeout(ctx, seconds(6*call+(2+untimedMost)*sample+j.start))
		out, err := j.run(limited, o, pilot, part{Names: []string{l.name}, Time: fmt.Sprint(n, "x"), Count: 1})
		late := limited.Err() != nil
		stop()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case late:
			bad = n
			n = fit(math.Sqrt(float64(n) * float64(good)))
			continue
		case err != nil:
			return o.failOn(ctx, j, pilot, err)
		}
		results, err := out.results()
		if err != nil || len(results) == 0 || len(out.walls) != len(results) {
			break
		}
		good = n
		l.seconds, _ = results[0].Value("sec/op")
		wall = out.walls[0].Seconds()
		over = math.Max(0, wall-l.seconds*float64(n))
		next := sample / math.Max(l.seconds, 1e-9)
		if each := (over - 3*l.untimed) / float64(n); each > 0 {
			next = math.Min(next, untimedMost*sample/each)
		}
		if bad > 0 {
			next = math.Min(next, math.Sqrt(float64(n)*float64(bad)))
		}
		if next < 2*float64(n) {
			break
		}
		n = fit(next)
	}
	all := sample / math.Max(l.seconds, 1e-9) // iterations of a sample
	count := 1
	if over <= 3*l.untimed+0.002 {
		count = slicesOf(sample, over, l.seconds)
	} else {
		all = math.Min(all, untimedMost*sample/over*float64(good))
		count = min(slicesOf(sample, 2*l.untimed, l.seconds), max(1, int(all*l.seconds/sliceTime.Seconds())))
	}
	count = min(count, max(undisturbed, int(busyMost*sample/(over+sliceTime.Seconds()))))
	if l.untimed > pieceCall*sample { // then a sample is one piece: slices begin with the same of what it takes in turn
		count = 1
	}
	if bad > 0 {
		all = math.Min(all, float64(good))
	}
	n := fit(all / float64(count))
	j.parts = append(j.parts, part{Names: []string{l.name}, Time: fmt.Sprint(n, "x"), Count: count})
	if count > 1 {
		j.parts = append(j.parts, l.piece(fit(all))...)
		j.predicted += wall*all/float64(good) + 2*j.start
	}
	j.predicted += j.start + float64(count)*(math.Min(over, 2*l.untimed)+(wall-math.Min(over, 2*l.untimed))*float64(n)/float64(good))
	return nil
}

// piece returns the parts that measure the mean of a leaf and its processor time. On a busy machine
// two processes do nothing, of which the quicker one waits less.
func (l *leaf) piece(n int) []part {
	empty := part{Names: []string{l.name}, Time: "1x", Count: 2, Use: useEmpty}
	parts := []part{{Names: []string{l.name}, Time: fmt.Sprint(max(2, n), "x"), Count: 1, Use: useWhole}, empty}
	if l.wait > waits {
		parts = append(parts, empty)
	}
	return parts
}

// see notes a result of the warm-up and returns its leaf.
func (j *job) see(r *benchfmt.Result, k int, seconds float64) *leaf {
	if !(seconds >= 0) { // NaN: its goroutine ended
		seconds = 0
	}
	name, procs := splitProcs("Benchmark"+r.Name.String(), j.cpu)
	for _, l := range j.leaves {
		if l.name == name && l.procs == procs {
			if l.results[k] != nil { // the second time, when it is warm
				seconds = math.Min(l.seconds, seconds)
			}
			l.results[k], l.seconds = r.Clone(), math.Max(l.seconds, seconds)
			return l
		}
	}
	l := &leaf{name: name, procs: procs, seconds: seconds, results: make([]*benchfmt.Result, len(j.sides))}
	l.results[k] = r.Clone()
	j.leaves = append(j.leaves, l)
	return l
}

// cost reports for people what a sample of the benchmark is made of and how long it takes.
func (j *job) cost() string {
	var parts []string
	for _, p := range j.parts {
		what := fmt.Sprintf("%d slices of %s", p.Count, strings.Replace(p.Time, "x", " iterations", 1))
		if p.Count == 1 {
			what = "one of " + strings.Replace(p.Time, "x", " iterations", 1)
		}
		if p.Use == useSlices && !slices.Contains(parts, what) {
			parts = append(parts, what)
		}
	}
	untimed := 0.0
	for _, l := range j.leaves {
		untimed = math.Max(untimed, l.untimed)
	}
	text := fmt.Sprintf("%s: a sample takes %s (%s", j.title(), short(j.predicted), strings.Join(parts[:min(3, len(parts))], ", "))
	if untimed > 0.001 {
		text += fmt.Sprintf("; a call spends %s outside of its timed part", short(untimed))
	}
	if wait := slices.MaxFunc(j.leaves, func(a, b *leaf) int { return cmp.Compare(a.wait, b.wait) }).wait; wait > waits {
		text += fmt.Sprintf("; the machine is busy, and a call waits %s for a processor", short(wait))
	}
	if j.start > 0.1 {
		text += fmt.Sprintf("; the process takes %s before its first result", short(j.start))
	}
	return text + ")"
}

// short returns a number of seconds as text for people.
func short(s float64) string {
	d := seconds(s)
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

// title returns the benchmark for people.
func (j *job) title() string {
	text := j.on[0].pkg + "." + strings.TrimPrefix(j.name, "Benchmark")
	if j.cpu != "" && j.cpu != "1" {
		text += "-" + j.cpu
	}
	return text
}
