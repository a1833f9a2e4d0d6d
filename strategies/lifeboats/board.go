package lifeboats

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

// draw returns the picture.
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

// berth returns where a boat with so many steps to go lies.
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

// crewShape is the token of each player's crew: players differ in shape as in
// colour.
var crewShape = [lifeboats.MaxPlayers]string{
	"M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0z",
	"M-8-8h16v16h-16z",
	"M0-10.5l10.5 18.5h-21z",
	"M0-11l11 11-11 11-11-11z",
	"M0-10l9.6 7-3.7 11h-11.8l-3.7-11z",
	"M-5-9h10l5 9-5 9h-10l-5-9z",
}

// drawCrew draws a token of a player, of 18 units at scale 1; look adds classes
// to it.
func drawCrew(b *strings.Builder, player int, look string, x, y, scale float64) {
	low := 4
	if player == 2 { // a triangle's middle is low
		low = 6
	}
	fmt.Fprintf(b, `<g class="lb-crew lb-p%d%s" transform="translate(%s %s) scale(%s)"><path d="%s"/><text y="%d">%d</text></g>`,
		player, look, film.Length(x), film.Length(y), film.Length(scale), crewShape[player], low, player)
}

// hull is a boat around the origin, its bow to the right.
const hull = "M-42-22h66q10 8 20 22q-10 14-20 22h-66q-6-22 0-44z"

// seatAt returns where a boat's seats are, in its hull.
func seatAt(seat int) (x, y float64) {
	return float64(-29 + 22*(seat%3)), float64(-10 + 20*(seat/3))
}

// drawBoat draws a boat at x, y: its crew, its empty seats, and those flooded
// at the end.
func drawBoat(b *strings.Builder, p *lifeboats.Position, boat int, look string, x, y float64) {
	it := p.Look(boat)
	fmt.Fprintf(b, `<g class="lb-boat%s" role="img" transform="translate(%s %s)"><title>%s</title><path class="lb-hull" d="%s"/><path class="lb-plank" d="M-43-7h74m-74 14h74"/>`,
		look, film.Length(x), film.Length(y), boatTitle(boat, &it), hull)
	seat := 0
	for q, n := range it.Crew {
		for range n {
			sx, sy := seatAt(seat)
			drawCrew(b, q, "", sx, sy, 1)
			seat++
		}
	}
	for ; seat < lifeboats.Seats; seat++ {
		sx, sy := seatAt(seat)
		if seat < lifeboats.Seats-it.Leaks {
			fmt.Fprintf(b, `<circle class="lb-empty" cx="%s" cy="%s" r="8"/>`, film.Length(sx), film.Length(sy))
			continue
		}
		fmt.Fprintf(b, `<g class="lb-flooded" transform="translate(%s %s)"><rect x="-9" y="-8" width="18" height="16" rx="3"/><path d="M-7-2q2.3-3 4.6 0t4.6 0t4.6 0M-7 4q2.3-3 4.6 0t4.6 0t4.6 0"/></g>`, film.Length(sx), film.Length(sy))
	}
	b.WriteString("</g>")
}

// drawWreck draws what is left of a lost boat.
func drawWreck(b *strings.Builder, boat int, x, y float64) {
	fmt.Fprintf(b, `<g class="lb-wreck" role="img" transform="translate(%s %s)"><title>boat %d, lost</title><path class="lb-hull" d="M-34 12q6-30 28-34q16-2 40 20q-6 10-12 14z"/><path class="lb-plank" d="M-22-4l40 12m-32-22l40 12"/><path class="lb-swell" d="M-42 12q7-6 14 0t14 0t14 0t14 0t14 0t14 0v10h-84z"/></g>`,
		film.Length(x), film.Length(y), boat)
}

// boatTitle reports what is aboard.
func boatTitle(boat int, look *lifeboats.Boat) string {
	var crew []string
	for q, n := range look.Crew {
		if n > 0 {
			crew = append(crew, fmt.Sprintf("%d of seat %d", n, q))
		}
	}
	aboard := "nobody"
	if len(crew) > 0 {
		aboard = strings.Join(crew, ", ")
	}
	if look.State == lifeboats.Home {
		return fmt.Sprintf("boat %d, home: %s aboard", boat, aboard)
	}
	return fmt.Sprintf("boat %d, %s to go, %s flooded: %s aboard", boat, film.Plural(look.Steps, "step"), film.Plural(look.Leaks, "seat"), aboard)
}

// Columns of the table of players.
const (
	nameAt  = 34
	savedAt = 206
	seaAt   = 250
	lostAt  = 294
	voteAt  = 322
)

