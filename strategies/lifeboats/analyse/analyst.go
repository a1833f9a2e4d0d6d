package analyse

import "sakusen/engines/arena/catalogue"

// Analyst answers positions for the command line.
func Analyst() *catalogue.Analyst {
	return &catalogue.Analyst{
		Short: "What each option of a vote is worth to a player",
		Long: `Reads positions, one JSON object a line:

  {"phase":"leak","player":3,"weights":{"A1":0.7,...,"D":1,"X":2},
   "boats":[{"state":"afloat","steps":3,"leaks":0,"crew":[1,2,1,1,1]},...]}

The phase is leak, expel (then "boat" is the index of the full boat) or advance;
a state is afloat, home or lost; crew is by player. Answers each with E for every
option, boats by index or players for an expulsion, and the best of them,

  {"E":{"0":-0.16,"1":0.32,...},"best":[1]}

or {"error":"..."}.`,
		Line: func(line []byte, _ func(string) ([]byte, error)) []byte { return Line(line) },
	}
}
