package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sakusen/tuner/report"
	"sakusen/tuner/service"
)

func benchSignCommand(a *app) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "sign [GAME [STRATEGY...]]",
		Short: "Print the signature of each strategy's play",
		Long: `Prints a signature of each strategy: a hash of games that it plays against itself
with fixed seeds under the default rules. It changes if and only if the play
changes. As benchmark text (--format benchfmt) a signature is two exact metrics,
its upper and its lower 32 bits, which bench gate requires to be equal. Signatures
are the same on every machine of one GOARCH.`,
		Example: `  sakusen bench sign battleship
  sakusen bench sign --format benchfmt > new.txt && sakusen bench gate --exact old.txt new.txt`,
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "benchfmt" {
				return usage(fmt.Errorf("--format: expected text or benchfmt, got %q", format))
			}
			signs, err := service.Signatures(c.Context(), a.catalogue, args...)
			if err != nil {
				return err
			}
			switch {
			case a.flags.asJSON:
				return a.printJSON(map[string]any{"signatures": signs})
			case format == "benchfmt":
				_, err = io.WriteString(a.out, service.SignatureText(signs))
				return err
			}
			return report.Table(a.out, func(line func(...any)) {
				for _, s := range signs {
					line(s.Game, s.Strategy, s.Signature)
				}
			})
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or benchfmt")
	return c
}
