package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/cmd/cmdline"
	"sakusen/engines/chess"
	"sakusen/engines/external"
	"sakusen/engines/external/wholefile"
	"sakusen/tuner/config"
	"sakusen/tuner/contest"
	"sakusen/tuner/contest/players"
)

// openEngines makes the engines of the settings players of their games, after those
// given as NAME=PROGRAM and those of a file, which go before. Nothing is started.
func (a engineCommands) openEngines(given []string, file []config.Engine) error {
	if a.builtIn == nil {
		a.builtIn = a.games
	}
	a.closeEngines()
	var err error
	if a.engines, a.games, err = players.Open(a.builtIn, int64(a.settings.Integer("engine_memory"))<<20, given, slices.Concat(file, a.settings.Engines)); err == nil {
		a.catalogue = a.games.Arena()
		a.engines.Trying = a.wait.Step
	}
	return err
}

// studyEngines opens the engines that a study file on disk brings itself, beside
// those of the command line and the settings.
func (a engineCommands) studyEngines(f studyFile, given []string, other string) error {
	var all []config.Engine
	if other != "" {
		var err error
		if all, err = players.OfFile(other); err != nil {
			return fmt.Errorf("--engine-file: %w", err)
		}
	}
	own, err := players.OfStudy(f.name, f.text, f.dir)
	if err != nil {
		return err
	}
	for _, e := range own {
		a.say("engine %s: %s runs %s", e.Name, f.name, strings.Join(e.Command, " "))
	}
	if all = append(all, own...); len(all)+len(given) == 0 {
		return nil
	}
	return a.openEngines(given, all)
}

// unrepeatable tells whether a match's games cannot be played again. Where nothing of
// them is kept, that is not looked into.
func (a engineCommands) unrepeatable(m *contest.Match) (bool, error) {
	var names []string
	for _, e := range m.Series.Entrants {
		names = append(names, e.Strategy)
	}
	if a.engines.Unkept {
		return m.Series.Ruleset.Game.Outside(names...), nil
	}
	why, err := m.Series.Ruleset.Recorded(names...)
	return why != "", err
}

// closeEngines ends the processes of engines.
func (a engineCommands) closeEngines() {
	if a.engines != nil {
		a.engines.Close()
	}
}

// engineCommand holds the commands about programs of other people.
func engineCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "engine",
		Short: "List, show and try the engines (programs of other people) that can play",
		Long: `Engines are programs of other people that can play. They must be registered in
config.yaml: a study file from somebody else can then not start any program.

  engines:
    toga: {command: [toga2], options: [{name: Hash, value: 16}]}`,
	}
	var given []string
	list := &cobra.Command{
		Use: "list", Short: "List the registered engines, without starting them",
		RunE: func(*cobra.Command, []string) error {
			if err := a.engine.openEngines(given, nil); err != nil {
				return usage(err)
			}
			return a.engine.printEngines(a.engines.Entries())
		},
	}
	show := &cobra.Command{
		Use: "show NAME", Short: "Start an engine and show its name and its options",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.engine.openEngines(given, nil); err != nil {
				return usage(err)
			}
			info, err := a.engines.Describe(args[0])
			if err != nil {
				return usage(err)
			}
			return a.engine.printEngine(info)
		},
	}
	for _, sub := range []*cobra.Command{list, show} {
		sub.Flags().StringArrayVar(&given, "engine", nil, "an engine besides those of config.yaml, NAME=PROGRAM [ARGUMENT...] (repeatable)")
		c.AddCommand(sub)
	}
	c.AddCommand(conformanceCommand(a), bookCommand(a))
	return c
}

// bookCommand makes a book of openings.
func bookCommand(a *app) *cobra.Command {
	var o external.Book
	var eval, limit, file string
	var games int64
	book := &cobra.Command{
		Use: "book --engine NAME", Short: "Make a book of chess openings in EPD with an engine",
		Long: `Makes random moves from the start and keeps the positions that an engine finds as
uneven as --eval says, for whichever side. The same seed, engine and limit give the
same book, whatever the number of workers. --rules book=FILE plays from it.`,
		Example: `  sakusen engine book --games 1500 --engine stockfish=stockfish --out book.epd`,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			var given []string
			if name, _, named := strings.Cut(o.Engine, "="); named {
				given, o.Engine = []string{o.Engine}, name
			}
			if games != 0 {
				o.Count = int(min(games, 10000000)*7+9) / 10
			}
			if o.Low, o.High, err = external.ParseEval(eval); err == nil {
				if o.Limit, err = chess.ParseLimit(limit); err == nil {
					err = errors.Join(o.Check(), a.engine.openEngines(given, nil))
				}
			}
			if err != nil {
				return usage(err)
			}
			if _, known := a.engines.Find(o.Engine); !known {
				return usage(fmt.Errorf("--engine: expected an engine of config.yaml, or NAME=PROGRAM, got %q", o.Engine))
			}
			o.Workers = a.workers()
			write := func(w io.Writer) error { return o.Write(c.Context(), w, a.engines) }
			if file == "" {
				return write(a.out)
			}
			return wholefile.Write(file, write)
		},
	}
	fs := book.Flags()
	fs.StringVar(&o.Engine, "engine", "", "a registered engine, or NAME=PROGRAM [ARGUMENT...]")
	fs.IntVar(&o.Count, "count", 2000, "openings")
	fs.Int64Var(&games, "games", 0, "as many openings as a study of so many games wants, 7 for 10, instead of --count")
	cmdline.Exclude(book, "count", "games")
	fs.IntVar(&o.Plies, "plies", 8, "random moves from the start")
	fs.StringVar(&eval, "eval", "60..130", "by how much a side is ahead, LOW..HIGH, hundredths of a pawn")
	fs.StringVar(&limit, "limit", "nodes:1000", "search of each position, nodes:N or depth:N")
	fs.StringVar(&file, "out", "", "file for the book (default: printed)")
	cmdline.Seed(fs, &o.Seed, 1, "seed of the random moves")
	return book
}

