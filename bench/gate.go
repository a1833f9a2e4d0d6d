package bench

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"sakusen/tuner/numeral"
)

// Outcome is what a gate says.
type Outcome string

// The outcomes.
const (
	Pass        Outcome = "pass"
	Regression  Outcome = "regression"
	Undecided   Outcome = "inconclusive"
	NothingToDo Outcome = "nothing"
)

// Policy says what fails. The zero value takes the defaults.
type Policy struct {
	Alpha     float64 // q below which a change of time counts; default 0.01
	Threshold float64 // least relative change of time that fails; default 0.05
	// NoiseFactor times the noise floor is the other least change; default 2.
	NoiseFactor float64
	// Noise is the noise floor of a series: the relative change between two measurements of
	// the same code, made at the same time as the two that are compared.
	Noise map[Series]float64
	// AllowMissing accepts series that are missing on the new side.
	AllowMissing bool
}

// Check returns an error that says which of the numbers is wrong, by its flag.
func (p Policy) Check() error {
	if !(p.Alpha > 0 && p.Alpha < 1) {
		return fmt.Errorf("--alpha: expected a number between 0 and 1, got %g", p.Alpha)
	}
	if !(p.Threshold > 0) || p.Threshold > 100 {
		return fmt.Errorf("--threshold: expected a number above 0 and at most 100, got %g", p.Threshold)
	}
	return nil
}

func (p Policy) filled() Policy {
	if p.Alpha == 0 {
		p.Alpha = usualAlpha
	}
	if p.Threshold == 0 {
		p.Threshold = 0.05
	}
	if p.NoiseFactor == 0 {
		p.NoiseFactor = 2
	}
	return p
}

// Finding is a series with a finding about it.
type Finding struct {
	Row    *Row
	Reason string
}

// String returns the finding for people, with the series that it is about.
func (f Finding) String() string {
	title := f.Row.Series.Title()
	if len(title) > 600 { // its end is the unit
		title = cut(title, 500) + strings.ToValidUTF8(title[len(title)-60:], "")
	}
	return title + ": " + f.Reason
}

// worstFirst sorts findings by how far their benchmark changed for the worse, those of one
// benchmark behind each other: what is about a whole run first, and what one side lacks where
// alone says.
func worstFirst(list []Finding, alone float64) {
	weight := func(f Finding) float64 {
		switch {
		case f.Row.Series.Name == "":
			return math.Inf(1)
		case !f.Row.Paired():
			return alone
		case f.Row.Better == 0:
			return math.Abs(f.Row.Delta)
		}
		change, _ := f.Row.forTheWorse()
		return change
	}
	worst := map[Series]float64{}
	for _, f := range list {
		s := f.Row.Series.benchmark()
		if w, there := worst[s]; !there || weight(f) > w || math.IsNaN(w) {
			worst[s] = weight(f)
		}
	}
	stable(list, func(a, b *Finding) int {
		one, other := a.Row.Series.benchmark(), b.Row.Series.benchmark()
		return cmp.Or(cmp.Compare(worst[other], worst[one]), cmp.Compare(one.Title(), other.Title()), cmp.Compare(weight(*b), weight(*a)))
	})
}

// stable sorts a list, equal items in their order, by pointers: the code is the same for all types.
func stable[T any](list []T, compare func(a, b *T) int) {
	copies, sorted := slices.Clone(list), make([]*T, len(list))
	for i := range copies {
		sorted[i] = &copies[i]
	}
	slices.SortStableFunc(sorted, compare)
	for i, item := range sorted {
		list[i] = *item
	}
}

// Gate is a comparison judged by a policy.
type Gate struct {
	Outcome  Outcome
	Failures []Finding // these and the doubts: what changed most for the worse first
	Doubts   []Finding // reasons why the gate cannot pass although nothing failed
	Notes    []Finding // improvements, series that are new
	Causes   []Cause   // which functions got slower, if profiles were taken
	Bisect   *Bisect   // how to find the commit of the worst failure; nil where that is not known
	Power    *Power    // what would have shown; nil where no time was compared
}

