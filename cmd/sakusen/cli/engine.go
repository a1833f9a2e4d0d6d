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
	"sakusen/engines/plain"
	"sakusen/tuner/config"
	"sakusen/tuner/contest"
	"sakusen/tuner/contest/players"
	"sakusen/tuner/queue/enginestore"
)

// openEngines makes the engines of the settings players of their games, after those
// given as NAME=PROGRAM and those of a file, which go before. Nothing is started.
func (a engineCommands) openEngines(given []string, file []config.Engine) error {
	if a.builtIn == nil {
		a.builtIn = a.games
	}
	a.closeEngines()
	stored, err := a.store().Entries()
	if err != nil { // a store that is damaged has none
		a.say("the store of engines %s: %v", enginestore.Of(a.settings.Text("database")), err)
	}
	open := func(stored []external.Entry) (err error) {
		a.engines, a.games, err = players.Open(a.builtIn, int64(a.settings.Integer("engine_memory"))<<20, given, slices.Concat(file, a.settings.Engines), stored)
		return err
	}
	if err = open(stored); err != nil && len(stored) > 0 {
		why := err
		if err = open(nil); err == nil { // one of the store has a name that is taken
			a.say("the store of engines %s is not used: %v (sakusen engine rm NAME)", enginestore.Of(a.settings.Text("database")), why)
		}
	}
	if err == nil {
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

// unrepeatable reports whether a match's games cannot be played again. Where nothing of
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

// closeEngines ends the processes of engines, and says which of them failed on the way.
func (a engineCommands) closeEngines() {
	if a.engines != nil {
		for _, line := range a.engines.AskedAgain() {
			a.say("warning: %s", line)
		}
		a.engines.Close()
	}
}

// engineFlags are the engines of one command line.
type engineFlags struct {
	given []string
	file  string
}

// addEngineFlags declares them; what says whose they are.
func addEngineFlags(c *cobra.Command, what string) *engineFlags {
	var f engineFlags
	f.add(c, what)
	c.Flags().StringVar(&f.file, "engine-file", "", "a YAML file with the key engines, as in config.yaml")
	return &f
}

// add declares those that are given alone.
func (f *engineFlags) add(c *cobra.Command, what string) {
	c.Flags().StringArrayVar(&f.given, "engine", nil, what+", NAME=PROGRAM [ARGUMENT...] (repeatable)")
}

// open opens them, and those of a study file.
func (f *engineFlags) open(a engineCommands, study studyFile) error {
	return a.studyEngines(study, f.given, f.file)
}

// command returns the commands about programs of other people.
func (a engineCommands) command() command {
	return command{
		use: "engine", short: "List, show, check and store engines: programs from elsewhere that can play a game",
		long: `Engines are programs from elsewhere that can play a game. They are registered in
config.yaml, or stored beside the database, from where a daemon hands them out to its
workers. A study file that you got from others can thus start only programs that you have
registered.

  engines:
    toga: {command: [toga2], options: [{name: Hash, value: 16}]}`,
		sub: []command{
			{use: "list", short: "List the registered engines, without starting them", bind: a.list},
			{use: "show NAME", short: "Start an engine and show its name and its options", bind: a.describe},
			a.addCommand(), a.buildCommand(),
			{
				use: "rm NAME", short: "Take an engine out of the store", do: a.remove,
				long: `Deletes an engine that engine add or engine build has stored, with the files
that no other engine uses. A running daemon reads the store again at SIGHUP.`,
			},
			a.conformanceCommand(), a.bookCommand(),
		},
	}
}

// list lists the registered engines.
func (a engineCommands) list(c *cobra.Command) action {
	var f engineFlags
	f.add(c, "an engine besides those of config.yaml")
	return func(context.Context, []string) error {
		if err := a.openEngines(f.given, nil); err != nil {
			return usage(err)
		}
		lines := []engineLine{}
		for _, e := range a.engines.Entries() {
			line := engineLine{Name: e.Name, Protocol: e.Speaks(), Command: e.Command}
			if m, err := a.store().Manifest(e.Package); err == nil {
				line.Package, line.Systems, line.Size, line.Origin = e.Package, m.Systems(), m.Size(), m.Origin
			}
			lines = append(lines, line)
		}
		return a.listing(map[string]any{"engines": lines}, func(line func(...any)) {
			for _, e := range lines {
				if e.Package != "" {
					line(e.Name, e.Protocol, fmt.Sprintf("in the store: %s, %s, %s", e.Package[:12], e.Systems, megabytes(e.Size)))
					continue
				}
				line(e.Name, e.Protocol, strings.Join(e.Command, " "))
			}
		})
	}
}

// describe starts an engine and shows what it says of itself.
func (a engineCommands) describe(c *cobra.Command) action {
	var f engineFlags
	f.add(c, "an engine besides those of config.yaml")
	return func(_ context.Context, args []string) error {
		if err := a.openEngines(f.given, nil); err != nil {
			return usage(err)
		}
		info, err := a.engines.Describe(args[0])
		if err != nil {
			return usage(err)
		}
		return a.print(info, func(w io.Writer) error { return errors.Join(info.WriteText(w), a.writePackage(w, args[0])) })
	}
}

func (a engineCommands) bookCommand() command {
	return command{
		use: "book --engine NAME", short: "Make a book of chess openings in EPD with an engine", bind: a.book,
		long: `Makes random moves from the start, and keeps a position if an engine finds either
side ahead by as much as --eval says. The same seed, engine and limit give the
same book, whatever the number of workers. --rules book=FILE plays from it.`,
		example: `  sakusen engine book --games 1500 --engine stockfish=stockfish --out book.epd`,
	}
}

// book makes a book of openings.
func (a engineCommands) book(c *cobra.Command) action {
	var o external.Book
	var eval, limit, file string
	var games int64
	fs := c.Flags()
	fs.StringVar(&o.Engine, "engine", "", "a registered engine, or NAME=PROGRAM [ARGUMENT...]")
	fs.IntVar(&o.Count, "count", 2000, "openings")
	fs.Int64Var(&games, "games", 0, "make enough openings for a study of this many games, 7 for 10 games, instead of --count")
	cmdline.Exclude(c, "count", "games")
	fs.IntVar(&o.Plies, "plies", 8, "random moves from the start")
	fs.StringVar(&eval, "eval", "60..130", "by how much either side is ahead, LOW..HIGH, hundredths of a pawn")
	fs.StringVar(&limit, "limit", "nodes:1000", "search of each position, nodes:N or depth:N")
	fs.StringVar(&file, "out", "", "file for the book (default: printed)")
	cmdline.Seed(fs, &o.Seed, 1, "seed of the random moves")
	return func(ctx context.Context, _ []string) (err error) {
		var given []string
		if name, _, named := strings.Cut(o.Engine, "="); named {
			given, o.Engine = []string{o.Engine}, name
		}
		if games != 0 {
			o.Count = int(min(games, 10000000)*7+9) / 10
		}
		if o.Low, o.High, err = external.ParseEval(eval); err == nil {
			if o.Limit, err = chess.ParseLimit(limit); err != nil {
				err = fmt.Errorf("--limit: %w", err)
			} else {
				err = errors.Join(o.Check(), a.openEngines(given, nil))
			}
		}
		if err != nil {
			return usage(err)
		}
		if _, known := a.engines.Find(o.Engine); !known {
			return usage(fmt.Errorf("--engine: expected an engine of config.yaml, or NAME=PROGRAM, got %q", o.Engine))
		}
		o.Workers = a.workers()
		write := func(w io.Writer) error { return o.Write(ctx, w, a.engines) }
		if file == "" {
			return write(a.out)
		}
		return plain.WriteFile(file, write)
	}
}

// engineLine is an engine in the list.
type engineLine struct {
	Name     string   `json:"name"`
	Protocol string   `json:"protocol"`
	Command  []string `json:"command"`
	// The rest is of one that is in the store.
	Package string              `json:"package,omitempty"` // hash of its manifest
	Systems string              `json:"systems,omitempty"`
	Size    int64               `json:"size,omitempty"` // bytes of its files
	Origin  *enginestore.Origin `json:"origin,omitempty"`
}

func (a engineCommands) conformanceCommand() command {
	return command{
		use: "conformance PROGRAM [ARGUMENT...]", short: "Check whether a program can play here, and how", bind: a.conformance,
		long: `Starts a program and checks that it can play: the handshake, moves under each
kind of limit, legal moves over many plies, the same games when played twice. PROGRAM may be
the name of an engine of config.yaml or of --engine-file.

Exit code: 0 if all required checks passed, 1 if not. The other checks say how the program
can be used: a program that ignores "go nodes" can play by depth, and the games of one
that does not play the same games twice are recorded.`,
		example: `  sakusen engine conformance toga2
  sakusen engine conformance --protocol jsonl python3 lines.py`,
	}
}

// conformance tests an external program.
func (a engineCommands) conformance(c *cobra.Command) action {
	engines := addEngineFlags(c, "an engine besides those of config.yaml")
	protocol := c.Flags().String("protocol", "uci", "protocol of PROGRAM: uci, usi, uai, ugi, gtp, command or jsonl")
	c.Flags().SetInterspersed(false)
	return func(ctx context.Context, args []string) error {
		if len(args) == 2 && (args[1] == "--help" || args[1] == "-h") && c.ArgsLenAtDash() < 0 {
			return c.Help() // no program plays when it is asked for its help
		}
		if err := engines.open(a, studyFile{}); err != nil {
			return usage(err)
		}
		name := args[0]
		if _, known := a.engines.Find(name); !known || len(args) > 1 || c.Flags().Changed("protocol") {
			name = "program"
			s, err := external.Open([]external.Entry{{Name: name, Protocol: *protocol, Command: args}})
			if err != nil {
				return usage(err)
			}
			a.closeEngines()
			a.engines, s.Trying = s, a.wait.Step
		}
		return a.conform(ctx, name)
	}
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
