package bench

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"sakusen/tuner/numeral"
)

// blind times the threshold is the slowdown that a gate must be able to rule out of each time:
// at a threshold of 5 %, 10 %. A comparison that could not have shown even that is no pass.
const blind = 2

// blindSetup is what a gate must be able to rule out of the time outside of the timed parts, in
// seconds, or blind times the threshold where that is more: a process varies by milliseconds.
const blindSetup = 0.02

// Power is what a comparison would have shown: the answer to what a pass means.
type Power struct {
	// RulesOut is the least slowdown, as a share, that is ruled out of every time, by intervals
	// of 95 % each; nil where some series has too few samples for any. Series is the least sure.
	RulesOut *float64 `json:"rules_out"`
	Series   string   `json:"series"`
	// Setup is how much longer, in seconds, what is done outside of the timed parts may take
	// without that it shows; nil where it was not measured, or with too few samples.
	Setup *float64 `json:"setup_seconds,omitempty"`
	// Untold counts benchmarks whose work outside of their timed parts was not measured,
	// and UntoldOf names the first of them, empty where that goes for all.
	Untold   int    `json:"setup_unknown,omitempty"`
	UntoldOf string `json:"setup_unknown_of,omitempty"`
	// Calls is the least number of calls of a sample: what fewer than one call in so many pays,
	// most samples do not. CallsOf is the benchmark.
	Calls   int    `json:"calls"`
	CallsOf string `json:"calls_of"`
}

// usualAlpha is the level of a gate without --alpha.
const usualAlpha = 0.01

// power returns what the comparison would have shown of all times but those that failed, nil where it
// has none.
func (c *Comparison) power(failed []Finding) *Power {
	var p *Power
	far, setup := math.Inf(-1), math.Inf(-1)
	functions, told := map[string]bool{}, map[string]bool{}
	for i := range c.Rows {
		r := &c.Rows[i]
		if slices.ContainsFunc(failed, func(f Finding) bool { return f.Row == r }) {
			continue
		}
		if r.Paired() && r.Series.Unit == SetupTime && !r.constant() {
			setup = math.Max(setup, r.Old.Center*r.farWorse())
		}
		if r.Paired() && r.Series.Unit == SetupTime {
			told[r.Series.function()] = true
		}
		if !r.Paired() || !r.Series.timed() || r.weight != weightFull {
			continue
		}
		if p == nil {
			p = &Power{}
		}
		functions[r.Series.function()] = true
		if r.calls > 0 && (p.Calls == 0 || r.calls < p.Calls) {
			p.Calls, p.CallsOf = r.calls, r.Series.benchmark().Title()
		}
		f := r.farWorse()
		if r.constant() && leastP(r.Old.N, r.New.N) >= usualAlpha {
			f = math.Inf(1) // equal by chance
		}
		if f > far && (!r.constant() || f > 0) {
			far, p.Series = f, r.Series.Title()
		}
	}
	if p != nil {
		all := len(functions)
		maps.DeleteFunc(functions, func(name string, _ bool) bool { return told[name] })
		if p.Untold = len(functions); p.Untold > 0 && p.Untold < all {
			p.UntoldOf = slices.Min(slices.Collect(maps.Keys(functions)))
		}
		p.RulesOut, p.Setup = numeral.Finite(math.Max(0, far)), numeral.Finite(math.Max(0, setup))
		if math.IsInf(setup, -1) {
			p.Setup = nil
		}
	}
	return p
}

// bursts reports whether new samples are so much worse than any old one that chance does not explain
// it, and raise the mean by more than a gate must be able to rule out. The median, and with it the
// test, may see nothing of it.
func (r *Row) bursts(threshold float64) bool { return r.beyond > 0 && r.raise > blind*threshold }

// burst fills in how many of the worst samples are new and too bad for chance, and what they do to
// the mean, of sorted samples. Of an unknown direction it takes the worse one.
func burst(r *Row, old, new []float64) {
	if old[0] < 0 || new[0] < 0 {
		return
	}
	if r.Better <= 0 {
		floor := 0.0 // of counts one is next to none, of bytes what the runtime takes now and then
		switch {
		case r.Exact:
			floor = 1
		case ofBytes(r.Series.Unit):
			floor = 1024
		case r.Old.Max == 0 && !strings.Contains(r.Series.Unit, "sec"):
			floor = 1
		}
		r.beyond, r.raise = worst(old, new, floor)
	}
	if r.Better >= 0 && r.beyond == 0 {
		r.beyond, r.raise = worst(inverse(old), inverse(new), 0)
	}
}

