// Scene draws TUBSTAP: the map with its terrain and units after every
// action, the way of the unit that acted and what it hit. It also opens TUBSTAP's
// replay files (.sgf). Films are made of it (engines/arena/film).

package tubstap

import (
	"fmt"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/film"
	"sakusen/engines/tubstap"
	"sakusen/engines/tubstap/rollout"
)

// Scene returns how the game is shown.
func Scene() film.Scene {
	return film.Scene{
		Draw: newTubstap, Measure: fmt.Sprintf("expected share of the point after each turn, by %d games played on at random", playouts), Entrants: []string{"muct(simulations=200)", "single"}, Seed: "1",
		Replays: &film.Replays{Doc: "A replay file (.sgf)", Options: []string{"antiair_infantry"}, Open: openReplay},
	}
}

// tubstapGame draws a game of TUBSTAP: the board after every action.
type tubstapGame struct {
	names   []string // by seat: Red, Blue
	emit    film.Emit
	from    int // HP of the stronger side at the start, points
	odds    odds
	terrain string // of the map, drawn
}

func newTubstap(rs *arena.Ruleset, seats []string, emit film.Emit) (film.Drawer, error) {
	g := &tubstapGame{names: seats, emit: emit}
	if rs != nil {
		g.odds.options.AntiAirInfantry, _ = rs.Rules.Get("antiair_infantry")
	}
	return g, nil
}

// See implements film.Drawer.
func (g *tubstapGame) See(event any) error {
	scene := tubstapScene{names: g.names}
	seat, text := film.Nobody, ""
	switch e := event.(type) {
	case tubstap.Began:
		scene.board = &e.Board
		g.from = max(e.Board.HP(tubstap.Red), e.Board.HP(tubstap.Blue))
		g.terrain = drawTerrain(e.Board.Map)
		scene.legend, text = true, tellBegan(&e)
	case tubstap.Acted:
		scene.board, scene.acted = &e.Board, &e
		seat, text = int(e.Board.Units[e.Step.Unit].Team), tellActed(&e)
	case tubstap.TurnEnded:
		scene.board = &e.Board
		seat, text = int(e.Team), tellTurnEnded(&e)
	case tubstap.Refused:
		scene.board, scene.over = &e.Board, e.Team.Other().String()+" wins"
		seat, text = int(e.Team), fmt.Sprintf("%s loses by an action against the rules: %s.", side(e.Team), e.Reason)
	case tubstap.Ended:
		scene.board, scene.over = &e.Board, "draw"
		if e.Winner != tubstap.Nobody {
			scene.over = e.Winner.String() + " wins"
			seat = int(e.Winner)
		}
		text = tellEnded(&e)
	default:
		return nil
	}
	scene.from, scene.terrain, scene.label = g.from, g.terrain, text
	f := film.Frame{Seat: seat, Text: text, SVG: scene.draw()}
	if a := scene.acted; a != nil && a.Step.Target != tubstap.NoUnit && !(a.Board.Units[a.Step.Target].Alive() && a.Board.Units[a.Step.Unit].Alive()) {
		f.Mark = "destroyed"
	}
	f.Standing = g.odds.after(event)
	return g.emit(f)
}

// side returns a side's name at the start of a sentence.
func side(t tubstap.Team) string {
	return map[tubstap.Team]string{tubstap.Red: "Red", tubstap.Blue: "Blue"}[t]
}

func tellBegan(e *tubstap.Began) string {
	m := e.Board.Map
	return fmt.Sprintf("The game begins: %d red and %d blue units, %s to move. It is judged after %s; a lead of up to %d HP is then a draw. Stars tell how well a terrain shields.",
		e.Board.Alive(tubstap.Red), e.Board.Alive(tubstap.Blue), e.Board.Mover, film.Plural(m.TurnLimit, "half-turn"), m.Threshold)
}

// tellActed writes a unit's action with the HP before it.
func tellActed(e *tubstap.Acted) string {
	s, u := e.Step, e.Board.Units[e.Step.Unit]
	var b strings.Builder
	fmt.Fprintf(&b, "Turn %d, %s: %s with %d HP ", e.Board.Counter+1, u.Team, unitName[u.Kind], int(u.HP)+s.Counter)
	from, to := fmt.Sprintf("(%d,%d)", s.FromX, s.FromY), fmt.Sprintf("(%d,%d)", s.ToX, s.ToY)
	where := e.Board.Map.At(s.ToX, s.ToY)
	if from == to {
		fmt.Fprintf(&b, "stays at %s on %s", to, where)
	} else {
		fmt.Fprintf(&b, "goes from %s to %s on %s", from, to, where)
	}
	if s.Target == tubstap.NoUnit {
		return b.String() + "."
	}
	d := e.Board.Units[s.Target]
	fmt.Fprintf(&b, " and attacks the %s %s at (%d,%d): it loses %d of %d HP", d.Team, unitName[d.Kind], s.TargetX, s.TargetY, s.Damage, int(d.HP)+s.Damage)
	switch {
	case !d.Alive():
		b.WriteString(" and is destroyed")
	case s.Counter > 0 && !u.Alive():
		fmt.Fprintf(&b, " and strikes back for %d, which destroys the attacker", s.Counter)
	case s.Counter > 0:
		fmt.Fprintf(&b, " and strikes back for %d", s.Counter)
	case u.Kind.Indirect() || d.Kind.Indirect():
		b.WriteString("; there is no counter-blow from or against guns")
	}
	return b.String() + "."
}

