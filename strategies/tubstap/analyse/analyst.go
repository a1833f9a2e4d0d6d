package analyse

import (
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/tubstap"
)

// Analyst answers positions for the command line; a map may be named by its path.
func Analyst() *catalogue.Analyst {
	return &catalogue.Analyst{
		Short: "Legal actions, the one-ply choice and M-UCT's tree",
		Long: `Reads positions, one JSON object a line, with the fields map (the name of an
embedded map, a path, or the text of a map), turn, team and units, and answers
each with u (what every unmoved unit of the side to move can do), log10est (the
estimated number of legal moves, decimal logarithm) and best (the best single
action). With "muct":{"seed":"31000","sims":300,"mode":"reference"} also root,
chosen, maxDepth and rngAfter. What is no position is answered {"error":"..."}.`,
		Line: func(line []byte, read func(path string) ([]byte, error)) []byte {
			return Line(line, func(path string) (*tubstap.Map, error) { return tubstap.ReadMap(path, read) })
		},
	}
}