// ofBytes reports whether a unit is one of memory.
func ofBytes(unit string) bool {
	return strings.HasPrefix(unit, "B/") || strings.HasSuffix(unit, "bytes")
}

// worst returns the number k of new costs beyond all old ones of which chance does not explain that
// they are so large, 0 for none, and the relative change of the mean. If nothing changed, the k
// largest are all new ones with the chance c, whatever they are. Few are so much larger than the
// rest: beside costs that spread little, a share of about 1/f² is beyond f times the largest. So the
// chance counts as c/f^(k+1), at most .005, where f is taken less by what the old costs spread; or
// as c, at most .02, from twice the largest on. Where an old cost is as large, k new ones are a fifth
// above the old median, and so few old ones that Fisher's test gives less than .01. What is below a
// floor counts as that. TestBurstsErrors counts false alarms.
func worst(old, new []float64, floor float64) (k int, raise float64) {
	n, m := len(new), len(old)
	top, middle := math.Max(old[m-1], floor), math.Max(Median(old), floor)
	if i := slices.IndexFunc(old, func(v float64) bool { return v > 0 }); i >= 0 && !(middle > 0) {
		middle = old[i]
	}
	if !(middle > 0) { // where the old side holds still, [Row.strayed] tells
		return 0, 0
	}
	sum := func(list []float64) (s float64) {
		for _, v := range list {
			s += v
		}
		return s
	}
	chance := 1.0
	raise = sum(new)/float64(n)/(math.Max(sum(old), middle)/float64(m)) - 1
	for i := range n {
		ratio := new[n-1-i] / top
		if !(ratio > 1) {
			break
		}
		chance *= float64(n-i) / float64(n+m-i)
		if far := ratio * middle / top; far > 1 && chance*math.Pow(far, -float64(i+2)) < 0.005 || ratio > 2 && chance < 0.02 {
			k = i + 1
		}
	}
	if k > 0 {
		return k, raise
	}
	above := func(list []float64) int {
		i, _ := slices.BinarySearch(list, 1.2*middle)
		return len(list) - i
	}
	if a, b := above(new), above(old); b > 0 && moreOf(a, n, b, m) < 0.01 {
		return a, raise
	}
	return 0, raise
}

// moreOf returns the chance of at least a of n on one side, where a+b of both sides have something and
// b of m of the other: Fisher's exact test, one-sided.
func moreOf(a, n, b, m int) (p float64) {
	choose := func(n, k int) float64 {
		all, _ := math.Lgamma(float64(n + 1))
		in, _ := math.Lgamma(float64(k + 1))
		out, _ := math.Lgamma(float64(n - k + 1))
		return all - in - out
	}
	for x := a; x <= min(n, a+b); x++ {
		p += math.Exp(choose(n, x) + choose(m, a+b-x) - choose(n+m, a+b))
	}
	return p
}

// inverse returns the costs of sorted rates, sorted.
func inverse(rates []float64) []float64 {
	costs := make([]float64, len(rates))
	for i, v := range rates {
		costs[len(rates)-1-i] = 1 / v
	}
	return costs
}

// Busy returns a sentence for people where the machine was too busy for times: most benchmarks that
// compute take much longer, on average, than a processor works on them, on both sides; "" else.
func (c *Comparison) Busy() string {
	const much = 1.5
	index := map[Series]*Row{}
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Paired() && r.Series.timed() {
			index[r.Series] = r
		}
	}
	all, busy, ratios := 0, 0, []float64{}
	for s, mean := range index {
		if s.Unit != meanTime {
			continue
		}
		quick, cpu := s, s
		quick.Unit, cpu.Unit = "sec/op", processorTime
		least, work := index[quick], index[cpu]
		// What waits by itself does so in most slices, too.
		if least == nil || work == nil || work.Old.Center < 0.8*least.Old.Center {
			continue
		}
		all++
		if ratio := math.Min(mean.Old.Center/work.Old.Center, mean.New.Center/work.New.Center); ratio > much {
			busy++
			ratios = append(ratios, ratio)
		}
	}
	if 2*busy <= all {
		return ""
	}
	return fmt.Sprintf("the machine is too busy for times: %d of %d benchmarks take %.1f times as long as the processor works on them, on both sides; other programs are the cause of noise, not the change: measure where fewer run, or with more --rounds", busy, all, Median(ratios))
}

