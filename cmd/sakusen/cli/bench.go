package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"sakusen/tuner/service"
)

// benchCommand holds the commands about benchmarks.
func benchCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Record, compare and check the benchmarks of any Go module",
		Long: `Records, compares and gates the results of go test -bench, of any Go module.

A SOURCE is a file of benchmark text, plain or from go test -json, - for
standard input, or something recorded: run:12, latest, baseline:NAME,
commit:4f2a (its last run).`,
	}
	c.AddCommand(
		benchRunCommand(a),
		benchRecordCommand(a),
		benchCompareCommand(a),
		benchGateCommand(a),
		benchBisectCommand(a),
		benchCommentCommand(a),
		benchSignCommand(a),
		benchBaselineCommand(a),
		benchAcceptCommand(a),
		benchHistoryCommand(a),
		benchSiteCommand(a),
		benchPruneCommand(a),
		benchChangepointsCommand(a),
		benchExportCommand(a),
	)
	return c
}

func benchExportCommand(a *app) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "export [SOURCE]",
		Short: "Print a recorded run as benchmark text that benchstat reads",
		Long: `Prints a recorded run (default: the latest) as the text that was recorded, so
that benchstat and bench record read back what they read then.`,
		Args: atMost(1, "at most one SOURCE"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "benchfmt" {
				return usage(fmt.Errorf("--format: expected benchfmt, got %q", format))
			}
			source := "latest"
			if len(args) > 0 {
				source = args[0]
			}
			text, err := readBench(a, c.Context(), func(b *service.Benchmarks) (string, error) { return b.Text(c.Context(), source) })
			if err != nil {
				return err
			}
			_, err = io.WriteString(a.out, text)
			return err
		},
	}
	c.Flags().StringVar(&format, "format", "benchfmt", "benchfmt")
	return c
}