// hat is the start player's, who breaks ties.
const hat = "M-8-1q-5-8 8-9q13 1 8 9zM-8 1h16q1 6-8 5q-9 1-8-5z"

// drawTable draws a line for each player: crew saved, afloat and lost, the vote
// or the result.
func (s *lifeboatsScene) drawTable(b *strings.Builder) {
	last := "vote"
	switch {
	case s.ended != nil:
		last = "share of the win"
	case s.vote == nil:
		last = ""
	case s.vote.Position.Phase == lifeboats.Expel:
		last = "votes to put off"
	}
	for _, h := range []struct {
		x     int
		words string
	}{{savedAt, "saved"}, {seaAt, "at sea"}, {lostAt, "lost"}} {
		fmt.Fprintf(b, `<text class="lb-axis" x="%d" y="14">%s</text>`, h.x, h.words)
	}
	fmt.Fprintf(b, `<text class="lb-axis lb-left" x="%d" y="14">%s</text>`, voteAt, last)
	for q := range s.p.Players {
		fmt.Fprintf(b, `<g transform="translate(0 %d)">`, 20+q*tableRow)
		s.drawPlayer(b, q)
		b.WriteString("</g>")
	}
}

func (s *lifeboatsScene) drawPlayer(b *strings.Builder, q int) {
	class := "lb-row"
	expelled := s.vote != nil && s.vote.Position.Phase == lifeboats.Expel && s.vote.Winner == q
	if expelled || s.ended != nil && s.ended.Scores[q] > 0 {
		class += " lb-won"
	}
	fmt.Fprintf(b, `<rect class="%s" x="1" y="1" width="%d" height="%d" rx="5"/>`, class, seaWidth-2, tableRow-2)
	drawCrew(b, q, "", 16, tableRow/2, 1)
	x := nameAt
	if s.captain == q {
		fmt.Fprintf(b, `<path class="lb-hat" transform="translate(%d 14)" d="%s"><title>start player</title></path>`, nameAt+9, hat)
		x += 24
	}
	name := []rune(s.names[q])
	if most := (savedAt - 22 - x) / 8; len(name) > most {
		name = append(name[:most-1], '…')
	}
	fmt.Fprintf(b, `<text class="lb-name" x="%d" y="18">%s</text>`, x, html.EscapeString(string(name)))
	atSea := s.p.At[1][q] + s.p.At[2][q] + s.p.At[3][q]
	for _, n := range []struct {
		x     int
		class string
		count float64
	}{{savedAt, " lb-saved", s.p.Saved[q]}, {seaAt, "", atSea}, {lostAt, " lb-lost", lifeboats.Crew - s.p.Saved[q] - atSea}} {
		fmt.Fprintf(b, `<text class="lb-count%s" x="%d" y="18">%g</text>`, n.class, n.x, n.count)
	}
	s.drawVote(b, q)
}

// drawVote draws what a player voted for, who voted to put its crew off, or
// what it won.
func (s *lifeboatsScene) drawVote(b *strings.Builder, q int) {
	switch v := s.vote; {
	case s.ended != nil:
		share := "nothing"
		switch won := s.ended.Scores[q]; {
		case s.ended.Fault == q:
			share = "broke the rules"
		case won == s.ended.Scale:
			share = "wins"
		case won > 0:
			share = fmt.Sprintf("1/%d of the win", s.ended.Scale/won)
		}
		fmt.Fprintf(b, `<text class="lb-name" x="%d" y="18">%s</text>`, voteAt, share)
	case v == nil:
	case v.Position.Phase != lifeboats.Expel:
		fmt.Fprintf(b, `<text class="lb-name" x="%d" y="18">boat %d</text>`, voteAt, v.Choice[q])
	case !v.Position.Options().Has(q):
		fmt.Fprintf(b, `<text class="lb-note" x="%d" y="18">not aboard</text>`, voteAt)
	default:
		x := voteAt + 8 // at most six votes are cast: three pairs or six single ones fit
		for seat := range s.p.Players {
			if int(v.Choice[seat]) != q {
				continue
			}
			drawCrew(b, seat, "", float64(x), tableRow/2, 0.85)
			if v.Weight[seat] > 1 {
				fmt.Fprintf(b, `<text class="lb-times" x="%d" y="18">×%d</text>`, x+9, v.Weight[seat])
				x += 21
			}
			x += 22
		}
		if x == voteAt+8 {
			fmt.Fprintf(b, `<text class="lb-note" x="%d" y="18">no vote</text>`, voteAt)
		}
	}
}
