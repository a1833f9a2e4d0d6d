package scene

import (
	"fmt"
	"strings"

	"sakusen/engines/arena/film"
	"sakusen/engines/lifeboats"
)

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

// seatAt is where a boat's seats are, in its hull.
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

// boatTitle says what is aboard.
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
