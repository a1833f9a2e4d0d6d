package analyse

import "sakusen/engines/arena/catalogue"

// Analyst answers positions for the command line.
func Analyst() *catalogue.Analyst {
	return &catalogue.Analyst{
		Short: "Possible ranks of every player, and the moves that may be chosen",
		Long: `Reads positions, one JSON object a line:

  {"hands":[[1,3],[2],[2]],"table":0,"last":null,"turn":0,"out":[],"ranks":3}

hands are the kinds held by each seat, table the kind on the table or 0, last
the seat that played last, out the seats without cards in the order they
finished, ranks the number of rank kinds. Answers each with a line

  {"ranks":[[1],[2],[3]],"best":[3],"nodes":"18"}

or {"error":"..."}.`,
		Line: func(line []byte, _ func(string) ([]byte, error)) []byte { return Line(line) },
	}
}
