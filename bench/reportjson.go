package bench

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"golang.org/x/perf/benchunit"

	"sakusen/engines/plain"
	"sakusen/tuner/numeral"
)

// Report is a comparison in JSON. Values are in base units (sec/op, B/op);
// delta is new/old - 1; undefined numbers are null.
type Report struct {
	Series   []SeriesReport  `json:"series"`
	Geomeans []GeomeanReport `json:"geomeans"`
	Warnings []string        `json:"warnings"`
}

// GeomeanReport is the geometric mean of one package, machine and unit with at least
// two series.
type GeomeanReport struct {
	Unit    string            `json:"unit"`
	Config  map[string]string `json:"config"`
	Old     *float64          `json:"old"` // null unless all centres are above 0
	New     *float64          `json:"new"`
	Delta   *float64          `json:"delta"`      // new/old - 1, of the series that both have
	Printed string            `json:"delta_text"` // as benchstat prints it
	Differs bool              `json:"sets_differ"`
}

// SeriesReport is one series of a [Report].
type SeriesReport struct {
	Name     string            `json:"name"`
	Unit     string            `json:"unit"`
	Config   map[string]string `json:"config"`
	Old      *SideReport       `json:"old"` // null: the series is new
	New      *SideReport       `json:"new"` // null: the series is missing
	Delta    *float64          `json:"delta"`
	P        *float64          `json:"p"`
	Q        *float64          `json:"q"`
	Verdict  Verdict           `json:"verdict"`
	Printed  string            `json:"delta_text"` // as benchstat prints it
	Test     string            `json:"test"`       // as benchstat prints it
	RatioLo  *float64          `json:"ratio_lo"`   // bounds of new/old
	RatioHi  *float64          `json:"ratio_hi"`
	Exact    bool              `json:"exact"`
	Warnings []string          `json:"warnings,omitempty"`
}

// SideReport is one side of a series.
type SideReport struct {
	Center float64  `json:"center"`
	Lo     *float64 `json:"lo"`
	Hi     *float64 `json:"hi"`
	N      int      `json:"n"`
	Range  string   `json:"ci_text"` // as benchstat prints it
}

// Report returns the comparison in the form of its JSON.
func (c *Comparison) Report() Report {
	r := Report{Series: make([]SeriesReport, 0, len(c.Rows)), Geomeans: []GeomeanReport{}, Warnings: c.Warnings}
	if r.Warnings == nil {
		r.Warnings = []string{}
	}
	for i := range c.Rows {
		r.Series = append(r.Series, c.Rows[i].report())
	}
	for _, t := range c.tables() {
		if g, ok := t.summary(); ok {
			r.Geomeans = append(r.Geomeans, GeomeanReport{
				Unit: t.unit, Config: t.where.Config(), Old: numeral.Finite(g.Old), New: numeral.Finite(g.New),
				Delta: numeral.Finite(g.Ratio - 1), Printed: g.printed(), Differs: g.Differs,
			})
		}
	}
	return r
}

func (r *Row) report() SeriesReport {
	s := SeriesReport{
		Name: r.Series.Name, Unit: r.Series.Unit, Config: r.Series.Config(),
		Old: r.Old.report(), New: r.New.report(),
		Delta: numeral.Finite(r.Delta), P: numeral.Finite(r.P), Q: numeral.Finite(r.Q), Verdict: r.Verdict,
		Printed: r.Printed, Test: r.Test, Exact: r.Exact, Warnings: r.Warnings,
	}
	if r.Paired() && !math.IsInf(r.RatioHi, 0) {
		s.RatioLo, s.RatioHi = numeral.Finite(r.RatioLo), numeral.Finite(r.RatioHi)
	}
	return s
}

func (s *Summary) report() *SideReport {
	if s == nil {
		return nil
	}
	return &SideReport{s.Center, numeral.Finite(s.Lo), numeral.Finite(s.Hi), s.N, s.Range}
}

