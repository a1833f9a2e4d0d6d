package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/engines/plain"
	"sakusen/tuner/view"
	"sakusen/tuner/web"
)

// reports shows and writes what studies have found.
type reports struct{ *app }

func (a reports) command() command {
	return command{
		use: "report STUDY...", short: "Write studies as one file to send: HTML, Markdown or a picture", bind: a.report,
		long: fmt.Sprintf(`Writes a study as one self-contained file: the verdict, the gain with
its interval and which number to quote, the answer's parameters and which of them matter,
how the gain was tested, how the search went, and where the numbers come from. Several
studies, at most %d, are shown side by side. Benchmarks that were recorded at the commits
of the studies (bench record) stand below. A report can be written in every state of a
study, also while a daemon runs.

The extension of the file says what is written:
  .html  a page without scripts, for browsers and mail programs
  .md    Markdown that reads well as plain text
  .svg   one picture to paste: verdict, gain, interval and history`, view.MostCompared),
	}
}

func (a reports) report(c *cobra.Command) action {
	file := c.Flags().StringP("out", "o", "", "file to write, named .html, .md or .svg")
	return func(ctx context.Context, names []string) error {
		if *file == "" {
			return usage(errors.New("--out: expected a file named .html, .md or .svg"))
		}
		s, end, err := a.database.needed(ctx)
		if err != nil {
			return err
		}
		defer end()
		d, err := web.ReportOf(ctx, s, names, strings.TrimPrefix(filepath.Ext(*file), "."))
		if err != nil {
			return a.database.unnamed(err)
		}
		if err := plain.WriteText(*file, d.Body); err != nil {
			return err
		}
		return a.told(map[string]any{"file": *file, "bytes": len(d.Body)}, "%s: %d kB", *file, (len(d.Body)+999)/1000)
	}
}

// compare prints studies beside each other.
func (a reports) compare(ctx context.Context, names []string) error {
	if len(names) > view.MostCompared {
		return usage(fmt.Errorf("expected at most %d studies, got %d", view.MostCompared, len(names)))
	}
	s, end, err := a.database.needed(ctx)
	if err != nil {
		return err
	}
	defer end()
	all, err := s.Studies().Several(ctx, names)
	if err != nil {
		return a.database.unnamed(err)
	}
	sections := view.Compared(all)
	return a.show(map[string]any{"studies": all, "sections": sections}, sections...)
}
