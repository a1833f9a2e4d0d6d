package web

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// plot draws in SVG, without scripts: classes of style.css give the colours.
type plot struct {
	b              strings.Builder
	x0, x1, y0, y1 float64 // what is shown
}

// The drawing's size and margins, in its own units.
const (
	plotWidth, plotHeight = 640.0, 240.0
	plotLeft, plotBottom  = 56.0, 24.0
	plotEdge              = 8.0
)

// tick is an axis' number.
func tick(x float64) string {
	if size := math.Abs(x); size >= 999.5 && size < 1e6 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strings.Replace(strings.Replace(fmt.Sprintf("%.3g", x), "e+0", "e", 1), "e+", "e", 1)
}

func (p *plot) x(v float64) float64 {
	return plotLeft + (v-p.x0)/(p.x1-p.x0)*(plotWidth-plotLeft-2*plotEdge) + plotEdge
}

func (p *plot) y(v float64) float64 {
	return plotHeight - plotBottom - (v-p.y0)/(p.y1-p.y0)*(plotHeight-plotBottom-plotEdge)
}

// svg ends the drawing.
func (p *plot) svg() template.HTML { return template.HTML(p.b.String() + "</svg>") }

// span is the least and the greatest of finite numbers, 0 and 1 where there are
// none.
func span(xs []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, x := range xs {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	if lo > hi {
		return 0, 1
	}
	return lo, hi
}
