package film

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// Sketch writes one svg element. Lengths are in units of the drawing, 1/10 of a
// square where there are squares; classes are those of the style sheet.
type Sketch struct{ b strings.Builder }

// NewSketch begins a drawing of the given size. The label says in words what is
// to be seen; kind is a class beside "board".
func NewSketch(kind, label string, width, height float64) *Sketch {
	s := &Sketch{}
	fmt.Fprintf(&s.b, `<svg class="board %s" viewBox="0 0 %s %s" role="group" aria-label="%s">`, kind, Length(width), Length(height), html.EscapeString(label))
	return s
}

// String ends the drawing.
func (s *Sketch) String() string { return s.b.String() + "</svg>" }

// Group draws what belongs together under one title, empty for none.
func (s *Sketch) Group(class, title string, draw func()) {
	s.open("g", class, title)
	s.b.WriteByte('>')
	s.title(title)
	draw()
	s.b.WriteString("</g>")
}

// Rect draws a rectangle.
func (s *Sketch) Rect(class, title string, x, y, width, height float64) {
	s.open("rect", class, title)
	s.numbers("x", x, "y", y, "width", width, "height", height)
	s.end("rect", title)
}

// Circle draws a circle.
func (s *Sketch) Circle(class, title string, x, y, radius float64) {
	s.open("circle", class, title)
	s.numbers("cx", x, "cy", y, "r", radius)
	s.end("circle", title)
}

// Path draws a path, which must come from the program, not from outside.
func (s *Sketch) Path(class, title, d string) {
	s.open("path", class, title)
	fmt.Fprintf(&s.b, ` d="%s"`, html.EscapeString(d))
	s.end("path", title)
}

// Text writes words whose anchor, as the class says, is at x, y.
func (s *Sketch) Text(class string, x, y float64, words string) {
	s.open("text", class, "")
	s.numbers("x", x, "y", y)
	s.b.WriteString(">" + html.EscapeString(words) + "</text>")
}

func (s *Sketch) open(name, class, title string) {
	s.b.WriteString("<" + name)
	if class != "" {
		s.b.WriteString(` class="` + html.EscapeString(class) + `"`)
	}
	if title != "" {
		s.b.WriteString(` role="img"`)
	}
}

func (s *Sketch) numbers(pairs ...any) {
	for i := 0; i < len(pairs); i += 2 {
		s.b.WriteString(" " + pairs[i].(string) + `="` + Length(pairs[i+1].(float64)) + `"`)
	}
}

func (s *Sketch) end(name, title string) {
	if title == "" {
		s.b.WriteString("/>")
		return
	}
	s.b.WriteByte('>')
	s.title(title)
	s.b.WriteString("</" + name + ">")
}

func (s *Sketch) title(title string) {
	if title != "" {
		s.b.WriteString("<title>" + html.EscapeString(title) + "</title>")
	}
}

// Length is a number of a drawing, with at most two decimals.
func Length(x float64) string {
	text := strconv.FormatFloat(x, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
