package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"sakusen/engines/newgame"
)

// newGameReport is what new game has written, in JSON.
type newGameReport struct {
	Folder string   `json:"folder"`
	Files  []string `json:"files"`
	Line   string   `json:"line"`   // of the catalogue
	Module bool     `json:"module"` // the module is new, and main.go has the line
}

func newGameCommand(a *app) *cobra.Command {
	var o newgame.Options
	c := &cobra.Command{
		Use:   "game NAME [FOLDER]",
		Short: "Write a game, two strategies, their test and a first study into a Go module",
		Long: `Writes a game that can be played and tuned at once, to be changed into yours:
its rules in engines/NAME, two strategies and the conformance test in
strategies/NAME, and a study in studies. FOLDER (default NAME) becomes a Go
module of its own whose main.go has every command of Sakusen with the game.

Where FOLDER already is a module, the game is added, and the line is printed that
has to be added to the catalogue in its main.go. No file is overwritten.`,
		Example: `  sakusen game new pig --sakusen ~/src/sakusen
  cd pig && go test ./... && go run . tune studies/pig-first.yaml`,
		RunE: func(_ *cobra.Command, args []string) error {
			o.Name = args[0]
			folder := args[len(args)-1]
			if o.Module == "" {
				o.Module = "example.org/" + o.Name
			}
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
			return a.game.printNewGame(newGameReport{folder, written.Files, written.Line, written.Module}, o.Name)
		},
	}
	c.Flags().StringVar(&o.Module, "module", "", "path of a new module (default example.org/NAME)")
	c.Flags().StringVar(&o.Source, "sakusen", "", "folder of Sakusen's source (default: the one around the working directory)")
	return c
}

// printNewGame says what was written, and what comes next.
func (a gameCommands) printNewGame(r newGameReport, name string) error {
	if a.flags.asJSON {
		return a.printJSON(r)
	}
	for _, f := range r.Files {
		if _, err := fmt.Fprintln(a.out, filepath.Join(r.Folder, f)); err != nil {
			return err
		}
	}
	if !r.Module {
		a.say("add this line to the catalogue in main.go, and import the three packages:\n\t%s", r.Line)
	}
	a.say("next: cd %s && go test ./... && go run . tune studies/%s-first.yaml", r.Folder, name)
	return nil
}
