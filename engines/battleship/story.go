package battleship

import (
	"fmt"
	"strings"

	"sakusen/engines/arena"
)

// tell tells the game as it was played to people: the fleets, then the shots
// in turn.
func (ref *referee) tell(story func(string), last, winner int) {
	for seat := range ref.sides {
		ref.tellFleet(story, seat)
	}
	for turn := 1; turn <= ref.sides[last].end; turn++ {
		for seat, s := range &ref.sides {
			switch {
			case turn <= s.fired:
				story(fmt.Sprintf("shot %d of seat %d: %s, %s", turn, seat, ref.rules.board.Name(s.shots[turn-1]), ref.word(s.answers[turn-1])))
			case s.illegal:
				story(fmt.Sprintf("shot %d of seat %d is illegal", turn, seat))
			}
			if turn == ref.sides[last].end && seat == last {
				break
			}
		}
	}
	for seat, s := range &ref.sides {
		if seat != winner && !s.illegal {
			story(fmt.Sprintf("seat %d would have needed %d shots", seat, s.fired))
		}
	}
	story(fmt.Sprintf("seat %d wins", winner))
}

// tellFleet draws a seat's board, one letter for each ship.
func (ref *referee) tellFleet(story func(string), seat int) {
	s, b := ref.sides[seat], ref.rules.board
	var names []string
	for i := range ref.rules.fleet.Ships() {
		names = append(names, fmt.Sprintf("%c %s", 'A'+i, ref.rules.fleet.Ship(i).Class))
	}
	story(fmt.Sprintf("fleet of seat %d: %s", seat, strings.Join(names, ", ")))
	for row := range b.Height() {
		line := make([]byte, b.Width())
		for column := range line {
			line[column] = '.'
			if ship := s.ship[b.At(column, row)]; ship != 0 {
				line[column] = 'A' + ship - 1
			}
		}
		story(fmt.Sprintf("%2d %s", row+1, line))
	}
}

// tellFault tells of a fleet that was placed against the rules.
func (ref *referee) tellFault(fx *arena.Fixture, loser int) {
	if fx.Story != nil {
		fx.Story(fmt.Sprintf("seat %d places an impossible fleet", loser))
		fx.Story(fmt.Sprintf("seat %d wins", 1-loser))
	}
}

// word is an answer as people say it.
func (ref *referee) word(a Answer) string {
	if ship, ok := a.Ship(); ok {
		return ref.rules.fleet.Ship(ship).Class + " sunk"
	}
	if a == Hit {
		return "hit"
	}
	return "miss"
}