// Judge applies a policy. Exact metrics fail at any change, but for the better
// where a direction is known. Anything else fails only if q is below alpha, the
// change for the worse exceeds both the threshold and the noise, and the near end
// of its interval exceeds the threshold. What could not have failed for want of
// samples or for noise, what looks worse without proof, and a run that is not
// complete make the gate undecided rather than pass. So a time that got slower by
// [blind] times the threshold passes in at most 2.5 % of the comparisons, however
// noisy they are: the interval, of 95 %, would have to lie below it.
func Judge(c *Comparison, p Policy) Gate {
	p = p.filled()
	g := Gate{Doubts: slices.Clone(c.doubts)}
	for i := range c.Rows {
		r := &c.Rows[i]
		switch {
		case r.Verdict == New:
			g.Notes = append(g.Notes, Finding{r, "is new"})
		case r.Verdict == Missing:
			if !p.AllowMissing {
				g.Doubts = append(g.Doubts, Finding{r, "is missing: this gate no longer checks it"})
			}
		case r.Verdict == ExactChanged:
			g.exact(r)
		case r.Verdict != Same, r.bursts(p.Threshold), r.strayed(), r.Exact && r.earned() && !r.exactlySame(), tooFew(r, p), r.farWorse() > p.Threshold:
			g.statistical(r, p)
		}
	}
	if none := "no time of the old side is on the new one: none is compared"; p.AllowMissing && c.untimed() && !slices.Contains(c.Warnings, none) {
		c.Warnings = append(c.Warnings, none)
	}
	g.Power = c.power(g.Failures)
	g.settle(c)
	return g
}

// untimed reports whether there are times on the old side, and none of them on the new one.
func (c *Comparison) untimed() bool {
	there := false
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.Series.timed() && r.Paired() {
			return false
		}
		there = there || r.Series.timed() && r.Old != nil
	}
	return there
}

// settle sets the outcome by the findings.
func (g *Gate) settle(c *Comparison) {
	worstFirst(g.Failures, math.Inf(1))
	worstFirst(g.Doubts, math.Inf(-1))
	// Only if there is nothing on the old side, nothing was to be compared.
	asked := slices.ContainsFunc(c.Rows, func(r Row) bool { return r.Old != nil })
	switch {
	case len(g.Failures) > 0:
		g.Outcome = Regression
	case len(g.Doubts) > 0, c.Paired == 0 && asked:
		g.Outcome = Undecided
	case c.Paired == 0:
		g.Outcome = NothingToDo
	default:
		g.Outcome = Pass
	}
}

func (g *Gate) exact(r *Row) {
	what := fmt.Sprintf("exact metric changed from %.12g to %.12g", r.Old.Center, r.New.Center)
	switch diff := r.New.Center - r.Old.Center; {
	case diff*float64(r.Better) > 0:
		g.Notes = append(g.Notes, Finding{r, what + ", for the better"})
	case r.Better == 0:
		g.Failures = append(g.Failures, Finding{r, what})
	default:
		g.Failures = append(g.Failures, Finding{r, what + ", for the worse"})
	}
}

// shortest is less than an operation of an empty loop on a thousand processors takes, in seconds.
const shortest = 1e-13

