package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"golang.org/x/perf/benchfmt"

	"sakusen/bench/changepoint"
)

// alarmAfter is the number of runs on the new level before a change is reported as an
// alarm: a few bad runs may be one bad day of the machine.
const alarmAfter = 4

// Change is a change of level in a series' history.
type Change struct {
	changepoint.Point
	// Alarm says that enough runs followed to confirm the change.
	Alarm bool `json:"alarm"`
	// Worse and Better tell its direction, where the unit has one.
	Worse  bool `json:"worse"`
	Better bool `json:"better"`
}

// What reports for people how the level changed: worse, better or changed.
func (c *Change) What() string {
	switch {
	case c.Worse:
		return "worse"
	case c.Better:
		return "better"
	}
	return "changed"
}

// Verdict reports what a change is worth: worse, better or changed, and whether it is
// certain yet.
func (c *Change) Verdict() string {
	if c.Alarm {
		return c.What()
	}
	return "perhaps " + c.What()
}

// Class returns the verdict as a style of pages.
func (c *Change) Class() string {
	switch {
	case c.Worse && c.Alarm:
		return "verdict bad"
	case c.Better:
		return "verdict good"
	}
	return "verdict warn"
}

// Changes finds changes of level in the medians of a series, run by run, from
// index start on: what was before is another story. Indexes count from 0 of the
// whole list. The metadata of units tells which direction is the better one.
func Changes(unit string, units benchfmt.UnitMetadataMap, medians []float64, start int, o changepoint.Options) ([]Change, error) {
	points, err := changepoint.Detect(medians[start:], o)
	if err != nil {
		return nil, err
	}
	better := direction(unit, units)
	var changes []Change
	for _, p := range points {
		p.Index += start
		diff := (p.After - p.Before) * float64(better)
		changes = append(changes, Change{p, len(medians)-p.Index >= alarmAfter, diff < 0, diff > 0})
	}
	return changes, nil
}

