package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"sakusen/tuner/numeral"
)

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
	// Strength says for people what the match says, where one was played.
	Strength string `json:"strength,omitempty"`
}

// FindingReport is a series and what is the matter with it, in JSON.
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

// Exit is the exit code of the outcome.
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

// Report is the gate in the form of its JSON.
func (g Gate) Report(c *Comparison) GateReport {
	r := GateReport{
		Verdict: g.Outcome, Exit: g.Outcome.Exit(), Paired: c.Paired, Warnings: c.Warnings,
		Failures: findings(g.Failures), Doubts: findings(g.Doubts), Notes: findings(g.Notes), Why: WriteCauses(g.Causes), Causes: g.Causes,
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
		reports = append(reports, FindingReport{
			r.Series.Name, r.Series.Unit, r.Series.Config(), r.Old.report(), r.New.report(), numeral.Finite(r.Delta), numeral.Finite(r.Q), f.Reason,
		})
	}
	return reports
}

// WriteText writes the gate for people.
func (g Gate) WriteText(w io.Writer, c *Comparison) error {
	return g.write(w, c, "%s %s\n", func(s string) string { return s }, "\n%s")
}

// WriteMarkdown writes the gate as Markdown.
func (g Gate) WriteMarkdown(w io.Writer, c *Comparison) error {
	return g.write(w, c, "- **%s** %s\n", markdown, "\n```text\n%s```\n")
}

func (g Gate) write(w io.Writer, c *Comparison, format string, escape func(string) string, why string) error {
	var b strings.Builder
	for _, part := range []struct {
		label string
		list  []Finding
	}{{"FAIL", g.Failures}, {"doubt", g.Doubts}, {"note", g.Notes}} {
		for _, f := range part.list {
			fmt.Fprintf(&b, format, part.label, escape(f.Row.Series.Title()+": "+f.Reason))
		}
	}
	for _, warning := range c.Warnings {
		fmt.Fprintf(&b, format, "warning:", escape(warning))
	}
	for _, text := range WriteCauses(g.Causes) {
		fmt.Fprintf(&b, why, text)
	}
	fmt.Fprintf(&b, "\ngate: %s (%d series compared, %d failed, %d in doubt)\n", g.Outcome, c.Paired, len(g.Failures), len(g.Doubts))
	_, err := io.WriteString(w, b.String())
	return err
}

// ReadGateReport reads the JSON of a gate; name is where it comes from, for
// errors.
func ReadGateReport(in io.Reader, name string) (r GateReport, err error) {
	const most = 64 << 20 // bytes
	if err := json.NewDecoder(io.LimitReader(in, most)).Decode(&r); err != nil {
		return r, fmt.Errorf("%s: expected the JSON of a gate: %w", name, err)
	}
	if r.Verdict == "" {
		return r, fmt.Errorf("%s: expected the JSON of a gate, got one without a verdict", name)
	}
	return r, nil
}
