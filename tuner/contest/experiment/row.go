package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"sakusen/tuner/contest"
	"sakusen/tuner/stats"
)

// Row is a printed value beside ours. Intervals are of 95 %, null where they are
// undefined.
type Row struct {
	Label     string         `json:"label"`
	Metric    string         `json:"metric"`
	Printed   Value          `json:"printed"` // null where nothing is printed
	PrintedCI stats.Interval `json:"printed_ci95"`
	Measured  Value          `json:"measured"`
	CI        stats.Interval `json:"ci95"`
	Agrees    *bool          `json:"agrees"` // null: too few games, or nothing printed
	// SingleSided is the same chance of a win estimated from the sides of the
	// games taken singly.
	SingleSided   *Value         `json:"single_sided,omitempty"`
	SingleSidedCI stats.Interval `json:"single_sided_ci95,omitzero"`
	Note          string         `json:"note,omitempty"`
}

// Value is a number, a text, other JSON, or nothing: the zero value.
type Value struct{ raw json.RawMessage }

// Number returns a number; undefined it is nothing.
func Number(n stats.Number) Value {
	if !n.Defined {
		return Value{}
	}
	return Value{strconv.AppendFloat(nil, n.Value, 'g', -1, 64)}
}

// Integer returns a whole number.
func Integer(n int64) Value { return Value{strconv.AppendInt(nil, n, 10)} }

// Text returns a text: also counts that may exceed 2^53.
func Text(s string) Value {
	raw, err := json.Marshal(s)
	if err != nil {
		return Value{}
	}
	return Value{raw}
}

// JSON returns a value that is JSON already; what is none becomes a text.
func JSON(text string) Value {
	if !json.Valid([]byte(text)) {
		return Text(text)
	}
	return Value{json.RawMessage(text)}
}

// Nothing reports whether there is no value.
func (v Value) Nothing() bool { return v.raw == nil }

// String returns the value for people.
func (v Value) String() string {
	if v.raw == nil {
		return "-"
	}
	var s string
	if json.Unmarshal(v.raw, &s) == nil {
		return s
	}
	return string(v.raw)
}

// MarshalJSON writes the value, null where there is none.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.raw == nil {
		return []byte("null"), nil
	}
	return v.raw, nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(text []byte) error {
	v.raw = nil
	if string(text) != "null" {
		v.raw = append(json.RawMessage(nil), text...)
	}
	return nil
}

// Verdict returns the verdict on a row as text for people.
func (r *Row) Verdict() string {
	switch {
	case r.Agrees != nil && *r.Agrees:
		return "yes"
	case r.Agrees != nil:
		return "no"
	case r.Printed.Nothing():
		return "not printed"
	}
	return "undecided"
}

// Texts returns the printed and the measured value for people: "52.31 +- 0.31", the
// measured one with a digit more than the printed; an interval that does not lie
// evenly about its value is told by its ends.
func (r *Row) Texts() (printed, measured string) {
	printed, measured = r.Printed.String(), r.Measured.String()
	if r.PrintedCI.Defined() {
		printed += " +- " + strconv.FormatFloat(r.PrintedCI.Half(), 'g', 3, 64)
	}
	if !r.CI.Defined() {
		return printed, measured
	}
	digits := 2
	if _, decimals, ok := strings.Cut(r.Printed.String(), "."); ok {
		digits = len(decimals) + 1
	}
	x, err := strconv.ParseFloat(measured, 64)
	if err != nil {
		return printed, measured
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', digits, 64) }
	lo, hi, half := r.CI.Lo.Value, r.CI.Hi.Value, r.CI.Half()
	if math.Abs((lo+hi)/2-x) > 0.01*half {
		return printed, number(x) + " [" + number(lo) + ", " + number(hi) + "]"
	}
	return printed, number(x) + " +- " + number(half)
}

const (
	deviate99 = 2.58
	// widest is how much wider than the printed interval ours may be.
	widest = 1.5
)

// Printed is a number as a paper prints it.
type Printed struct {
	Text  string
	Value float64
	// Digit is the value of the last printed digit: 0.01 for "52.30".
	Digit float64
	// HalfWidth is half of the printed 95 % interval, 0 where none is printed.
	HalfWidth float64
}

// ParsePrinted reads a decimal number.
func ParsePrinted(text string, halfWidth float64) (Printed, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return Printed{}, fmt.Errorf("printed: expected a decimal number, got %q", text)
	}
	_, decimals, _ := strings.Cut(text, ".")
	return Printed{Text: text, Value: x, Digit: math.Pow10(-len(decimals)), HalfWidth: halfWidth}, nil
}

// Verdict is the outcome of a comparison.
type Verdict int

// The verdicts.
const (
	TooFewGames Verdict = iota
	Agrees
	Differs
)

// compare applies the rule of agreement. Where no interval is printed the
// printed value is taken for exact but for its rounding, and half a digit
// stands for its half-width.
func (p Printed) compare(measured stats.MeanInterval) Verdict {
	if !measured.Mean.Defined || !measured.SE.Defined {
		return TooFewGames
	}
	se := measured.SE.Value
	if stats.Deviate95*se > p.Limit()*(1+1e-12) {
		return TooFewGames
	}
	// A rounding error of decimal fractions must not make a value disagree.
	allowed := deviate99*math.Hypot(se, p.HalfWidth/stats.Deviate95) + p.Digit/2 + 1e-9*p.Digit
	if math.Abs(measured.Mean.Value-p.Value) <= allowed {
		return Agrees
	}
	return Differs
}