// engineLine is an engine in the list.
type engineLine struct {
	Name     string   `json:"name"`
	Protocol string   `json:"protocol"`
	Command  []string `json:"command"`
}

func (a engineCommands) printEngines(entries []external.Entry) error {
	lines := []engineLine{}
	for _, e := range entries {
		lines = append(lines, engineLine{e.Name, e.Speaks(), e.Command})
	}
	return a.table(map[string]any{"engines": lines}, func(line func(...any)) {
		for _, e := range lines {
			line(e.Name, e.Protocol, strings.Join(e.Command, " "))
		}
	})
}

func (a engineCommands) printEngine(info *external.Info) error {
	return a.print(info, func(w io.Writer) error { return info.WriteText(w) })
}

// conformanceCommand returns the command that tests an external program.
func conformanceCommand(a *app) *cobra.Command {
	var file, protocol string
	var given []string
	c := &cobra.Command{
		Use:   "conformance PROGRAM [ARGUMENT...]",
		Short: "Try whether a program of somebody else can play here, and how",
		Long: `Starts a program and tries what playing needs of it: the handshake, moves under
each kind of limit, legal moves over many plies, the same games twice. PROGRAM may be
the name of an engine of config.yaml or of --engine-file.

Exit code: 0 if all that is needed passed, 1 if not. A check that is not needed
says how the program can be used: one that ignores "go nodes" can play by depth,
one that does not play the same games twice is recorded.`,
		Example: `  sakusen engine conformance toga2
  sakusen engine conformance --protocol jsonl python3 lines.py`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.engine.studyEngines(studyFile{}, given, file); err != nil {
				return usage(err)
			}
			name := args[0]
			if _, known := a.engines.Find(name); !known || len(args) > 1 || c.Flags().Changed("protocol") {
				name = "program"
				s, err := external.Open([]external.Entry{{Name: name, Protocol: protocol, Command: args}})
				if err != nil {
					return usage(err)
				}
				a.engine.closeEngines()
				a.engines, s.Trying = s, a.wait.Step
			}
			return a.engine.conform(c.Context(), name)
		},
	}
	c.Flags().StringVar(&file, "engine-file", "", "a YAML file with the key engines, as in config.yaml")
	c.Flags().StringArrayVar(&given, "engine", nil, "an engine besides those of config.yaml, NAME=PROGRAM [ARGUMENT...] (repeatable)")
	c.Flags().StringVar(&protocol, "protocol", "uci", "what PROGRAM speaks: uci, usi, uai, ugi, gtp, command or jsonl")
	c.Flags().SetInterspersed(false)
	return c
}

// conform prints what a program was found to do.
func (a engineCommands) conform(ctx context.Context, name string) error {
	checks, failed := []external.Check{}, false
	err := a.engines.Conform(ctx, name, func(c external.Check) {
		checks = append(checks, c)
		failed = failed || c.Needed && !c.Passed
		if a.flags.asJSON {
			return
		}
		word := "ok"
		if !c.Passed {
			word = "no"
			if c.Needed {
				word = "FAILED"
			}
		}
		a.wait.Step("", 0, 0)
		fmt.Fprintf(a.out, "%-16s %-7s %s\n", c.Name, word, strings.ReplaceAll(c.Said, "\n", " "))
	})
	if ctx.Err() != nil {
		return err
	}
	if err != nil {
		return usage(err)
	}
	if a.flags.asJSON {
		if err := a.printJSON(map[string]any{"checks": checks, "passed": !failed}); err != nil {
			return err
		}
	}
	if failed {
		return cmdline.Verdict(cmdline.Negative)
	}
	return nil
}
