package lifeboats

import (
	"fmt"
	"strings"

	"sakusen/engines/arena"
)

// String is the position as people read it, a line for each boat, such as
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

// tellVotes tells the ballots once all are in.
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

// tellEnd tells what everybody saved and who wins.
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
