package cli

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"sakusen/engines/external/wholefile"
	"sakusen/engines/plain"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
)

func dbDumpCommand(a *app) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "dump [STUDY]",
		Short: "Write a study, or all, as JSON that stays readable",
		Long: `Writes what the database has of a study as one JSON document: its file, what it is
and how far, its trials, its log entry by entry, the log's digest and the result.
Without STUDY it writes all studies, one document a line. docs/dump.md says what each
field is; its form has a number (format) and stays readable whatever the database
becomes. A running daemon need not stop for it. Stored blocks, tournaments and
benchmarks are not in it: sakusen db backup copies all.

Exit code: 4 if there is no study.`,
		Example: `  sakusen db dump my-study -o my-study.json
  sakusen db dump | jq -r '[.study, .state, .digest] | @tsv'`,
		Args: atMost(1, "at most one STUDY"),
		RunE: func(c *cobra.Command, args []string) error {
			name := ""
			if len(args) == 1 {
				if name = args[0]; name == "" {
					return usage(errors.New("STUDY is empty: expected a name, or nothing for all studies"))
				}
			}
			return dbDump(a, c.Context(), name, file)
		},
	}
	c.Flags().StringVarP(&file, "out", "o", "", "file to write (default: printed)")
	return c
}

func dbDump(a *app, ctx context.Context, name, file string) error {
	if err := a.needDatabase(); err != nil {
		return err
	}
	s, end, err := a.read(ctx)
	if err != nil {
		return err
	}
	defer end()
	none := &service.Error{Code: service.NotFound, Reason: service.Nothing, Message: a.settings.Text("database") + ": it has no study"}
	write := func(w io.Writer) error {
		n, err := store.Dump(ctx, s, w, name)
		if err == nil && n == 0 {
			return none
		}
		return err
	}
	if file != "" {
		err = wholefile.Write(file, write)
	} else {
		out := a.out
		if p, ok := out.(*plain.Writer); ok {
			if f, ok := p.Unwrap().(*os.File); !ok || !isTerminal(f) {
				out = p.Unwrap() // byte by byte, for digests are over it
			}
		}
		err = write(out)
	}
	if errors.Is(err, store.ErrStudyNotFound) {
		return a.unnamed(service.ErrorOf(err))
	}
	return err
}
