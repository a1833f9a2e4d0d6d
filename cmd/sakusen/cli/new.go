package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"sakusen/engines/newgame"
	"sakusen/engines/plain"
)

func (a gameCommands) newCommand() command {
	return command{
		use: "game NAME [FOLDER]", short: "Write a game, two strategies, their test and a first study into a Go module", bind: a.newGame,
		long: `Writes a game that can be played and tuned at once, for you to change into yours:
its rules in engines/NAME, two strategies and the conformance test in
strategies/NAME, and a study in studies. FOLDER (default NAME) becomes a Go
module of its own whose main.go has every command of Sakusen with the game.

If FOLDER is already a module, the game is added to it, and the command prints the line
that you then add to the catalogue in its main.go. No file is overwritten.`,
		example: `  sakusen game new pig --sakusen ~/src/sakusen
  cd pig && go test ./... && go run . tune studies/pig-first.yaml`,
	}
}

// newGame writes a game to begin with, and says what comes next.
func (a gameCommands) newGame(c *cobra.Command) action {
	var o newgame.Options
	c.Flags().StringVar(&o.Module, "module", "", "path of a new module (default example.org/NAME)")
	c.Flags().StringVar(&o.Source, "sakusen", "", "folder of Sakusen's source (default: the one around the working directory)")
	return func(_ context.Context, args []string) error {
		o.Name = args[0]
		folder := args[len(args)-1]
		o.Module = cmp.Or(o.Module, "example.org/"+o.Name)
		if o.Source == "" {
			var err error
			if o.Source, err = newgame.SourceFolder("."); err != nil {
				return usage(fmt.Errorf("--sakusen: %w", err))
			}
		}
		written, err := newgame.Write(folder, o)
		if err != nil {
			return usage(err)
		}
		if a.flags.asJSON {
			return a.printJSON(written)
		}
		for _, f := range written.Files {
			if _, err := fmt.Fprintln(a.out, filepath.Join(folder, f)); err != nil {
				return err
			}
		}
		if !written.Module {
			a.say("add this line to the catalogue in main.go, and import the three packages:\n\t%s", written.Line)
		}
		a.say("next: cd %s && go test ./... && go run . tune studies/%s-first.yaml", plain.ShellWord(folder), o.Name)
		return nil
	}
}
