package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"sakusen/tuner/rating/calc"
)

// statsCommand is the calculators.
func statsCommand(a *app) *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Use:   "stats",
		Short: "Calculate strength from the results of games: JSON lines in and out",
		Long: `Reads questions from standard input, one JSON object a line, and writes one line
of JSON for each as soon as it is known. For instance:

  {"op":"elo","penta":[20,1334,3810,1569,35]}
  {"op":"sprt","model":"normalized","elo0":0,"elo1":2,"penta":[20,1334,3810,1569,35],"alpha":0.05,"beta":0.05}

Undefined numbers are null. A line with a mistake is answered with
{"error": "..."}, and the next line is read. The exit code is 0 even then; with
--strict it is 2. Operations: ` + strings.Join(calc.Operations(), ", ") + `.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return answerLines(a, c.Context(), strict, calc.Answer) },
	}
	strictFlag(c, &strict)
	return c
}
