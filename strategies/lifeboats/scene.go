// Scene draws Lifeboats for films: the boats between ship and harbour, their
// crews, and every vote with who voted for what.

package lifeboats

import (
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/arena/film"
	"sakusen/engines/lifeboats"
)

// Scene returns how the game is shown.
func Scene() film.Scene {
	return film.Scene{Draw: newLifeboats, Measure: fmt.Sprintf("chance to win, by %d games played on with random votes", playouts), Entrants: []string{"adaptive", "level1", "level0", "random"}, Seed: "1"}
}

// lifeboatsGame draws a game of Lifeboats: every deal, ballot, expulsion, leak
// and move.
type lifeboatsGame struct {
	names   []string // by seat
	emit    film.Emit
	captain bool               // the start player breaks ties
	drowned []lifeboats.Counts // with each boat, so far
	tie     string             // who wins where several saved as many: share, all or strict

	standing []float64 // the chances, as they were worked out last
}

func newLifeboats(rs *arena.Ruleset, seats []string, emit film.Emit) (film.Drawer, error) {
	g := &lifeboatsGame{names: seats, emit: emit, drowned: make([]lifeboats.Counts, rs.Seats+1)}
	for _, v := range rs.Rules {
		if v.Name == "vote_tie" {
			g.captain = v.Text == "start_player"
		}
		if v.Name == "game_tie" {
			g.tie = v.Text
		}
	}
	return g, nil
}

// See implements film.Drawer.
func (g *lifeboatsGame) See(event any) error {
	s := lifeboatsScene{names: g.names, captain: film.Nobody, marked: film.Nobody, drowned: g.drowned}
	seat := film.Nobody
	switch e := event.(type) {
	case lifeboats.Dealt:
		s.p, s.what = &e.Position, "the crew is dealt"
		s.label = fmt.Sprintf("%d players have %d crew each in %d boats. Most crew brought home wins.", e.Position.Players, lifeboats.Crew, e.Position.Boats)
	case lifeboats.Voted:
		s.p, s.round, s.vote, s.label = &e.Position, e.Round, &e, tellVoted(&e)
		s.what, s.marked = "which boat leaks?", e.Winner
		switch e.Position.Phase {
		case lifeboats.Expel:
			s.what, s.marked = fmt.Sprintf("who leaves boat %d?", e.Position.Boat), e.Position.Boat
		case lifeboats.Advance:
			s.what = "which boat moves on?"
		}
		if g.captain {
			s.captain = e.Start
		}
	case lifeboats.Expelled:
		s.p, s.round, s.marked, seat = &e.Position, e.Round, e.Boat, e.Player
		s.what = "overboard"
		s.over = make([]int, e.Position.Players)
		s.over[e.Player] = 1
		s.label = fmt.Sprintf("Round %d: a crew member of seat %d (%s) is put off boat %d.", e.Round, e.Player, g.names[e.Player], e.Boat)
	case lifeboats.Leaked:
		s.p, s.round, s.marked = &e.Position, e.Round, e.Boat
		s.what, s.label = "a leak", tellLeaked(&e)
		if e.Position.Leaks[e.Boat] == lifeboats.Leaks {
			s.what = "a boat is lost"
			g.drowned[e.Boat] = e.Drowned
		}
	case lifeboats.Moved:
		s.p, s.round, s.marked, s.moved = &e.Position, e.Round, e.Boat, true
		s.what, s.label = "a step", tellMoved(&e)
		if e.Position.Home.Has(e.Boat) {
			s.what = "a boat comes home"
		}
	case lifeboats.Refused:
		s.p, s.round, seat = &e.Position, e.Round, e.Seat
		s.what = "a vote against the rules"
		s.label = fmt.Sprintf("Round %d: seat %d (%s) votes for %d, which is no option. The game ends.", e.Round, e.Seat, g.names[e.Seat], e.Option)
	case lifeboats.Ended:
		s.p, s.ended, s.what = &e.Position, &e, "the end"
		s.label = g.tellEnd(&e)
	default:
		return nil
	}
	f := film.Frame{Seat: seat, Text: s.label, SVG: s.draw(), Mark: map[string]string{"a boat is lost": "lost", "a boat comes home": "home"}[s.what]}
	g.stands(event)
	f.Standing = slices.Clone(g.standing)
	return g.emit(f)
}

