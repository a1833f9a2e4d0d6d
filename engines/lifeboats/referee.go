package lifeboats

import (
	"sakusen/engines/arena"
)

// Purposes of streams: those of the game, and of a seat.
const (
	dealing arena.Purpose = iota
	breakingTies
	voting
)

// A referee plays games. All of a vote's ballots are collected before any is
// revealed.
type referee struct {
	rules    *Rules
	position Position
	view     View
	ballot   Ballot
	ties     arena.Stream
	chances  [MaxPlayers]arena.Stream
	fault    int   // the seat of an illegal vote, or -1
	win      int64 // units of a game
}

func newReferee(r *Rules) *referee {
	ref := &referee{rules: r, win: arena.Scale(r.players)}
	ref.view.Position = &ref.position
	ref.view.Rules = r
	return ref
}

// count finds the winning option.
func (ref *referee) count() int {
	leaders := ref.ballot.Leaders()
	if leaders.Rest() == 0 {
		return leaders.First()
	}
	if ref.rules.breaking != breakRandom {
		return ref.rules.settle(&ref.ballot, leaders, ref.view.Start)
	}
	return leaders.Nth(ref.ties.IntN(leaders.Len()))
}

// crewSaved is the component that the referee counts for each seat.
const crewSaved = 0

// Play implements arena.Referee.
func (ref *referee) Play(fx *arena.Fixture, players []Player, out *arena.Outcome) error {
	ref.begin(fx, players)
	p := &ref.position
	for ref.view.Round = 1; !p.Over(); ref.view.Round++ {
		ref.view.Start = (ref.view.Round - 1) % p.Players
		if !ref.leak(fx, players, out) || p.Over() {
			break
		}
		p.Phase = Advance
		boat := ref.ask(fx, players, out)
		if boat < 0 {
			break
		}
		p.Move(boat)
		if fx.Story != nil {
			ref.tellMove(fx.Story, boat)
		}
		if fx.Watch != nil {
			ref.showMove(fx.Watch, boat)
		}
	}
	ref.score(out)
	if fx.Watch != nil {
		ref.showEnd(fx.Watch, out)
	}
	if fx.Story != nil {
		ref.tellEnd(fx.Story, out)
	}
	return nil
}

// begin deals and seats the players.
func (ref *referee) begin(fx *arena.Fixture, players []Player) {
	deal := fx.Chance(dealing)
	ref.position.deal(ref.rules.players, &deal)
	ref.ties = fx.Chance(breakingTies)
	ref.fault = -1
	for seat, p := range players {
		ref.chances[seat] = fx.Stream(seat, voting)
		ref.view.models[seat] = p.Model()
	}
	if fx.Story != nil {
		ref.tellBoats(fx.Story)
	}
	if fx.Watch != nil {
		ref.showDeal(fx.Watch)
	}
}

// leak plays a leak and the expulsion it may call for; false after a fault.
func (ref *referee) leak(fx *arena.Fixture, players []Player, out *arena.Outcome) bool {
	p := &ref.position
	p.Phase = Leak
	boat := ref.ask(fx, players, out)
	if boat < 0 {
		return false
	}
	if p.Expels(boat) {
		p.Phase, p.Boat = Expel, boat
		player := ref.ask(fx, players, out)
		if player < 0 {
			return false
		}
		p.Remove(boat, player)
		if fx.Story != nil {
			ref.tellExpulsion(fx.Story, boat, player)
		}
		if fx.Watch != nil {
			ref.showExpulsion(fx.Watch, boat, player)
		}
	}
	if fx.Watch != nil {
		ref.showLeak(fx.Watch, boat)
	}
	p.Flood(boat)
	if fx.Story != nil {
		ref.tellLeak(fx.Story, boat)
	}
	return true
}

// ask holds a vote and returns the winning option, -1 after a fault. The usual vote, of all
// players with one vote each, has a loop of its own.
func (ref *referee) ask(fx *arena.Fixture, players []Player, out *arena.Outcome) int {
	p, v := &ref.position, &ref.view
	v.options, v.judged = p.Afloat, 0
	ref.ballot.Reset()
	said := uint64(p.Phase) + 1 // the votes, four bits each
	if p.Phase == Expel {
		v.options = p.Options()
		for seat, player := range players {
			votes := p.Votes(seat)
			if votes == 0 {
				continue
			}
			v.Seat, v.Chance = seat, &ref.chances[seat]
			option := player.Vote(v)
			if !v.options.Has(option) {
				return ref.refuse(fx, seat, option, out)
			}
			ref.ballot.Cast(seat, option, votes)
			said = said<<4 | uint64(option) + 1
		}
	} else {
		for seat, player := range players {
			v.Seat, v.Chance = seat, &ref.chances[seat]
			option := player.Vote(v)
			if !v.options.Has(option) {
				return ref.refuse(fx, seat, option, out)
			}
			ref.ballot.one(seat, option)
			said = said<<4 | uint64(option) + 1
		}
	}
	winner := ref.count()
	out.Transcript.Add(said<<4 | uint64(winner))
	if fx.Story != nil {
		ref.tellVotes(fx.Story)
	}
	if fx.Watch != nil {
		ref.showVotes(fx.Watch, winner)
	}
	return winner
}

// refuse notes an illegal vote.
func (ref *referee) refuse(fx *arena.Fixture, seat, option int, out *arena.Outcome) int {
	out.Transcript.Add(uint64(option))
	ref.fault = seat
	out.Faults[seat] = true
	if fx.Story != nil {
		ref.tellFault(fx.Story, option)
	}
	if fx.Watch != nil {
		ref.showFault(fx.Watch, option)
	}
	return -1
}

// score fills in the outcome. A fault loses; the others share what is won.
func (ref *referee) score(out *arena.Outcome) {
	p := &ref.position
	top := 0.0
	for q, n := range p.Saved {
		if n > top && q != ref.fault {
			top = n
		}
		if q < p.Players {
			out.Count(q, crewSaved, int64(n))
		}
	}
	if ref.fault >= 0 {
		out.Share(func(s int) bool { return s != ref.fault })
		return
	}
	winners := 0
	for q := range p.Players {
		if p.Saved[q] == top {
			winners++
		}
	}
	part := ref.win
	switch {
	case ref.rules.gameTie == "share":
		part /= int64(winners)
	case ref.rules.gameTie == "strict" && winners > 1:
		part = 0
	}
	for q := range p.Players {
		if p.Saved[q] == top {
			out.Scores[q] = part
		}
	}
}
