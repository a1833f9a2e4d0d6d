package film

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Scene is how a game is shown: what it brings for those who look at it, beside
// its rules and players.
type Scene struct {
	// Draw makes the drawer of one game; seats are the entrants' names by seat. If it is
	// nil the game is shown as lines of text.
	Draw func(rs *arena.Ruleset, seats []string, emit Emit) (Drawer, error)
	// Entrants are the players of an example worth watching, one for each seat, repeated if
	// there are fewer; Seed is its seed, decimal. If it is empty the strategies play in
	// turn with seed 1.
	Entrants []string
	Seed     string
	// Measure is what a frame's Standing is a share of, such as "squares of its fleet
	// afloat"; empty where frames have none.
	Measure string
	// Replays, unless nil, is the game's own kind of replay files, which need Draw.
	Replays *Replays
	// Recorded, unless nil, reads a game that the game's own Record has written. It needs
	// Draw.
	Recorded func(text string) (*Replay, error)
}

// Drawer turns the events of one game into frames.
type Drawer interface {
	// See takes the next event of the referee, a value of a type of the game's package, and
	// emits any number of frames for it. It ignores events of types that it does not know.
	// It returns an error of emit at once.
	See(event any) error
}

// Emit takes a frame, whose number it sets.
type Emit func(Frame) error

// Film is one game, frame by frame.
type Film struct {
	Game     string
	Entrants []arena.Entrant // by entrant; entrant e sits in seat (e + Rotation) mod seats
	Rules    param.Values
	Seed     uint64
	Phase    arena.Phase
	Block    int64
	Rotation int
	Frames   []Frame
	// Result is how the game ended; nil where the film was cut before.
	Result *Result
	// Cut says why the film stops before the end of the game; empty if it does not.
	Cut string
}

// Frame is the game after one step.
type Frame struct {
	Step int    // from 0, the beginning
	Seat int    // who has acted, Nobody if that is no seat
	Text string // the step in words, one line, not escaped
	SVG  string // one drawing or several, each an svg element; empty where the game has no drawer
	// Standing is how each seat stands, by seat, from 0 to 1 in the measure that the scene
	// names; nil where it is as before, or the drawer does not say.
	Standing []float64
	// Mark is what stands out at this step, such as "sunk"; empty where nothing does.
	Mark string
}

// Nobody is the seat of events that no seat has caused.
const Nobody = -1

// Result is the end of a game.
type Result struct {
	Digest string // of the transcript, sixteen hexadecimal digits
	Seats  []Seat
	// Run is the game as the arena counts it: one block of one game.
	Run *arena.Run
}

// Seat is what became of one seat.
type Seat struct {
	Entrant int     // index of who sat there
	Score   float64 // share of the game, 0 to 1
	Fault   bool    // made an illegal move
}

// nameLength is the length of the names in captions, letters: entrants spelled out
// may have a thousand.
const nameLength = 48

// SeatNames returns the entrants' names by seat, told apart and cut to a length that
// captions bear.
func SeatNames(entrants []arena.Entrant, rotation int) []string {
	names := make([]string, len(entrants))
	short := slices.Clone(entrants)
	for e := range short {
		short[e].Name = Clip(short[e].Name, nameLength)
	}
	for e, one := range arena.Distinct(short) {
		names[(e+rotation)%len(entrants)] = one.Name
	}
	return names
}

// resultOf reads the result of a run of one game.
func resultOf(run *arena.Run, rotation int) *Result {
	r := &Result{Digest: fmt.Sprintf("%016x", run.Digests[0]), Run: run}
	for seat := range run.Seats {
		v := run.Game(0, 0, seat)
		r.Seats = append(r.Seats, Seat{
			Entrant: (seat - rotation + run.Seats) % run.Seats,
			Score:   float64(v[0]) / float64(arena.Scale(run.Seats)),
			Fault:   v[1] != 0,
		})
	}
	return r
}

// Plural returns a number of things: "1 shot", "2 shots".
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Clip returns a text of at most so many letters.
func Clip(text string, most int) string {
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return text
}

// Grouped returns a decimal number with its digits in threes from five digits on, with the
// thin space between them that pages have.
func Grouped(digits string) string {
	if len(digits) < 5 {
		return digits
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteRune('\u202f')
		}
		b.WriteRune(d)
	}
	return b.String()
}

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

// Length returns a number of a drawing, with at most two decimals.
func Length(x float64) string {
	text := strconv.FormatFloat(x, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
