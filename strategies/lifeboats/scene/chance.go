package scene

import (
	"sakusen/engines/arena"
	"sakusen/engines/lifeboats"
)

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

// chances are what each seat wins on average when everybody votes at random from here on,
// the vote to come being of a phase. The standard error is at most 0.035.
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

// vote is the option that wins when everybody votes at random, ties broken at random.
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
