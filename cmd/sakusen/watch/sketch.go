package watch

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// sketch writes one svg element. Lengths are in units of the drawing, 1/10 of a
// square where there are squares; classes are those of the style sheet.
type sketch struct{ b strings.Builder }

// newSketch begins a drawing of the given size. The label says in words what is
// to be seen; kind is a class beside "board".
func newSketch(kind, label string, width, height float64) *sketch {
	s := &sketch{}
	fmt.Fprintf(&s.b, `<svg class="board %s" viewBox="0 0 %s %s" role="group" aria-label="%s">`, kind, length(width), length(height), html.EscapeString(label))
	return s
}

// String ends the drawing.
func (s *sketch) String() string { return s.b.String() + "</svg>" }

// group draws what belongs together under one title, empty for none.
func (s *sketch) group(class, title string, draw func()) {
	s.open("g", class, title)
	s.b.WriteByte('>')
	s.title(title)
	draw()
	s.b.WriteString("</g>")
}

// rect draws a rectangle.
func (s *sketch) rect(class, title string, x, y, width, height float64) {
	s.open("rect", class, title)
	s.numbers("x", x, "y", y, "width", width, "height", height)
	s.end("rect", title)
}

// circle draws a circle.
func (s *sketch) circle(class, title string, x, y, radius float64) {
	s.open("circle", class, title)
	s.numbers("cx", x, "cy", y, "r", radius)
	s.end("circle", title)
}

// path draws a path, which must come from the program, not from outside.
func (s *sketch) path(class, title, d string) {
	s.open("path", class, title)
	fmt.Fprintf(&s.b, ` d="%s"`, html.EscapeString(d))
	s.end("path", title)
}

// text writes words whose anchor, as the class says, is at x, y.
func (s *sketch) text(class string, x, y float64, words string) {
	s.open("text", class, "")
	s.numbers("x", x, "y", y)
	s.b.WriteString(">" + html.EscapeString(words) + "</text>")
}

func (s *sketch) open(name, class, title string) {
	s.b.WriteString("<" + name)
	if class != "" {
		s.b.WriteString(` class="` + html.EscapeString(class) + `"`)
	}
	if title != "" {
		s.b.WriteString(` role="img"`)
	}
}

func (s *sketch) numbers(pairs ...any) {
	for i := 0; i < len(pairs); i += 2 {
		s.b.WriteString(" " + pairs[i].(string) + `="` + length(pairs[i+1].(float64)) + `"`)
	}
}

func (s *sketch) end(name, title string) {
	if title == "" {
		s.b.WriteString("/>")
		return
	}
	s.b.WriteByte('>')
	s.title(title)
	s.b.WriteString("</" + name + ">")
}

func (s *sketch) title(title string) {
	if title != "" {
		s.b.WriteString("<title>" + html.EscapeString(title) + "</title>")
	}
}

// length is a number of a drawing, with at most two decimals.
func length(x float64) string {
	text := strconv.FormatFloat(x, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