// Config returns what tells the series from others of the same name and unit.
func (s Series) Config() map[string]string {
	m := map[string]string{}
	for key, value := range map[string]string{
		"pkg": s.Pkg, "goos": s.GOOS, "goarch": s.GOARCH, "machine": s.Machine,
	} {
		if value != "" {
			m[key] = value
		}
	}
	return m
}

// WriteJSON writes the comparison as one JSON document.
func (c *Comparison) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(c.Report())
}

// WriteCSV writes the comparison with one line a series. Centres, intervals,
// changes and tests read as those of benchstat -format csv.
func (c *Comparison) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	lines := [][]string{{
		"pkg", "goos", "goarch", "machine", "name", "unit",
		"old", "old_ci", "old_n", "new", "new_ci", "new_n", "delta", "test", "p", "q", "verdict",
	}}
	for i := range c.Rows {
		r := &c.Rows[i]
		s := r.Series
		var line []string
		for _, text := range []string{s.Pkg, s.GOOS, s.GOARCH, s.Machine, s.Name, s.Unit} {
			line = append(line, plain.Cell(text))
		}
		line = append(line, r.Old.cells()...)
		line = append(line, r.New.cells()...)
		line = append(line, r.Printed, r.Test, number(r.P), number(r.Q), string(r.Verdict))
		lines = append(lines, line)
	}
	return out.WriteAll(lines)
}

func (s *Summary) cells() []string {
	if s == nil {
		return []string{"", "", ""}
	}
	return []string{fmt.Sprint(s.Center), s.Range, strconv.Itoa(s.N)}
}

func number(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Show returns a value of a unit for people, scaled: 1.200µ.
func Show(value float64, unit string) string {
	return benchunit.Scale(value, benchunit.ClassOf(unit))
}

// GateReport is a gate in JSON.
type GateReport struct {
	Verdict  Outcome         `json:"verdict"`
	Exit     int             `json:"exit"`
	Failures []FindingReport `json:"failures"`
	Doubts   []FindingReport `json:"doubts"`
	Notes    []FindingReport `json:"notes"`
	Paired   int             `json:"paired"` // series compared
	Warnings []string        `json:"warnings"`
	// Why says in texts for people where what failed comes from, where profiles
	// were taken.
	Why []string `json:"why,omitempty"`
	// Causes are the same, function by function.
	Causes []Cause `json:"causes,omitempty"`
	Power  *Power  `json:"power"`
	// Bisect is the command that finds the commit of the worst failure.
	Bisect *Bisect `json:"bisect,omitempty"`
	// Strength says for people what the match says, where one was played.
	Strength string `json:"strength,omitempty"`
	Match    any    `json:"match,omitempty"` // the JSON of that match
}

// FindingReport is a Finding in JSON.
type FindingReport struct {
	Name   string            `json:"name"`
	Unit   string            `json:"unit"`
	Config map[string]string `json:"config"`
	Old    *SideReport       `json:"old"`
	New    *SideReport       `json:"new"`
	Delta  *float64          `json:"delta"`
	Q      *float64          `json:"q"`
	Reason string            `json:"reason"`
}

// Report returns the gate in the form of its JSON.
func (g Gate) Report(c *Comparison) GateReport {
	r := GateReport{
		Verdict: g.Outcome, Exit: g.Outcome.Exit(), Paired: c.Paired, Warnings: c.Warnings,
		Failures: findings(g.Failures), Doubts: findings(g.Doubts), Notes: findings(g.Notes), Why: g.whys(c), Causes: g.Causes, Power: g.Power, Bisect: g.Bisect,
	}
	if r.Warnings == nil {
		r.Warnings = []string{}
	}
	return r
}

func findings(list []Finding) []FindingReport {
	reports := make([]FindingReport, 0, len(list))
	for _, f := range list {
		r := f.Row
		delta, q := numeral.Finite(r.Delta), numeral.Finite(r.Q)
		if !r.Paired() {
			delta, q = nil, nil
		}
		reports = append(reports, FindingReport{
			r.Series.Name, r.Series.Unit, r.Series.Config(), r.Old.report(), r.New.report(), delta, q, f.Reason,
		})
	}
	return reports
}