func tellTurnEnded(e *tubstap.TurnEnded) string {
	rest := fmt.Sprintf("%s is to move", e.Board.Mover)
	switch {
	case e.Board.Alive(tubstap.Red) == 0 || e.Board.Alive(tubstap.Blue) == 0:
		rest = "one side is left"
	case e.Board.Counter >= e.Board.Map.TurnLimit:
		rest = "the limit is reached"
	}
	return fmt.Sprintf("Turn %d of %s ends; %s. HP: red %d, blue %d.", e.Board.Counter, e.Team, rest, e.Board.HP(tubstap.Red), e.Board.HP(tubstap.Blue))
}

// tellEnded writes the result and why it is so.
func tellEnded(e *tubstap.Ended) string {
	red, blue := e.Board.HP(tubstap.Red), e.Board.HP(tubstap.Blue)
	sums := fmt.Sprintf("HP are %d to %d", red, blue)
	switch {
	case e.Ending == tubstap.Annihilation:
		return fmt.Sprintf("%s wins after %s: %s has no unit left. %s.", side(e.Winner), film.Plural(e.Board.Counter, "half-turn"), e.Winner.Other(), sums)
	case e.Ending == tubstap.Resignation:
		return fmt.Sprintf("%s wins after %s: %s resigns. %s.", side(e.Winner), film.Plural(e.Board.Counter, "half-turn"), e.Winner.Other(), sums)
	case e.Winner == tubstap.Nobody:
		return fmt.Sprintf("A draw at the limit of %s: %s, a lead of no more than %d.", film.Plural(e.Board.Counter, "half-turn"), sums, e.Board.Map.Threshold)
	}
	return fmt.Sprintf("%s wins at the limit of %s: %s, a lead of more than %d.", side(e.Winner), film.Plural(e.Board.Counter, "half-turn"), sums, e.Board.Map.Threshold)
}

// playouts is the number of games that are played on at random from a position.
const playouts = 32

// odds are the chances of both sides in one game.
type odds struct {
	options tubstap.Options
	board   rollout.Board
	now     []float64 // by side, as they were worked out last
}

// after returns the chances after an event. They are worked out at the end of each turn,
// which takes milliseconds; within a turn they stay.
func (o *odds) after(event any) []float64 {
	switch e := event.(type) {
	case tubstap.Began:
		o.playOn(&e.Board)
	case tubstap.TurnEnded:
		o.playOn(&e.Board)
	case tubstap.Refused:
		o.now = []float64{score(e.Team.Other(), tubstap.Red), score(e.Team.Other(), tubstap.Blue)}
	case tubstap.Ended:
		o.now = []float64{score(e.Winner, tubstap.Red), score(e.Winner, tubstap.Blue)}
	}
	return append([]float64(nil), o.now...)
}

// playOn computes the average share of the point in games played on at random by the rules, four
// actions of five being attacks where there are any. Its standard error is at most 0.089.
func (o *odds) playOn(b *tubstap.Board) {
	state := tubstap.NewState(b.Map, o.options.Rules(), append([]tubstap.Unit(nil), b.Units...), b.Mover, b.Counter)
	o.board = boardOf(state, rollout.Config{Attack: rollout.Reference().Attack, Corrected: true, Equal: 1}, o.board)
	draw, halves := rollout.Chance{State: uint64(b.Counter)}, 0
	for range playouts {
		o.board.Reset()
		halves += o.board.Playout(&draw)
	}
	share := float64(halves) / (2 * playouts)
	o.now = []float64{1 - share, 1 - share}
	o.now[b.Mover] = share
}

// Bounds of texts of a replay file that are shown, characters.
const (
	longName    = 40
	longWarning = 200
)

// openReplay reads a replay file. The game in it must be one by the strict
// rules; the file holds all of them but the power of anti-air tanks.
func openReplay(rs *arena.Ruleset, text []byte) (*film.Replay, error) {
	power, _ := rs.Rules.Get("antiair_infantry")
	options := tubstap.Options{AntiAirInfantry: power}
	rules := options.Rules()
	r, warnings, err := tubstap.ParseRecord(text)
	if err != nil {
		return nil, err
	}
	end, err := r.Replay(rules)
	if err != nil {
		return nil, err
	}
	out := &film.Replay{Show: func(see func(event any) error) error { return r.Events(rules, see) }}
	for i, name := range []string{r.Red, r.Blue} {
		if name = film.Clean(name, longName); name == "" {
			name = tubstap.Team(i).String()
		}
		out.Seats = append(out.Seats, name)
	}
	for _, w := range warnings {
		out.Warnings = append(out.Warnings, film.Clean(w.String(), longWarning))
	}
	if winner, ending := end.Result(); ending != tubstap.Running {
		for seat := range out.Seats {
			out.Scores = append(out.Scores, score(winner, tubstap.Team(seat)))
		}
	}
	return out, nil
}

// score returns a side's share of a game.
func score(winner, side tubstap.Team) float64 {
	switch winner {
	case tubstap.Nobody:
		return 0.5
	case side:
		return 1
	}
	return 0
}
