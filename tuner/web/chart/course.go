package chart

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"
)

// CourseStep is a step of a game: how each seat stands, from 0 to 1, and what stands out.
type CourseStep struct {
	Standing []float64 // by seat; nil: as before
	Mark     string
	Text     string // of the step
}

// Course draws how the seats of a game stand over its steps, as lines that are told
// apart by their dashes too, with a mark where something stands out. What comes
// after the step seen is behind a clip, which scripts move; at is where the reader is.
func Course(measure string, steps []CourseStep, at, seen int) template.HTML {
	const width, height = 1000.0, 60.0
	seats := 0
	for _, s := range steps {
		seats = max(seats, len(s.Standing))
	}
	if seats == 0 || len(steps) < 2 {
		return ""
	}
	x := func(step int) float64 { return width * float64(step) / float64(len(steps)-1) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="strip" id="strip-svg" viewBox="0 -4 %g %g" preserveAspectRatio="none" role="img" aria-label="%s, step by step" data-steps="%d"><defs><clipPath id="seen"><rect id="seen-to" x="-5" y="-4" width="%.1f" height="%g"/></clipPath></defs><g clip-path="url(#seen)">`,
		width, height+8, template.HTMLEscapeString(measure), len(steps)-1, x(seen)+5, height+8)
	fmt.Fprintf(&b, `<line class="even" x1="0" x2="%[1]g" y1="%[2]s" y2="%[2]s"><title>%.0[3]f %%: equal chances</title></line>`, width, tenth(height*(1-1/float64(seats))), 100/float64(seats))
	for step, s := range steps {
		if s.Mark != "" {
			fmt.Fprintf(&b, `<line class="mark" x1="%[1]s" x2="%[1]s" y1="0" y2="%[2]g"><title>%[3]s</title></line>`, tenth(x(step)), height, template.HTMLEscapeString(s.Text))
		}
	}
	for seat := range seats {
		fmt.Fprintf(&b, `<path class="s%d" d="`, seat%6)
		was := -1.0
		for step, s := range steps {
			if seat >= len(s.Standing) {
				continue
			}
			y := height * (1 - min(1, max(0, s.Standing[seat])))
			if was < 0 {
				b.WriteString("M" + tenth(x(step)) + "," + tenth(y))
			} else if y != was {
				b.WriteString("H" + tenth(x(step)) + "V" + tenth(y))
			}
			was = y
		}
		if was >= 0 {
			b.WriteString("H" + tenth(width))
		}
		b.WriteString(`"/>`)
	}
	fmt.Fprintf(&b, `</g><line class="cursor" id="cursor" x1="%[1]s" x2="%[1]s" y1="-4" y2="%[2]g"/></svg>`, tenth(x(at)), height+4)
	return template.HTML(b.String()) // numbers, and texts escaped above
}

// tenth is a length with at most one decimal.
func tenth(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}
