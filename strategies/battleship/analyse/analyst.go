package analyse

import "sakusen/engines/arena/catalogue"

// Analyst answers positions for the command line.
func Analyst() *catalogue.Analyst {
	return &catalogue.Analyst{
		Short: "Placements of the fleet that agree with the answers, square by square",
		Long: `Reads positions, one JSON object a line:

  {"size":10,"fleet":{"carrier":5,"battleship":4,"cruiser":3,"submarine":3,"destroyer":2},
   "shots":[{"at":"e5","result":"hit"},{"at":"e6","result":"miss"}]}

The shots are in the order fired; a result is miss, hit, or sunk with "ship",
the class. "fleet":[5,4,3,3,2] is nameless, and then a ship is its length.
Answers each with the number of placements that would have given exactly these
answers, and for each square not shot how many of them have a ship there,

  {"placements":"120","squares":{"a1":"7",...},"best":["e4"]}

or {"error":"..."}, which names the shot that contradicts the others.

Fleets have up to 12 ships. Five are counted in milliseconds, six or seven on
16 x 16 squares in seconds. What would take more than about a minute and a half
of one core, or near 2 GB of memory, is refused at once: ten ships such as
5,4,4,3,3,3,2,2,2,2 on 16 x 16 squares with hardly a shot fired, for one.`,
		Line: func(line []byte, _ func(string) ([]byte, error)) []byte { return Line(line) },
	}
}
