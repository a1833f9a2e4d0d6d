package chart

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
)

// Deviation is how far a measured value lies from the printed one, in standard errors of
// the difference.
type Deviation struct {
	Label, Verdict string   // yes, no or undecided
	At             *float64 // nil: not to be drawn
}

// mostDeviation bounds what is drawn, standard errors; what lies beyond stands at the edge.
const mostDeviation = 8

// Deviations draws all rows of an experiment on one scale, with the band within which a
// value agrees. What differs has its number beside it.
func Deviations(rows []Deviation, agreement float64) template.HTML {
	var names []string
	most, drawn := agreement+0.5, 0
	for i, r := range rows {
		names = append(names, strconv.Itoa(i+1))
		if r.At != nil {
			drawn++
			most = max(most, math.Abs(*r.At))
		}
	}
	if drawn < fewPoints {
		return ""
	}
	most = min(most, mostDeviation)
	p := sizedChart("differences in standard errors", axis{name: "row of the table", names: names}, axis{name: "standard errors", low: -most, top: most, wide: true}, seriesWidth, chartHeight)
	p.add(`<rect class="band" x="%g" width="%g" y="%.1f" height="%.1f"/>`, p.left, p.width-p.left-chartRight, p.py(agreement), p.py(-agreement)-p.py(agreement))
	p.add(`<line class="base" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/>`, p.left, p.width-chartRight, p.py(0), p.py(0))
	for i, r := range rows {
		if r.At == nil {
			continue
		}
		class := map[string]string{"yes": "dot", "no": "apart"}[r.Verdict]
		if class == "" {
			class = "hollow"
		}
		at := min(most, max(-most, *r.At))
		p.dot(float64(i), at, class, fmt.Sprintf("%d, %s: %+.1f", i+1, r.Label, *r.At))
		if r.Verdict == "no" {
			p.add(`<text x="%.1f" y="%.1f" class="lab">%d</text>`, p.px(float64(i))+5, p.py(at)+4, i+1)
		}
	}
	return p.svg()
}