// Deviation returns how far a value lies from the printed one beyond half a printed digit,
// in standard errors of the difference; se is that of the value. It agrees up to
// [Agreement]. NaN where both are exact and differ.
func (p Printed) Deviation(value, se float64) float64 {
	d := value - p.Value
	beyond := max(0, math.Abs(d)-p.Digit/2*(1+1e-9))
	if beyond == 0 {
		return 0
	}
	return math.Copysign(beyond, d) / math.Hypot(se, p.HalfWidth/stats.Deviate95)
}

// Agreement is the deviation up to which a value agrees with the printed one.
const Agreement = deviate99

// Limit returns the largest half-width of ours with which anything can be said.
func (p Printed) Limit() float64 {
	if p.HalfWidth == 0 {
		return widest * p.Digit / 2
	}
	return widest * p.HalfWidth
}

// takes reports how many more games a comparison needs, whose error falls with their
// square root.
func (p Printed) takes(m stats.MeanInterval) string {
	if !m.Mean.Defined || !m.SE.Defined {
		return "too few games"
	}
	more := math.Pow(stats.Deviate95*m.SE.Value/p.Limit(), 2)
	return fmt.Sprintf("needs about %s times the games", strconv.FormatFloat(math.Ceil(10*more)/10, 'f', -1, 64))
}

// Stated compares a row with a statement of a paper's text: that the value lies above
// (side 1) or below (side -1) a bound. The row agrees, or does not, if its interval i is
// entirely on one side; else it is undecided.
func Stated(row Row, printed string, i stats.Interval, bound, side float64) Row {
	row.Printed = Text(printed)
	if !i.Defined() {
		return row
	}
	agrees := side*i.Lo.Value > side*bound && side*i.Hi.Value > side*bound
	differs := side*i.Lo.Value < side*bound && side*i.Hi.Value < side*bound
	if agrees || differs {
		row.Agrees = &agrees
	}
	return row
}

// FromFile returns the experiment of a tournament file: its printed values against
// what its games measure.
func FromFile(f *contest.Tournament) Experiment {
	return Experiment{
		Name: f.Name, Doc: f.Doc, Source: f.Source, Games: f.Blocks, Seed: &f.Seed,
		Run: func(ctx context.Context, o Options, add func(Row)) error {
			played := *f
			if o.Seed != nil {
				played.Seed = *o.Seed
			}
			r, err := played.Play(ctx, contest.TournamentOptions{Host: o.Host, Blocks: o.Games, Progress: func(blocks, of, games int64, _ string) {
				if o.Progress != nil {
					o.Progress(blocks, of, games)
				}
			}, Each: func(r *contest.TournamentResult) {
				// A row may be an average over pairings: all of them must have begun.
				if o.Interim != nil && len(r.Played) == len(f.Pairings) {
					o.Interim(func() ([]Row, error) { return rowsOf(r) })
				}
			}})
			if err != nil {
				return err
			}
			rows, err := rowsOf(r)
			for _, row := range rows {
				add(row)
			}
			return err
		},
	}
}

// rowsOf compares every expectation with what was played so far.
func rowsOf(r *contest.TournamentResult) ([]Row, error) {
	var rows []Row
	for _, e := range r.File.Expect {
		row, err := rowOf(r, e)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// rowOf compares an expectation with what was played.
func rowOf(r *contest.TournamentResult, e contest.Expectation) (Row, error) {
	m := r.Measure(e.Metric, e.Label)
	row := Row{Label: e.Label, Metric: e.Metric.Name, Measured: Number(m.Mean), CI: m.CI95}
	if s := r.SingleSided(e.Metric, e.Label); s.Mean.Defined {
		v := Number(s.Mean)
		row.SingleSided, row.SingleSidedCI = &v, s.CI95
	}
	if e.Printed == "" {
		row.Note = e.Note
		return row, nil
	}
	p, err := ParsePrinted(e.Printed, e.HalfWidth)
	if err != nil {
		return row, fmt.Errorf("%s, %s: %w", e.Label, e.Metric.Name, err)
	}
	note := e.Note
	if note == "" {
		note = r.File.Note
	}
	row.compare(p, m, note)
	return row, nil
}

// compare fills in what is printed and the verdict; note is told where the
// values differ.
func (row *Row) compare(p Printed, m stats.MeanInterval, note string) {
	row.Printed = JSON(p.Text)
	if p.HalfWidth > 0 {
		row.PrintedCI = stats.Around(p.Value, p.HalfWidth)
	}
	agrees := false
	switch p.compare(m) {
	case Agrees:
		agrees = true
		row.Agrees = &agrees
	case Differs:
		row.Agrees, row.Note = &agrees, note
	case TooFewGames:
		row.Note = p.takes(m)
	}
}

// Compare returns a row of a printed value and a measured one with an error; note is
// told where they differ.
func Compare(label, metric string, p Printed, m stats.MeanInterval, note string) Row {
	row := Row{Label: label, Metric: metric, Measured: Number(m.Mean), CI: m.CI95}
	row.compare(p, m, note)
	return row
}

// Exact returns a row of a value that is known without error: printed to so many
// digits, it agrees where it rounds to them.
func Exact(label, metric, printed string, measured float64) (Row, error) {
	p, err := ParsePrinted(printed, 0)
	row := Row{Label: label, Metric: metric, Measured: Number(stats.Known(measured))}
	row.compare(p, stats.MeanInterval{Mean: stats.Known(measured), SE: stats.Known(0)}, "")
	return row, err
}
