package cli_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"sakusen/cmd/cmdline"
	"sakusen/cmd/sakusen/cli"
)

// Every command that help lists has a page of the manual, which names its options.
func TestManual(t *testing.T) {
	dir := t.TempDir()
	root := cli.NewInside(nil, io.Discard).Root()
	if err := cmdline.WriteManual(root, dir); err != nil {
		t.Fatal(err)
	}
	pages := 0
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		pages++
		text, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"))
		if err != nil {
			t.Error(err)
		}
		for _, want := range []string{".SH DESCRIPTION\n", "\\-\\-help\n", "\\-\\-db string\n"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: no %q on its page", c.CommandPath(), want)
			}
		}
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				visit(sub)
			}
		}
	}
	visit(root)
	if pages < 60 {
		t.Errorf("only %d commands have a page", pages)
	}
}