// String returns a sentence for people, empty where there is nothing to say.
func (p *Power) String() string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	switch {
	case p.RulesOut == nil:
		fmt.Fprintf(&b, "ruled out: no slowdown of %s, which has too few samples", p.Series)
	case p.Series == "":
		b.WriteString("ruled out: any slowdown of a time")
	default:
		fmt.Fprintf(&b, "ruled out: a time more than %.1f %% slower (at 95 %% each; the least sure is %s)", 100**p.RulesOut, p.Series)
	}
	if p.Setup != nil {
		fmt.Fprintf(&b, ", a setup more than %s longer", Amount(*p.Setup, SetupTime))
	}
	var unseen []string
	switch {
	case p.Calls == 1:
		unseen = append(unseen, "what not every call of "+p.CallsOf+" pays")
	case p.Calls > 1:
		unseen = append(unseen, fmt.Sprintf("what fewer than one call in %s pays (%s)", numeral.Count(int64(p.Calls)), p.CallsOf))
	}
	switch {
	case p.UntoldOf != "" && p.Untold > 1:
		unseen = append(unseen, fmt.Sprintf("what %d benchmarks do outside of their timed parts (%s is the first)", p.Untold, p.UntoldOf))
	case p.UntoldOf != "":
		unseen = append(unseen, "what "+p.UntoldOf+" does outside of its timed part")
	case p.Untold > 0:
		unseen = append(unseen, "what is done outside of the timed parts")
	}
	if len(unseen) > 0 {
		b.WriteString("; not seen: " + strings.Join(unseen, ", nor "))
	}
	return b.String()
}

// SelfTest plants three regressions that no gate may miss, a time 20 % slower,
// one allocation more and a changed signature, each alone and all together, in
// made-up measurements, and judges them by the policy that is in use. It returns
// the gate of all together, which must be a regression with three failures; an
// error says that the gate is blind, or that it fails what has not changed.
func SelfTest(p Policy) (Gate, *Comparison, error) {
	base, err := planted(0, 0, 0)
	if err != nil {
		return Gate{}, nil, err
	}
	for _, c := range []struct {
		what                    string
		slower, allocs, changed int
		want                    Outcome
	}{
		{"nothing planted", 0, 0, 0, Pass},
		{"a time 20 % slower", 20, 0, 0, Regression},
		{"an allocation more", 0, 1, 0, Regression},
		{"a changed signature", 0, 0, 1, Regression},
	} {
		run, err := planted(c.slower, c.allocs, c.changed)
		if err != nil {
			return Gate{}, nil, err
		}
		if g := Judge(Compare(base, run, Options{}), p); g.Outcome != c.want {
			return g, nil, fmt.Errorf("the gate cannot be trusted: with %s it says %s, expected %s", c.what, g.Outcome, c.want)
		}
	}
	run, err := planted(20, 1, 1)
	if err != nil {
		return Gate{}, nil, err
	}
	c := Compare(base, run, Options{})
	g := Judge(c, p)
	if len(g.Failures) != 3 {
		return g, c, fmt.Errorf("the gate cannot be trusted: %d of 3 planted regressions failed", len(g.Failures))
	}
	return g, c, nil
}

// planted makes up ten measurements with 1 % of spread.
func planted(slower, allocs, changed int) (*Run, error) {
	var b strings.Builder
	b.WriteString("pkg: planted\n")
	for i := range 10 {
		ns := (1000 + i*7%10) * (100 + slower)
		fmt.Fprintf(&b, "BenchmarkPlanted 100 %d ns/op %d allocs/op %d %s\n", ns, 3+allocs, 12345+changed, SignatureLo)
	}
	return Read(strings.NewReader(b.String()), "planted", ReadOptions{})
}