// statistical judges what has noise.
func (g *Gate) statistical(r *Row, p Policy) {
	least := math.Max(p.Threshold, p.NoiseFactor*p.Noise[r.Series])
	change, near := r.forTheWorse()
	far := r.farWorse()
	doubt := func(format string, args ...any) {
		if r.weight == weightFull {
			g.Doubts = append(g.Doubts, Finding{r, fmt.Sprintf(format, args...)})
		}
	}
	reach := strings.Replace(fmt.Sprintf("up to %.0f %%", 100*far), "up to +Inf %", "any amount", 1)
	const noisy = "too noisy to rule out that it is worse by %s"
	const beyond = "%d of %d new samples lie far beyond %s old ones (from %s to %s, not from %s to %s), the median is %s: measure again"
	which := "all"
	if (r.Better > 0 || r.Old.Max >= r.New.Max) && (r.Better < 0 || r.Old.Min <= r.New.Min) {
		which = "most"
	}
	stood := (r.Old.Min == 0 || r.New.Min == 0) && !r.constant() // a clock or a counter
	bursts, show := r.bursts(p.Threshold), func(v float64) string { return Show(v, r.Series.Unit) }
	switch {
	case r.weight == weightNone:
	case r.weight == weightDoubts:
		g.setup(r, p, least)
	case r.Exact && !r.earned() && leastP(r.Old.N, r.New.N) >= p.Alpha && r.Old.Center == r.New.Center:
		doubt("varies from %.12g to %.12g, and so few samples prove nothing: measure with -count 6 -benchtime 100x", min(r.Old.Min, r.New.Min), max(r.Old.Max, r.New.Max))
	case r.Exact && !r.earned() && leastP(r.Old.N, r.New.N) >= p.Alpha:
		doubt("changed from %.12g to %.12g, which so few samples do not prove: measure with -count 6 -benchtime 100x", r.Old.Center, r.New.Center)
	case r.strayed() && (r.Exact || p.Threshold <= 0.05 || r.raise > p.Threshold) && (r.Better == 0 || r.Q >= p.Alpha || change <= least || near <= p.Threshold):
		doubt("%d of %d new samples lie beyond all old ones (from %.12g to %.12g, not from %.12g to %.12g): something happens now and then, measure again", r.strays, r.New.N, r.New.Min, r.New.Max, r.Old.Min, r.Old.Max)
	case r.Better == 0 && bursts && (r.Q >= p.Alpha || math.Abs(r.Delta) <= least):
		doubt(beyond, r.beyond, r.New.N, which, show(r.New.Min), show(r.New.Max), show(r.Old.Min), show(r.Old.Max), r.moved())
	case r.Better == 0:
		const unknown = ", but whether more is better is unknown: print a line \"Unit %s better=higher\" (or lower)"
		if (r.Q < p.Alpha || (r.Exact || leastP(r.Old.N, r.New.N) >= p.Alpha) && !r.constant()) && !(math.Abs(r.Delta) <= least) {
			doubt("went %s"+unknown, r.moved(), r.Series.Unit)
		} else if r.Q < p.Alpha && math.Abs(r.Delta) > p.Threshold {
			doubt("went %s, not beyond the noise floor of %.1f %%"+unknown, r.moved(), 100*p.Noise[r.Series], r.Series.Unit)
		} else if r.Q < p.Alpha && !r.constant() {
			g.Notes = append(g.Notes, Finding{r, fmt.Sprintf("went %s"+unknown, r.moved(), r.Series.Unit)})
		} else if r.mayHalve() {
			doubt("too noisy to rule out that it halved or doubled (the median went %s)"+unknown, r.moved(), r.Series.Unit)
		}
	case r.Q < p.Alpha && change > least && near > p.Threshold:
		why := fmt.Sprintf("worse: %s, at least by %.1f %% (%s, q=%.2g, limit %.1f %%)", r.moved(), 100*near, r.Test, r.Q, 100*least)
		g.Failures = append(g.Failures, Finding{r, strings.Replace(why, ", at least by +Inf %", "", 1)}) // from zero
	case stood && (strings.HasSuffix(r.Series.Unit, "sec/op") || strings.HasSuffix(r.Series.Unit, "/s")):
		doubt("a time or a rate of 0 is no measurement: old from %.4g to %.4g, new from %.4g to %.4g", r.Old.Min, r.Old.Max, r.New.Min, r.New.Max)
	case strings.HasSuffix(r.Series.Unit, "sec/op") && r.New.Min < shortest && r.Old.Min >= shortest:
		doubt("an operation takes %s, which is no time: its benchmark ends before its work", show(r.New.Min))
	case bursts && (!r.Series.timed() || far <= blind*p.Threshold || r.Verdict == Better): // else it is in doubt without them
		doubt(beyond, r.beyond, r.New.N, which, show(r.New.Min), show(r.New.Max), show(r.Old.Min), show(r.Old.Max), r.moved())
	case r.Verdict == Better:
		g.Notes = append(g.Notes, Finding{r, "better: " + r.moved()})
	case r.constant() && !tooFew(r, p):
	case leastP(r.Old.N, r.New.N) >= p.Alpha:
		doubt("%d and %d samples cannot show a change at level %g", r.Old.N, r.New.N, p.Alpha)
	case change > least && r.P < 0.05 && r.weight == weightFails:
		g.Notes = append(g.Notes, Finding{r, fmt.Sprintf("looks worse: %s (q=%.2g, limit %.1f %%), at least by %.1f %%; its processor time decides", r.moved(), r.Q, 100*least, 100*near)})
	case change > least && r.P <= 1.001*leastP(r.Old.N, r.New.N):
		doubt("looks worse: %s (q=%.2g, limit %.1f %%), which %d and %d samples cannot prove among so many series: measure with more, such as -count 10", r.moved(), r.Q, 100*least, r.Old.N, r.New.N)
	case change > least && (r.P < 0.05 || r.weight == weightFull && (r.Exact || r.Series.timed())), r.Exact && r.earned() && change > 0:
		doubt("looks worse: %s (q=%.2g, limit %.1f %%), but the samples do not prove it: measure again", r.moved(), r.Q, 100*least)
	case r.Q < p.Alpha && r.Verdict == Worse && change <= least:
		const within = "worse: %s (q=%.2g), but not beyond the limit of %.1f %%"
		if far > math.Max(least, blind*p.Threshold) || r.Series.timed() && far > blind*p.Threshold {
			doubt(within+", below which the noise floor hides a change; it may be %s, and a pass rules out %.3g %%", r.moved(), r.Q, 100*least, reach, 100*blind*p.Threshold)
		} else {
			g.Notes = append(g.Notes, Finding{r, fmt.Sprintf(within, r.moved(), r.Q, 100*least)})
		}
	case r.Series.timed() && r.weight == weightFull && far > blind*p.Threshold:
		doubt(noisy+"; a pass rules out %.3g %%", reach, 100*blind*p.Threshold)
	case r.mayHalve():
		doubt(noisy+"; a pass rules out that a rate halves or a cost doubles", reach)
	case r.Verdict == Inconclusive && far > least && r.weight == weightFull:
		g.Notes = append(g.Notes, Finding{r, fmt.Sprintf(noisy, reach)})
	}
}