// tellVoted reports who voted for what, what wins, and how a tie was broken.
func tellVoted(e *lifeboats.Voted) string {
	p := &e.Position
	about, option := "which boat leaks", "boat"
	switch p.Phase {
	case lifeboats.Advance:
		about = "which boat moves on"
	case lifeboats.Expel:
		about, option = fmt.Sprintf("who leaves boat %d, by crew aboard", p.Boat), "seat"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Round %d, vote on %s: %s %d with %s", e.Round, about, option, e.Winner, film.Plural(e.Count(e.Winner), "vote"))
	switch e.Broken {
	case "random":
		fmt.Fprintf(&b, ", drawn from %d that are tied", e.Leaders.Len())
	case "start_player":
		fmt.Fprintf(&b, ", of %d that are tied the first voted for from seat %d on", e.Leaders.Len(), e.Start)
	case "lowest":
		fmt.Fprintf(&b, ", the lowest of %d that are tied", e.Leaders.Len())
	}
	b.WriteString(".")
	var ballots []string
	for o := p.Options(); o != 0; o = o.Rest() {
		if voters := tellVoters(e, o.First()); voters != "" {
			ballots = append(ballots, fmt.Sprintf("%s for %s %d", voters, option, o.First()))
		}
	}
	fmt.Fprintf(&b, " Votes: %s.", strings.Join(ballots, "; "))
	return b.String()
}

// tellVoters lists who voted for an option, such as "seats 0, 2 (3 votes)";
// nothing if no one did.
func tellVoters(e *lifeboats.Voted, option int) string {
	var voters []string
	for seat := range e.Position.Players {
		if int(e.Choice[seat]) != option {
			continue
		}
		voter := fmt.Sprint(seat)
		if e.Weight[seat] > 1 {
			voter += fmt.Sprintf(" (%d votes)", e.Weight[seat])
		}
		voters = append(voters, voter)
	}
	switch len(voters) {
	case 0:
		return ""
	case 1:
		return "seat " + voters[0]
	}
	return "seats " + strings.Join(voters, ", ")
}

func tellLeaked(e *lifeboats.Leaked) string {
	if n := e.Position.Leaks[e.Boat]; n < lifeboats.Leaks {
		return fmt.Sprintf("Round %d: boat %d leaks, %s flooded of %d.", e.Round, e.Boat, film.Plural(int(n), "seat"), lifeboats.Seats)
	}
	total := 0.0
	for _, n := range e.Drowned {
		total += n
	}
	return fmt.Sprintf("Round %d: boat %d leaks for the fourth time and is lost with %g crew.", e.Round, e.Boat, total)
}

func tellMoved(e *lifeboats.Moved) string {
	if !e.Position.Home.Has(e.Boat) {
		return fmt.Sprintf("Round %d: boat %d moves on, %s to go.", e.Round, e.Boat, film.Plural(int(e.Position.Steps[e.Boat]), "step"))
	}
	return fmt.Sprintf("Round %d: boat %d comes home with %d crew.", e.Round, e.Boat, e.Position.Aboard[e.Boat])
}

// tellEnd reports what everybody saved and who wins.
func (g *lifeboatsGame) tellEnd(e *lifeboats.Ended) string {
	var saved, winners []string
	for q := range e.Position.Players {
		saved = append(saved, fmt.Sprintf("seat %d (%s) %g", q, g.names[q], e.Position.Saved[q]))
		if e.Scores[q] > 0 {
			winners = append(winners, fmt.Sprint(q))
		}
	}
	result := "Nobody wins"
	switch len(winners) {
	case 0:
	case 1:
		result = "Seat " + winners[0] + " wins"
	default:
		result = "Seats " + strings.Join(winners, ", ") + " win together"
	}
	return fmt.Sprintf("%s. Crew saved: %s.", result, strings.Join(saved, ", "))
}

// playouts is the number of games that are played on with random votes from a position.
const playouts = 200

// stands works out the chances where an event has changed the position; between a vote and
// what comes of it they stay.
func (g *lifeboatsGame) stands(event any) {
	switch e := event.(type) {
	case lifeboats.Dealt:
		g.chances(e.Position, lifeboats.Leak)
	case lifeboats.Expelled:
		p := e.Position
		p.Flood(e.Boat)
		g.chances(p, lifeboats.Advance)
	case lifeboats.Leaked:
		g.chances(e.Position, lifeboats.Advance)
	case lifeboats.Moved:
		g.chances(e.Position, lifeboats.Leak)
	case lifeboats.Ended:
		g.standing = make([]float64, e.Position.Players)
		for q := range g.standing {
			g.standing[q] = float64(e.Scores[q]) / float64(e.Scale)
		}
	}
}

// chances returns each seat's mean share of the win when all players vote at random from
// here on, the vote to come being of a phase. The standard error is at most 0.035.
func (g *lifeboatsGame) chances(p lifeboats.Position, phase lifeboats.Phase) {
	g.standing = make([]float64, p.Players)
	var draw arena.Stream
	for range playouts {
		q := p
		q.Phase = phase
		for !q.Over() {
			option := vote(&q, &draw)
			switch {
			case q.Phase == lifeboats.Leak && q.Expels(option):
				q.Phase, q.Boat = lifeboats.Expel, option
				continue
			case q.Phase == lifeboats.Expel:
				q.Remove(q.Boat, option)
				q.Flood(q.Boat)
			case q.Phase == lifeboats.Leak:
				q.Flood(option)
			default:
				q.Move(option)
				q.Phase = lifeboats.Leak
				continue
			}
			q.Phase = lifeboats.Advance
		}
		g.score(&q)
	}
	for player := range g.standing {
		g.standing[player] = min(1, g.standing[player]/playouts)
	}
}

// vote returns the option that wins when all players vote at random, ties broken at random.
func vote(p *lifeboats.Position, draw *arena.Stream) int {
	var b lifeboats.Ballot
	options := p.Options()
	for seat := range p.Players {
		votes := 1
		if p.Phase == lifeboats.Expel {
			votes = p.Votes(seat)
		}
		if votes > 0 {
			b.Cast(seat, options.Nth(draw.IntN(options.Len())), votes)
		}
	}
	leaders := b.Leaders()
	return leaders.Nth(draw.IntN(leaders.Len()))
}

// score adds what each seat has won.
func (g *lifeboatsGame) score(p *lifeboats.Position) {
	top, winners := 0.0, 0.0
	for q := range p.Players {
		switch saved := p.Saved[q]; {
		case saved > top || winners == 0:
			top, winners = saved, 1
		case saved == top:
			winners++
		}
	}
	part := 1.0
	switch {
	case g.tie == "share":
		part = 1 / winners
	case g.tie == "strict" && winners > 1:
		part = 0
	}
	for q := range p.Players {
		if p.Saved[q] == top {
			g.standing[q] += part
		}
	}
}
