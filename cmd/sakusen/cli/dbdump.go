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
)

func dbDumpCommand(a *app) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "dump [STUDY]",
		Short: "Write a study, or all, as JSON that stays readable",
		Long: `Writes what the database has of a study as one JSON document: its file, what it is
and how far, its trials, its log, the log's digest and the result. Without STUDY it
writes all studies, one a line; one that is damaged is named and left out. The form is
that of docs/dump.md and stays readable whatever the database becomes. A daemon need
not stop for it. Stored games are not in it: sakusen db backup copies all.

Exit code: 4 if there is no study, 5 if one is damaged.`,
		Args: atMost(1, "at most one STUDY"),
		RunE: func(c *cobra.Command, args []string) error { return dbDump(a, c.Context(), args, file) },
	}
	c.Flags().StringVarP(&file, "out", "o", "", "file to write (default: printed)")
	return c
}

func dbDump(a *app, ctx context.Context, name []string, file string) error {
	if err := a.needDatabase(); err != nil {
		return err
	}
	s, end, err := a.read(ctx)
	if err != nil {
		return err
	}
	defer end()
	var damaged error
	write := func(w io.Writer) (err error) { damaged, err = service.Dump(ctx, s, w, name...); return err }
	if file != "" {
		return errors.Join(a.unnamed(wholefile.Write(file, write)), damaged)
	}
	out := a.out
	if p, ok := out.(*plain.Writer); ok {
		if f, ok := p.Unwrap().(*os.File); !ok || !isTerminal(f) {
			out = p.Unwrap() // byte by byte, for digests are over it
		}
	}
	return errors.Join(a.unnamed(write(out)), damaged)
}