// setup judges what is done outside of the timed part: that it got longer is a doubt, and so is
// that it may have.
func (g *Gate) setup(r *Row, p Policy, least float64) {
	change, near := r.forTheWorse()
	switch longest := r.Old.Center * r.farWorse(); { // seconds
	case r.Q < p.Alpha && change > least && near > p.Threshold:
		g.Doubts = append(g.Doubts, Finding{r, fmt.Sprintf("the time outside its timed part is %s, by at least %.1f %% (%s, q=%.2g): the cost of an operation there is not judged", r.moved(), 100*near, r.Test, r.Q)})
	case !r.constant() && math.IsInf(longest, 1):
		g.Doubts = append(g.Doubts, Finding{r, fmt.Sprintf("%d and %d samples cannot show whether the part outside its timed part takes longer", r.Old.N, r.New.N)})
	case !r.constant() && longest > math.Max(blindSetup, blind*p.Threshold*r.Old.Center):
		g.Doubts = append(g.Doubts, Finding{r, fmt.Sprintf("too noisy to rule out that the part outside its timed part takes up to %s longer", Amount(longest, SetupTime))})
	}
}

// worse returns the direction of the ratio of the medians that is for the worse: of amounts
// below zero more is less.
func (r *Row) worse() int {
	if r.Old.Center < 0 {
		return r.Better
	}
	return -r.Better
}

// forTheWorse returns the relative change in the bad direction and the near end of its
// interval; negative for an improvement. From zero to anything else is infinite, and all of
// a rate is lost that fell to zero.
func (r *Row) forTheWorse() (change, near float64) {
	if r.Old.Center == 0 && r.New.Center*float64(-r.Better) > 0 {
		if r.Old.Min == 0 && r.Old.Max == 0 && r.New.Min*r.New.Max > 0 {
			return math.Inf(1), math.Inf(1)
		}
		return math.Inf(1), 0
	}
	if r.Better > 0 && r.Old.Min > 0 && r.New.Min == 0 && r.New.Max == 0 {
		return 1, 1
	}
	if r.worse() < 0 {
		return -r.Delta, 1 - r.RatioHi
	}
	return r.Delta, r.RatioLo - 1
}

// farWorse returns the far end of the interval of the change for the worse.
func (r *Row) farWorse() float64 {
	if r.worse() < 0 {
		return 1 - r.RatioLo
	}
	return r.RatioHi - 1
}

// tooFew reports whether there are too few samples of a time or a rate to tell anything, though they
// may be equal by chance, or since few digits were printed.
func tooFew(r *Row, p Policy) bool {
	return r.Paired() && !r.Exact && (r.Series.timed() || strings.HasSuffix(r.Series.Unit, "/s") && r.Better != 0) && leastP(r.Old.N, r.New.N) >= p.Alpha
}

// mayHalve reports whether a number other than a time of an operation may be half as good, as a rate that
// halves or a cost that doubles; of no direction, half or twice as much. Where a value is zero, no
// interval tells; less than a kibibyte is what the runtime takes now and then, and one allocation.
func (r *Row) mayHalve() bool {
	if r.Series.timed() || r.Exact && r.New.Max-r.Old.Min <= 1 || r.RatioLo <= 0 || ofBytes(r.Series.Unit) && r.New.Max < 1024 {
		return false
	}
	return r.worse() >= 0 && r.RatioHi >= 2 || r.worse() <= 0 && r.RatioLo <= 0.5
}

// constant reports whether each side holds one value only, both the same.
func (r *Row) constant() bool {
	return r.Old.Min == r.Old.Max && r.New.Min == r.New.Max && r.Old.Min == r.New.Min
}

