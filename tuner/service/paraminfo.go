package service

import (
	"math"
	"strconv"
	"strings"

	"sakusen/engines/param"
)

// ParamInfo is a declared parameter, of a strategy or of the rules, in JSON.
// What its kind has no use for is null.
type ParamInfo struct {
	Name    string            `json:"name"`
	Kind    string            `json:"kind"` // int, float, bool or choice
	Doc     string            `json:"doc"`
	Default string            `json:"default"` // canonical text
	Low     *float64          `json:"low"`
	High    *float64          `json:"high"`
	Step    *float64          `json:"step"` // at which tuning looks
	Log     bool              `json:"log"`  // tuned on a logarithmic scale
	Choices []string          `json:"choices" null:"true"`
	When    []param.Condition `json:"when"`  // active only while all of these hold
	Tuned   bool              `json:"tuned"` // by a study that names no parameters
}

// describeParams turns declarations into JSON.
func describeParams(params []param.Param) []ParamInfo {
	reports := make([]ParamInfo, 0, len(params))
	for i := range params {
		p := &params[i]
		r := ParamInfo{
			Name: p.Name, Kind: p.Kind.String(), Doc: p.Doc, Default: p.Default,
			Choices: p.Choices, When: append([]param.Condition{}, p.When...), Tuned: !p.Fixed,
		}
		if p.Kind == param.Int || p.Kind == param.Float {
			d := p.Domain
			r.Low, r.High, r.Log = &d.Low, &d.High, d.Log
			if d.Step > 0 {
				r.Step = &d.Step
			}
		}
		reports = append(reports, r)
	}
	return reports
}

// Values says for people which values there are.
func (p ParamInfo) Values() string {
	switch {
	case p.Low != nil:
		text := boundText(*p.Low) + ".." + boundText(*p.High)
		if p.Step != nil {
			text += " step " + strconv.FormatFloat(*p.Step, 'g', -1, 64)
		}
		if p.Log {
			text += " log"
		}
		return text
	case p.Kind == "bool":
		return "true, false"
	}
	return strings.Join(p.Choices, ", ")
}

// Conditions says for people when the parameter is active.
func (p ParamInfo) Conditions() string {
	var texts []string
	for _, c := range p.When {
		texts = append(texts, c.String())
	}
	if len(texts) == 0 {
		return ""
	}
	return "only with " + strings.Join(texts, ", ") + ": "
}

// boundText is an end of a range: with all its digits, and without an exponent where it is
// an integer.
func boundText(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e18 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
