package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"sakusen/tuner/rating/calc"
)

// statsCommand is the calculators.
func statsCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Calculates what games say about strength: JSON lines in and out",
		Long: `Reads questions as JSON lines from standard input and writes one answer line
each, at once, for instance

  {"op":"elo","penta":[20,1334,3810,1569,35]}
  {"op":"sprt","model":"normalized","elo0":0,"elo1":2,"penta":[20,1334,3810,1569,35],"alpha":0.05,"beta":0.05}

Undefined numbers are null. A line that cannot be answered is answered with
{"error": "..."}, and the stream goes on; the exit code is 0 when every line got
an answer. Operations: ` + strings.Join(calc.Operations(), ", ") + `.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return answerLines(a, c.Context(), calc.Answer) },
	}
}
