package chart

import (
	"html/template"
	"strings"
)

// figure draws in SVG, without scripts: classes of style.css give the colours.
type figure struct {
	b              strings.Builder
	x0, x1, y0, y1 float64 // what is shown
}

// The drawing's size and margins, in its own units.
const (
	plotWidth, plotHeight = 640.0, 240.0
	plotLeft, plotBottom  = 56.0, 24.0
	plotEdge              = 8.0
)

func (p *figure) x(v float64) float64 {
	return plotLeft + (v-p.x0)/(p.x1-p.x0)*(plotWidth-plotLeft-2*plotEdge) + plotEdge
}

func (p *figure) y(v float64) float64 {
	return plotHeight - plotBottom - (v-p.y0)/(p.y1-p.y0)*(plotHeight-plotBottom-plotEdge)
}

// svg ends the drawing.
func (p *figure) svg() template.HTML { return template.HTML(p.b.String() + "</svg>") }
