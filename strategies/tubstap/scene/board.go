package scene

import (
	"fmt"
	"html"
	"strings"

	"sakusen/engines/tubstap"
)

// Sizes of what surrounds a TUBSTAP board, units of the drawing.
const (
	tubRim    = 24  // column and row numbers
	tubHead   = 64  // the head over a board of tubWidth
	tubWidth  = 400 // the narrowest drawing
	tubBorder = 6
)

// tubstapScene is what one picture of TUBSTAP shows.
type tubstapScene struct {
	board   *tubstap.Board
	acted   *tubstap.Acted // what was just done; nil between turns
	terrain string         // of the map, drawn
	names   []string       // of the players
	from    int            // HP of the stronger side at the start, the length of the bars
	over    string         // the result, once there is one
	legend  bool           // below the board
	label   string         // what a screen reader says
}

// draw is the picture.
func (s *tubstapScene) draw() string {
	m := s.board.Map
	columns, rows := m.SizeX-2, m.SizeY-2
	width := columns*tile + tubRim + tubBorder
	full := max(width, tubWidth)
	scale := float64(full) / tubWidth
	head := int(tubHead * scale)
	board := head + tubRim + rows*tile + tubBorder
	legend, high := "", 0
	if s.legend {
		legend, high = legendOf(s.board)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="board tubstap" viewBox="0 0 %d %d" role="group" aria-label="%s">`,
		full, board+int(float64(high)*scale), html.EscapeString(s.label))
	fmt.Fprintf(&b, `<g transform="scale(%.3f)">`, scale)
	s.drawHead(&b)
	b.WriteString("</g>")
	left := (full-width)/2 + tubRim
	fmt.Fprintf(&b, `<g transform="translate(%d %d)"><rect class="tb-frame" x="-2" y="-2" width="%d" height="%d" rx="3"/>`,
		left, head+tubRim, columns*tile+4, rows*tile+4)
	for x := range columns {
		fmt.Fprintf(&b, `<text class="tb-rim" x="%d" y="-7">%d</text>`, x*tile+tile/2, x+1)
	}
	for y := range rows {
		fmt.Fprintf(&b, `<text class="tb-rim" x="-13" y="%d">%d</text>`, y*tile+tile/2+5, y+1)
	}
	b.WriteString(s.terrain)
	s.drawUnits(&b)
	b.WriteString("</g>")
	if s.legend {
		fmt.Fprintf(&b, `<g transform="translate(0 %d) scale(%.3f)">%s</g>`, board+4, scale, legend)
	}
	b.WriteString("</svg>")
	return b.String()
}

// drawUnits draws the way of the unit that acted, all units, and its attack.
func (s *tubstapScene) drawUnits(b *strings.Builder) {
	if s.acted != nil {
		drawWalk(b, s.acted)
	}
	for id, u := range s.board.Units {
		switch {
		case u.Alive():
			look := ""
			if s.acted != nil && s.acted.Step.Unit == id {
				look = " tb-now"
			}
			drawUnit(b, s.board.Map, id, u, look)
		case s.acted != nil && (s.acted.Step.Target == id || s.acted.Step.Unit == id):
			drawFallen(b, u)
		}
	}
	if s.acted != nil {
		drawAttack(b, s.acted)
	}
}

// drawHead draws the turn, whose it is, and the HP of both sides as bars.
func (s *tubstapScene) drawHead(b *strings.Builder) {
	turn := fmt.Sprintf("turn %d of %d", min(s.board.Counter+1, s.board.Map.TurnLimit), s.board.Map.TurnLimit)
	if s.over != "" {
		turn = s.over
	}
	fmt.Fprintf(b, `<text class="tb-turn" x="200" y="16">%s</text>`, html.EscapeString(turn))
	for _, t := range []tubstap.Team{tubstap.Red, tubstap.Blue} {
		hp := s.board.HP(t)
		bar := 0
		if s.from > 0 {
			bar = min(120, 120*hp/s.from)
		}
		x, barX, nameX, textX, anchor := 18, 38, 38, 162, "tb-left"
		if t == tubstap.Blue {
			x, barX, nameX, textX, anchor = 382, 362-bar, 362, 238, "tb-right"
		}
		fmt.Fprintf(b, `<g class="tb-%s"><use class="tb-plate" href="#tb-s%d" transform="translate(%d 40) scale(.75)"/>`, t, t, x)
		if s.over == "" && s.board.Mover == t {
			d := "M-5-6l9 6-9 6z"
			if t == tubstap.Blue {
				d = "M5-6l-9 6 9 6z"
			}
			fmt.Fprintf(b, `<path class="tb-mover" transform="translate(%d 40)" d="%s"><title>%s to move</title></path>`, x, d, t)
		}
		fmt.Fprintf(b, `<text class="tb-name %s" x="%d" y="35">%s</text>`, anchor, nameX, html.EscapeString(s.caption(t)))
		back := 38
		if t == tubstap.Blue {
			back = 242
		}
		fmt.Fprintf(b, `<rect class="tb-trough" x="%d" y="41" width="120" height="11" rx="3"/>`, back)
		if bar > 0 {
			fmt.Fprintf(b, `<rect class="tb-bar" x="%d" y="41" width="%d" height="11" rx="3"/>`, barX, bar)
		}
		fmt.Fprintf(b, `<text class="tb-sum %s" x="%d" y="51">%d</text></g>`, anchor, textX, hp)
	}
	b.WriteString(`<text class="tb-unit" x="200" y="51">HP</text>`)
}

// caption is a side's name and player.
func (s *tubstapScene) caption(t tubstap.Team) string {
	name := []rune(s.names[t])
	if len(name) > 16 {
		name = append(name[:15], '…')
	}
	if len(name) == 0 {
		return t.String()
	}
	return t.String() + ": " + string(name)
}
