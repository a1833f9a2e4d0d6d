package scene

import (
	"fmt"
	"html"
	"strings"

	"sakusen/engines/arena/film"
	"sakusen/engines/lifeboats"
)

// Sizes of a drawing of Lifeboats, units of the drawing.
const (
	seaWidth  = 458
	laneHigh  = 58
	laneLeft  = 84 // the boats' numbers and the votes for them
	stepWide  = 92
	seaTop    = 46
	tableRow  = 26
	harbourAt = laneLeft + lifeboats.Distance*stepWide
)

// lifeboatsScene is what one picture of Lifeboats shows.
type lifeboatsScene struct {
	p       *lifeboats.Position
	names   []string // by seat
	round   int      // from 1, 0 before the first
	what    string   // what goes on
	label   string   // what a screen reader says
	vote    *lifeboats.Voted
	captain int // the start player where that breaks ties, else film.Nobody
	marked  int // the boat it is about, or film.Nobody
	moved   bool
	over    []int              // crew put off beside the marked boat, by player
	ended   *lifeboats.Ended   // the result, once there is one
	drowned []lifeboats.Counts // with each boat
}

// draw is the picture.
func (s *lifeboatsScene) draw() string {
	var b strings.Builder
	sea := s.p.Boats * laneHigh
	fmt.Fprintf(&b, `<svg class="board lifeboats" viewBox="0 0 %d %d" role="group" aria-label="%s">`,
		seaWidth, seaTop+sea+34+tableRow*s.p.Players, html.EscapeString(s.label))
	fmt.Fprintf(&b, `<text class="lb-head" x="%d" y="17">%s</text>`, seaWidth/2, html.EscapeString(s.head()))
	if s.vote != nil && s.vote.Position.Phase != lifeboats.Expel {
		fmt.Fprintf(&b, `<text class="lb-axis" x="%d" y="38">votes</text>`, laneLeft/2+11)
	}
	for d := lifeboats.Distance; d >= 0; d-- {
		words := film.Plural(d, "step") + " to go"
		if d == 0 {
			words = "harbour"
		}
		fmt.Fprintf(&b, `<text class="lb-axis" x="%s" y="38">%s</text>`, film.Length(berth(d)), words)
	}
	fmt.Fprintf(&b, `<g transform="translate(0 %d)">`, seaTop)
	s.drawSea(&b, sea)
	for boat := range s.p.Boats {
		fmt.Fprintf(&b, `<g transform="translate(0 %d)">`, boat*laneHigh)
		s.drawLane(&b, boat)
		b.WriteString("</g>")
	}
	fmt.Fprintf(&b, `</g><g transform="translate(0 %d)">`, seaTop+sea+8)
	s.drawTable(&b)
	b.WriteString("</g></svg>")
	return b.String()
}

func (s *lifeboatsScene) head() string {
	if s.round == 0 {
		return s.what
	}
	return fmt.Sprintf("round %d: %s", s.round, s.what)
}

// berth is where a boat with so many steps to go lies.
func berth(steps int) float64 {
	return laneLeft + stepWide*(float64(lifeboats.Distance-steps)+0.5)
}

// drawSea draws the water, its waves, and the harbour with its piers.
func (s *lifeboatsScene) drawSea(b *strings.Builder, high int) {
	fmt.Fprintf(b, `<rect class="lb-sea" x="%d" y="0" width="%d" height="%d" rx="4"/>`, laneLeft, seaWidth-laneLeft, high)
	var waves, shore, piers strings.Builder
	for y := 10; y < high; y += 29 {
		for x := laneLeft + 8 + (y*7)%40; x+30 < harbourAt; x += 74 {
			fmt.Fprintf(&waves, "M%d %dq4-4 8 0t8 0t8 0", x, y)
		}
	}
	fmt.Fprintf(&shore, "M%d 0h-%dq-10 7 0 14", seaWidth, seaWidth-harbourAt-4)
	for y := 14; y < high; y += 22 {
		to := min(22, high-y)
		fmt.Fprintf(&shore, "q%d %d 0 %d", 8-16*((y/22)%2), to/2, to)
	}
	fmt.Fprintf(&shore, "H%dz", seaWidth)
	fmt.Fprintf(b, `<path class="lb-wave" d="%s"/><path class="lb-sand" d="%s"/>`, waves.String(), shore.String())
	for boat := range s.p.Boats {
		fmt.Fprintf(&piers, "M%d %dh%dv5h-%dz", harbourAt-14, boat*laneHigh+laneHigh/2-2, seaWidth-harbourAt+14, seaWidth-harbourAt+14)
	}
	fmt.Fprintf(b, `<path class="lb-pier" d="%s"/>`, piers.String())
	for d := 1; d < lifeboats.Distance; d++ {
		fmt.Fprintf(b, `<path class="lb-buoys" d="M%d 4v%d"/>`, laneLeft+d*stepWide, high-8)
	}
}

// drawLane draws a boat where it lies, the votes for it and what happens to it.
func (s *lifeboatsScene) drawLane(b *strings.Builder, boat int) {
	middle := float64(laneHigh) / 2
	look := ""
	if s.marked == boat {
		look = " lb-marked"
		fmt.Fprintf(b, `<rect class="lb-lane" x="1.5" y="1.5" width="%d" height="%d" rx="6"/>`, seaWidth-3, laneHigh-3)
	}
	fmt.Fprintf(b, `<text class="lb-number" x="13" y="%s">%d</text>`, film.Length(middle+7), boat)
	if v := s.vote; v != nil && v.Position.Phase != lifeboats.Expel {
		s.drawVoters(b, boat, 35, middle-11, 3)
	}
	at := berth(int(s.p.Steps[boat]))
	switch {
	case s.p.Afloat.Has(boat):
	case s.p.Home.Has(boat):
		look += " lb-home"
	default:
		drawWreck(b, boat, at, middle)
		s.drawSwimmers(b, s.drowned[boat], at-28, middle+19)
		return
	}
	if s.moved && s.marked == boat {
		fmt.Fprintf(b, `<path class="lb-wake" d="M%s %sh-40m0-9h34m-34 18h34"/>`, film.Length(at-48), film.Length(middle))
	}
	drawBoat(b, s.p, boat, look, at, middle)
	if s.marked == boat {
		for q, n := range s.over {
			for range n {
				fmt.Fprintf(b, `<path class="lb-splash" d="M%s %sq6-7 12 0t12 0t12 0"/>`, film.Length(at+48), film.Length(middle+8))
				drawCrew(b, q, " lb-over", at+66, middle-2, 1)
			}
		}
	}
}

// drawVoters draws the voters of an option, so many in a row.
func (s *lifeboatsScene) drawVoters(b *strings.Builder, option int, x, y float64, row int) {
	n := 0
	for seat := range s.p.Players {
		if int(s.vote.Choice[seat]) == option {
			drawCrew(b, seat, "", x+float64(18*(n%row)), y+float64(22*(n/row)), 0.9)
			n++
		}
	}
}

// drawSwimmers draws the crew that a boat took down, small.
func (s *lifeboatsScene) drawSwimmers(b *strings.Builder, crew lifeboats.Counts, x, y float64) {
	for q := range s.p.Players {
		for range int(crew[q]) {
			drawCrew(b, q, " lb-over", x, y, 0.6)
			x += 13
		}
	}
}
