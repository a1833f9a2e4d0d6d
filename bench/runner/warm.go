package runner

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"
)

// warm runs the benchmark for the first time on each side, in an order, and plans its samples.
// The second copy of the base is the base.
func (j *job) warm(ctx context.Context, o *Options, order []int, now *keptRound) error {
	first := part{Time: "1x", Count: 2, logged: true}
	if o.sampleTime() == 0 {
		first = part{Time: o.BenchTime, Count: 1, logged: true}
	}
	paid := make([]float64, len(j.sides)) // seconds outside of the timed parts
	for _, k := range order {
		if j.out[k] || j.sides[k].name == noiseSide {
			continue
		}
		out, err := j.run(ctx, o, k, first)
		if err == nil {
			err = j.lacks(ctx, o, k, out)
		}
		if err != nil {
			if err = o.failOn(ctx, j, k, err); err != nil {
				return err
			}
			continue
		}
		if err := j.look(out, k, o); err != nil {
			return err
		}
		if err := o.lookAgain(ctx, j, k); err != nil {
			return err
		}
		for _, l := range j.leaves {
			paid[k] += l.least(k)
		}
		if !strings.Contains(only(j.name, o.Bench), "/") { // else those below it may be left out
			j.unheard = append(j.unheard, out.unheard...)
		}
		now.Samples = append(now.Samples, keptSample{j.on[k].pkg, j.name, j.cpu, j.sides[k].name, out.text})
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(j.unheard))) {
		o.leaveOut("it prints no result that can be read: does it write something without an end of the line, or end the process?", &job{name: name, cpu: j.cpu, on: j.on})
	}
	j.twins()
	pilot := -1
	for k := range j.sides {
		if !j.out[k] && j.sides[k].name != noiseSide && (pilot < 0 || paid[k] > paid[pilot]) {
			pilot = k
		}
	}
	if pilot < 0 {
		return nil
	}
	if len(j.leaves) == 0 {
		if j.skipped(ctx, o) {
			return nil
		}
		o.warn("%s printed no result that can be read: it was skipped, or wrote into its line", j.name)
		j.close()
		return nil
	}
	if err := j.plan(ctx, o, pilot); err != nil {
		return err
	}
	for k := range j.sides {
		if !j.out[k] {
			j.took += time.Duration(j.predicted * float64(time.Second))
		}
	}
	now.Plans = append(now.Plans, j.kept())
	return nil
}

// twins notes for the second copy of the base what the base printed.
func (j *job) twins() {
	base := slices.IndexFunc(j.sides, func(s *side) bool { return s.name == "base" })
	noise := slices.IndexFunc(j.sides, func(s *side) bool { return s.name == noiseSide })
	for _, l := range j.leaves {
		if base >= 0 && noise >= 0 {
			l.results[noise] = l.results[base]
		}
	}
}

// look notes what the benchmark printed when it warmed up on a side, and how many seconds its calls
// spent outside of their timed parts.
func (j *job) look(out *printed, k int, o *Options) error {
	results, err := out.results()
	if err != nil {
		return err
	}
	if o.sampleTime() == 0 {
		j.predicted = math.Max(j.predicted, out.wall.Seconds())
	}
	start, called := out.wall.Seconds(), map[*leaf]bool{}
	for i, r := range results {
		seconds, _ := r.Value("sec/op")
		l := j.see(r, k, seconds)
		if len(out.walls) == len(results) {
			start -= out.walls[i].Seconds()
			l.note(k, out.walls[i].Seconds()-seconds, !called[l])
			called[l] = true
		}
	}
	if j.starts == nil {
		j.starts = make([]float64, len(j.sides))
	}
	if j.starts[k] == 0 || start < j.starts[k] {
		j.starts[k] = start
	}
	j.start = j.leaves.weigh(j.starts)
	return nil
}

// note takes over what a call of the leaf, maybe the first one of a process, spent outside of its
// timed part on a side.
func (l *leaf) note(k int, over float64, first bool) {
	if l.overs == nil {
		l.overs, l.firsts = make([][]float64, len(l.results)), make([]float64, len(l.results))
	}
	over = math.Max(0, over)
	if before := l.firsts[k]; first && (len(l.overs[k]) == 0 || over < before) {
		l.firsts[k] = over
	}
	l.overs[k] = append(l.overs[k], over)
}

// weigh derives what calls spend outside of their timed parts from all that was noted. It returns
// the most seconds that a process of a side spends before its first result; starts are the seconds
// outside of all calls, by side. Of the calls the least counts: all else is waiting, or, where the
// first call alone spends it, is paid once in a process.
func (all leaves) weigh(starts []float64) float64 {
	starts = slices.Clone(starts)
	for _, l := range all {
		l.untimed, l.wait = 0, 0
		for k, overs := range l.overs {
			if len(overs) == 0 {
				continue
			}
			sorted := slices.Sorted(slices.Values(overs))
			wait := sorted[(len(sorted)-1)/2] - sorted[0]
			l.untimed, l.wait = math.Max(l.untimed, sorted[0]), math.Max(l.wait, wait)
			if once := l.firsts[k] - sorted[0]; once > 2*wait {
				starts[k] += once
			}
		}
	}
	return slices.Max(starts)
}

// light reports whether a call of the leaf spends little outside of its timed part for a sample of so
// many seconds, but for its waiting.
func (l *leaf) light(sample float64) bool {
	return l.untimed <= math.Max(lightCall*sample, math.Min(l.wait, waitingCall*sample))
}

// least returns the fewest seconds that a call of the leaf spent outside of its timed part on a side.
func (l *leaf) least(k int) float64 {
	if l.overs == nil || len(l.overs[k]) == 0 {
		return 0
	}
	return slices.Min(l.overs[k])
}

// lookAgain warms up more where calls seem to spend much outside of their timed parts on a side,
// but not so much that it cannot be waiting for the processor: a setup takes its time in each of
// them, and waiting on a busy machine does not.
func (o *Options) lookAgain(ctx context.Context, j *job, k int) error {
	const times, most = 2, 8
	sample, slowest, all := o.sampleTime().Seconds(), 0.0, 0.0
	for _, l := range j.leaves {
		least := l.least(k)
		slowest, all = math.Max(slowest, least), all+least
	}
	if sample == 0 || slowest > 2*sample || slowest <= lightCall*sample && (j.start <= sample || j.start > busyMost*sample) {
		return nil
	}
	for range times {
		out, err := j.run(ctx, o, k, part{Time: "1x", Count: max(2, min(most, int(busyMost*sample/math.Max(all, 1e-3))))})
		if err != nil {
			return o.failOn(ctx, j, k, err)
		}
		if err := j.look(out, k, o); err != nil {
			return err
		}
	}
	return nil
}

// unended names the side of a run that did not end, where there are two.
func unended(j *job) string {
	return map[string]string{"base": "on the old side ", noiseSide: "on the old side ", "head": "on the new side "}[j.sides[j.running].name]
}

// endedElsewhere returns how long the runs took that ended on the other side.
func endedElsewhere(j *job) string {
	for k, took := range j.ran {
		if name := j.sides[k].name; took > 0 && name != noiseSide && (name == "head") != (j.sides[j.running].name == "head") {
			return map[string]string{"base": " (on the old side they took ", "head": " (on the new side they took "}[name] + short(took.Seconds()) + ")"
		}
	}
	return ""
}
