package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"sakusen/engines/tubstap"
	"sakusen/strategies/tubstap/analysis"
)

func analyseTubstapCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "tubstap",
		Short: "Legal actions, the one-ply choice and M-UCT's tree",
		Long: `Reads positions, one JSON object a line, with the fields map (the name of an
embedded map, a path, or the text of a map), turn, team and units, and answers
each with u (what every unmoved unit of the side to move can do), log10est (the
estimated number of legal moves, decimal logarithm) and best (the best single
action). With "muct":{"seed":"31000","sims":300,"mode":"reference"} also root,
chosen, maxDepth and rngAfter. What is no position is answered {"error":"..."}.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			return answerLines(a, c.Context(), func(line []byte) []byte { return analysis.Line(line, readMap) })
		},
	}
}

// readMap reads a map that a position names by its path.
func readMap(path string) (*tubstap.Map, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	m, _, err := tubstap.ParseMap(text)
	if err != nil {
		return nil, fmt.Errorf("map: %s: %w", path, err)
	}
	return m, nil
}