// NoiseFloor measures noise: the relative change of each series between two
// runs of the same code. Half the width of the ratio's interval is not added:
// the interval of the comparison itself already allows for it.
func NoiseFloor(one, other *Run) map[Series]float64 {
	floor := map[Series]float64{}
	for _, r := range Compare(one, other, Options{}).Rows {
		if r.Paired() && !math.IsNaN(r.Delta) {
			floor[r.Series] = math.Abs(r.Delta)
		}
	}
	return floor
}

// DoubtNoise adds doubts of the second measurement of the old code, which is the noise floor: that
// it is incomplete, or lacks times that are compared.
func (g *Gate) DoubtNoise(c *Comparison, noise *Run) {
	say := func(what string) {
		g.Add(c, nil, []Finding{{&Row{Series: Series{Pkg: noise.Name}, Delta: math.NaN(), P: math.NaN(), Q: math.NaN()}, "--noise: " + what}})
	}
	if all := noise.Incomplete(); len(all) > 0 {
		say(all[0])
	}
	lacks := 0
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Paired() && r.Series.timed() && len(noise.Values[r.Series]) == 0 {
			lacks++
		}
	}
	if lacks > 0 {
		say(fmt.Sprintf("%d times that are compared are not in it, and have no noise floor", lacks))
	}
}

// String returns the outcome as reports print it.
func (o Outcome) String() string {
	if o == Undecided {
		return undecided
	}
	return string(o)
}

// Exit returns the exit code of the outcome.
func (o Outcome) Exit() int {
	switch o {
	case Pass:
		return 0
	case Regression:
		return 1
	case Undecided:
		return 3
	}
	return 4
}

// mostTold is how many findings of a kind people read: beyond, there are too many for a log.
const mostTold = 200

// WriteText writes the gate for people.
func (g Gate) WriteText(w io.Writer, c *Comparison) error {
	var b strings.Builder
	for _, part := range g.parts() {
		for _, f := range part.list[:min(len(part.list), mostTold)] {
			fmt.Fprintf(&b, "%s %s\n", part.label, f)
		}
		if more := len(part.list) - mostTold; more > 0 {
			fmt.Fprintf(&b, "%s and %s more %s: --json tells all\n", part.label, numeral.Count(int64(more)), part.what)
		}
	}
	for _, warning := range c.Warnings[:min(len(c.Warnings), mostNamed)] {
		b.WriteString("warning: " + warning + "\n")
	}
	if more := len(c.Warnings) - mostNamed; more > 0 {
		fmt.Fprintf(&b, "warning: and %s more warnings\n", numeral.Count(int64(more)))
	}
	for _, text := range g.whys(c) {
		b.WriteString("\n" + text)
	}
	if power := g.Power.String(); power != "" {
		b.WriteString("\n" + power + "\n")
	}
	_, err := io.WriteString(w, b.String()+g.last(c)+g.Bisect.line())
	return err
}

// last returns the sentence with which a gate ends.
func (g Gate) last(c *Comparison) string {
	return fmt.Sprintf("\ngate: %s (%d series compared, %d failed, %d in doubt)\n", g.Outcome, c.Paired, len(g.Failures), len(g.Doubts))
}

// findingsPart is the findings of one kind.
type findingsPart struct {
	label, what string // before each of them, and of all together
	list        []Finding
}

// parts returns the findings by how much they matter.
func (g Gate) parts() []findingsPart {
	return []findingsPart{{"FAIL", "failed", g.Failures}, {"doubt", "in doubt", g.Doubts}, {"note", "to note", g.Notes}}
}

// ReadGateReport reads the JSON of a gate; name is where it comes from, for
// errors.
func ReadGateReport(in io.Reader, name string) (r GateReport, err error) {
	text, err := readAll(in, name)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return r, fmt.Errorf("%s: expected the JSON of a gate: %w", name, err)
	}
	switch r.Verdict {
	case Pass, Regression, Undecided, NothingToDo:
		return r, nil
	case "":
		return r, fmt.Errorf("%s: expected the JSON of a gate, got one without a verdict", name)
	}
	return r, fmt.Errorf("%s: verdict: expected %s, %s, %s or %s, got %q", name, Pass, Regression, string(Undecided), NothingToDo, string(r.Verdict))
}

// Add adds findings that no series of the comparison shows, such as benchmarks that could not
// be measured on one side.
func (g *Gate) Add(c *Comparison, failures, doubts []Finding) {
	g.Failures, g.Doubts = append(g.Failures, failures...), append(g.Doubts, doubts...)
	g.settle(c)
}