// Median returns the middle of the values, or the mean of the two in the middle.
func Median(values []float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Sparkline draws values as one line of at most width signs; where there are
// more values than that, the last ones.
func Sparkline(values []float64, width int) string {
	values = values[max(0, len(values)-width):]
	if len(values) == 0 {
		return ""
	}
	signs := []rune("▁▂▃▄▅▆▇█")
	lo, hi := slices.Min(values), slices.Max(values)
	var b strings.Builder
	for _, v := range values {
		at := 0
		if hi > lo {
			at = int((v - lo) / (hi - lo) * float64(len(signs)-1))
		}
		b.WriteRune(signs[at])
	}
	return b.String()
}

// Bar draws a value as a bar between 0 and the largest of its series.
func Bar(value, largest float64, width int) string {
	if largest <= 0 || value <= 0 {
		return ""
	}
	return strings.Repeat("█", max(1, int(value/largest*float64(width)+0.5)))
}

// Cause says in which functions a benchmark lost or gained, by a profile of each
// side; in the form of its JSON.
type Cause struct {
	Pkg  string `json:"pkg" most:"1000"`
	Name string `json:"name" help:"The benchmark's name, as in the output of go test -bench." most:"1000"`
	Kind string `json:"kind" enum:"time,allocated"`
	// Functions are those that matter, who gained most first. A function's part is
	// its own, without what it calls.
	Functions []FunctionPart `json:"functions" help:"The functions whose share changed most, the largest gain first." most:"10"`
	// Files are the profiles of the old side and the new one.
	Files [2]string `json:"files" help:"The names of the profile files: old side, new side." most:"2"`
	// Samples are how many samples the profiles of time have; 0 where that is not known.
	Samples [2]int `json:"samples,omitzero" help:"How many samples each profile has: old side, new side." most:"2"`
	// Equal says that both sides allocate the same, so that no function is to be told.
	Equal bool `json:"equal,omitempty" help:"Whether both sides allocate the same."`
}

// FunctionPart is a function's part in an operation: of its time on the old side for
// time, bytes for what was allocated.
type FunctionPart struct {
	Function string  `json:"function"`
	Old      float64 `json:"old"`
	New      float64 `json:"new"`
}

// The kinds of causes.
const (
	CauseTime      = "time"
	CauseAllocated = "allocated"
)

// Gained returns how much more the function takes on the new side.
func (p FunctionPart) Gained() float64 { return p.New - p.Old }

// mostParts bounds the functions of a cause.
const mostParts = 10

// Telling sorts functions by what they gained and leaves out what does not matter:
// below half a percent of the whole, and where there are too many, what lies in the
// middle.
//
// Of a profile of so many samples, 0 where it counts all, two samples are what matters at least.
func Telling(parts []FunctionPart, samples int) []FunctionPart {
	stable(parts, func(x, y *FunctionPart) int { return cmp.Compare(y.Gained(), x.Gained()) })
	total := 0.0
	for _, p := range parts {
		total += p.Old
	}
	least := 0.005
	if samples > 0 {
		least = max(least, 2/float64(samples))
	}
	parts = slices.DeleteFunc(parts, func(p FunctionPart) bool { d := p.Gained(); return max(d, -d) <= least*total || d == 0 })
	if len(parts) > mostParts {
		parts = slices.Concat(parts[:mostParts-3], parts[len(parts)-3:])
	}
	return parts
}

// Unit returns what the numbers are, for people.
func (c Cause) Unit() string {
	if c.Kind == CauseAllocated {
		return "B/op"
	}
	return "of the old time"
}

// Show returns a number of the cause for people; sign is + for a difference.
func (c Cause) Show(v float64, sign string) string {
	if c.Kind == CauseAllocated {
		return fmt.Sprintf("%"+sign+".1f", v)
	}
	if n := min(c.Samples[0], c.Samples[1]); n > 0 && n < 1000 { // a tenth of a per cent is less than one
		return fmt.Sprintf("%"+sign+".0f %%", 100*v)
	}
	return fmt.Sprintf("%"+sign+".1f %%", 100*v)
}

// Check returns an error that says what is wrong with a cause that comes from elsewhere.
func (c Cause) Check() error {
	long := func(text string, most int) bool {
		return len(text) > most || !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
	}
	switch {
	case c.Kind != CauseTime && c.Kind != CauseAllocated:
		return fmt.Errorf("kind: expected time or allocated, got %.40q", c.Kind)
	case c.Name == "" || long(c.Name, 1000) || long(c.Pkg, 1000):
		return fmt.Errorf("name, pkg: expected a benchmark and its package, got %.40q, %.40q", c.Name, c.Pkg)
	case long(c.Files[0], 4000) || long(c.Files[1], 4000):
		return fmt.Errorf("files: expected two paths")
	case len(c.Functions) > mostParts:
		return fmt.Errorf("functions: expected at most %d, got %d", mostParts, len(c.Functions))
	}
	for _, p := range c.Functions {
		if p.Function == "" || long(p.Function, 4000) {
			return fmt.Errorf("functions: expected a name in one line, got %.40q", p.Function)
		}
	}
	return nil
}

// whys returns for people what was measured of each benchmark that was profiled and failed, and its
// causes.
func (g Gate) whys(c *Comparison) []string {
	texts := WriteCauses(g.Causes)
	for i, text := range texts {
		title, rest, _ := strings.Cut(text, "\n")
		var b strings.Builder
		for j := range c.Rows {
			r := &c.Rows[j]
			failed := slices.ContainsFunc(g.Failures, func(f Finding) bool { return f.Row.Series == r.Series })
			if failed && r.Paired() && r.Series.benchmark().Title() == title {
				fmt.Fprintf(&b, "%s: old %s; new %s\n", r.Series.Unit, r.Old.spread(r.Series.Unit), r.New.spread(r.Series.Unit))
			}
		}
		texts[i] = title + "\n" + b.String() + rest
	}
	return texts
}

// spread returns a side for people: how many samples, and where they lie.
func (s *Summary) spread(unit string) string {
	return fmt.Sprintf("n %d, least %s, median %s, greatest %s", s.N, Show(s.Min, unit), Show(s.Center, unit), Show(s.Max, unit))
}

// WriteCauses returns the text of each benchmark's causes.
func WriteCauses(list []Cause) []string {
	var texts []string
	for i, c := range list {
		if i == 0 || c.Name != list[i-1].Name || c.Pkg != list[i-1].Pkg {
			texts = append(texts, fmt.Sprintf("%s.%s\n", c.Pkg, c.Name))
		}
		texts[len(texts)-1] += c.text()
	}
	return texts
}

func (c Cause) text() string {
	of := c.Unit()
	if c.Samples != [2]int{} {
		of += fmt.Sprintf(" (profiles of %d and %d samples)", c.Samples[0], c.Samples[1])
	}
	switch {
	case c.Equal:
		return c.Kind + ": equal on both sides\n"
	case len(c.Functions) == 0 && c.Kind == CauseTime:
		return c.Kind + ": no function gained more than two samples, " + of + "\n"
	case len(c.Functions) == 0:
		return ""
	}
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "old\tnew\tgained\t  %s, %s\n", c.Kind, of)
	for _, p := range c.Functions {
		fmt.Fprintf(t, "%s\t%s\t%s\t  %s\n", c.Show(p.Old, ""), c.Show(p.New, ""), c.Show(p.Gained(), "+"), p.Function)
	}
	_ = t.Flush() // a builder takes everything
	return b.String()
}
