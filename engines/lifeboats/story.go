package lifeboats

import (
	"fmt"
	"strings"

	"sakusen/engines/arena"
)

// Dealt is the event of the game's start: who sits where.
type Dealt struct{ Position Position }

// Voted is the event of a vote whose ballots are all in.
type Voted struct {
	Position Position // that was voted on; it names the phase and a full boat
	Round    int      // from 1
	Start    int      // the seat of the start player
	// Choice is the option each seat voted for, -1 for a seat without a vote, and
	// Weight how many votes that was.
	Choice, Weight [MaxPlayers]int8
	Leaders        Set    // the options with the most votes
	Winner         int    // one of them
	Broken         string // how a tie was broken, an option of the rule vote_tie; empty without a tie
}

// Count returns the number of votes for an option.
func (v *Voted) Count(option int) int {
	n := 0
	for seat := range v.Position.Players {
		if int(v.Choice[seat]) == option {
			n += int(v.Weight[seat])
		}
	}
	return n
}

// Expelled is the event of a crew member put off a full boat that leaks.
type Expelled struct {
	Position     Position // after it, before the seat floods
	Round        int
	Boat, Player int
}

// Leaked is the event of a seat flooded; at the fourth the boat is lost.
type Leaked struct {
	Position Position // after it
	Round    int
	Boat     int
	Drowned  Counts // crew lost with the boat, by player
}

// Moved is the event of a boat that moves one step; at none to go it is home.
type Moved struct {
	Position Position // after it
	Round    int
	Boat     int
}

// Refused is the event of a vote for what is no option. It ends the game.
type Refused struct {
	Position Position
	Round    int
	Seat     int
	Option   int
}

// Ended is the event of the game's end.
type Ended struct {
	Position Position
	Scores   [MaxPlayers]int64 // by seat, in units of 1/Scale
	Scale    int64             // units of a whole win
	Fault    int               // the seat that broke the rules, or -1
}

func (ref *referee) showDeal(watch func(any)) { watch(Dealt{ref.position}) }

func (ref *referee) showExpulsion(watch func(any), boat, player int) {
	watch(Expelled{ref.position, ref.view.Round, boat, player})
}

func (ref *referee) showMove(watch func(any), boat int) {
	watch(Moved{ref.position, ref.view.Round, boat})
}

func (ref *referee) showFault(watch func(any), option int) {
	watch(Refused{ref.position, ref.view.Round, ref.fault, option})
}

// showVotes shows the ballots once all are in.
func (ref *referee) showVotes(watch func(any), winner int) {
	e := Voted{
		Position: ref.position, Round: ref.view.Round, Start: ref.view.Start,
		Choice: ref.ballot.vote, Leaders: ref.ballot.Leaders(), Winner: winner,
	}
	for seat := range ref.position.Players {
		if e.Choice[seat] >= 0 {
			e.Weight[seat] = int8(ref.position.Votes(seat))
		}
	}
	if e.Leaders.Len() > 1 {
		e.Broken = ref.rules.voteTie
	}
	watch(e)
}

// showLeak shows a leak that is about to be: who would be lost with the boat is
// known only before it.
func (ref *referee) showLeak(watch func(any), boat int) {
	e := Leaked{Position: ref.position, Round: ref.view.Round, Boat: boat}
	e.Position.Flood(boat)
	if e.Position.Leaks[boat] == Leaks {
		e.Drowned = ref.position.Crew[boat]
	}
	watch(e)
}

func (ref *referee) showEnd(watch func(any), out *arena.Outcome) {
	e := Ended{Position: ref.position, Scale: ref.win, Fault: ref.fault}
	copy(e.Scores[:], out.Scores)
	watch(e)
}

// String returns the position as people read it, a line for each boat, such as
// "boat 2: 3 to go, 1 flooded, crew 1 0 2 1 1".
func (p *Position) String() string {
	var lines []string
	for b := range p.Boats {
		lines = append(lines, p.line(b))
	}
	return strings.Join(lines, "\n")
}

// line describes one boat: its state and the crew of each seat aboard.
func (p *Position) line(boat int) string {
	b := p.Look(boat)
	state := fmt.Sprintf("%d to go", b.Steps)
	if b.State != Afloat {
		state = b.State
	}
	crew := strings.Trim(fmt.Sprint(b.Crew), "[]")
	return fmt.Sprintf("boat %d: %-7s %d flooded, crew %s", boat, state+",", b.Leaks, crew)
}

func (ref *referee) tellBoats(story func(string)) {
	for b := range ref.position.Boats {
		story(ref.position.line(b))
	}
}

// tellVotes writes the ballots once all are in.
func (ref *referee) tellVotes(story func(string)) {
	what := [...]string{Leak: "leak", Expel: "expulsion", Advance: "advance"}[ref.position.Phase]
	var votes []string
	for seat := range ref.position.Players {
		if o := ref.ballot.vote[seat]; o >= 0 {
			votes = append(votes, fmt.Sprint(o))
		} else {
			votes = append(votes, "-")
		}
	}
	tied := ""
	if l := ref.ballot.Leaders(); l.Len() > 1 {
		tied = fmt.Sprintf(", %d tied", l.Len())
	}
	story(fmt.Sprintf("round %d, %s: votes %s%s", ref.view.Round, what, strings.Join(votes, " "), tied))
}

func (ref *referee) tellLeak(story func(string), boat int) {
	if ref.position.Leaks[boat] == Leaks {
		story(fmt.Sprintf("  boat %d sinks", boat))
		return
	}
	story("  " + ref.position.line(boat))
}

func (ref *referee) tellExpulsion(story func(string), boat, player int) {
	story(fmt.Sprintf("  seat %d loses a crew member of boat %d", player, boat))
}

func (ref *referee) tellMove(story func(string), boat int) { story("  " + ref.position.line(boat)) }

func (ref *referee) tellFault(story func(string), option int) {
	story(fmt.Sprintf("seat %d votes for %d, which is no option", ref.view.Seat, option))
}

// tellEnd writes how much each player saved and who wins.
func (ref *referee) tellEnd(story func(string), out *arena.Outcome) {
	var saved, winners []string
	for q := range ref.position.Players {
		saved = append(saved, fmt.Sprint(ref.position.Saved[q]))
		if out.Scores[q] > 0 {
			winners = append(winners, fmt.Sprint(q))
		}
	}
	story("saved: " + strings.Join(saved, " "))
	switch len(winners) {
	case 0:
		story("nobody wins")
	case 1:
		story("seat " + winners[0] + " wins")
	default:
		story("seats " + strings.Join(winners, ", ") + " win together")
	}
}
