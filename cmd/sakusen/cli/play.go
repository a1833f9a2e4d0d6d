package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sakusen/cmd/cmdline"
	"sakusen/engines/arena"
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/arena/console"
	"sakusen/engines/arena/play"
	"sakusen/engines/param"
	"sakusen/engines/plain"
	"sakusen/tuner/contest"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
)

func (a gameCommands) gamesCommand() command {
	return command{use: "games [GAME]", short: "List the games, the options of their rules and their metrics", do: a.listGames}
}

// listGames lists the games.
func (a gameCommands) listGames(_ context.Context, args []string) error {
	games, _, err := a.chosenGames(args, nil)
	if err != nil {
		return usage(err)
	}
	var reports []service.GameInfo
	for _, g := range games {
		r, err := service.DescribeGame(g)
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	return a.print(map[string]any{"games": reports}, func(w io.Writer) error { return view.Games(w, reports) })
}

func (a gameCommands) strategiesCommand() command {
	return command{
		use: "strategies [GAME [STRATEGY]]", short: "List the strategies of a game, or of all games, with their parameters", bind: a.listStrategies,
		long: `Lists strategies with their parameters: the possible values, the default, and the
condition under which a parameter has an effect. A parameter marked "fixed" is a
convention or a budget of thinking time: a study tunes it only if the study file
names it.`,
	}
}

// listStrategies lists strategies.
func (a gameCommands) listStrategies(c *cobra.Command) action {
	rules := c.Flags().StringArray("rules", nil, "option of GAME's rules, name=value (repeatable): spaces may depend on them")
	return func(_ context.Context, args []string) error {
		games, values, err := a.chosenGames(args, *rules)
		if err != nil {
			return usage(err)
		}
		var reports []service.StrategiesInfo
		for _, g := range games {
			rs, err := g.OpenRules(values)
			if err != nil {
				return usage(err)
			}
			r, err := service.DescribeStrategies(rs, append(args, "", "")[1])
			if err != nil {
				return usage(err)
			}
			reports = append(reports, r)
		}
		return a.print(map[string]any{"games": reports}, func(w io.Writer) error { return view.Strategies(w, reports) })
	}
}

// chosenGames returns the named game, or all.
func (a gameCommands) chosenGames(args, rules []string) (arena.Catalogue, param.Values, error) {
	values, err := parseRules(rules)
	if err != nil {
		return nil, nil, err
	}
	if len(args) == 0 {
		if len(values) > 0 {
			return nil, nil, fmt.Errorf("--rules needs a GAME")
		}
		return a.catalogue, nil, nil
	}
	g, err := a.catalogue.Game(args[0])
	return arena.Catalogue{g}, values, err
}

// playFlags are the command line of play.
type playFlags struct {
	rules        []string
	seed         uint64
	save, replay string
	resume       string
	on           map[string]*bool   // switches of rooms, by name
	files        map[string]*string // replay files of games to write, by flag
	given        func(flag string) bool
}

func (a gameCommands) playCommand() command {
	return command{
		use: "play GAME ENTRANT...", short: "Play or watch one game in the terminal", bind: a.play,
		long: `Plays one game in the terminal. If every seat has an ENTRANT, you watch the game
line by line. To play yourself, name an entrant "me", or leave one entrant out: you then
have the first seat. Type help at the prompt for a list of inputs.

--save writes the game, with all that you typed, to a file that
--replay plays again, and --resume goes on with. Ctrl-C and the end of the input
keep the game as well, in GAME-SEED.play.` + play.ReplaysHelp(a.games),
		example: `  sakusen play battleship EX --heat
  sakusen play battleship MP70/ED2SP me --save game.txt
  sakusen play battleship EX MP70 --seed 7
  sakusen play tubstap me single --rules map=own02 --sgf game.sgf
  sakusen play --replay game.txt`,
	}
}

// play plays one game.
func (a gameCommands) play(c *cobra.Command) action {
	c.Args = cobra.ArbitraryArgs // none with --replay and --resume
	f := playFlags{on: map[string]*bool{}, files: map[string]*string{}, given: c.Flags().Changed}
	fs := c.Flags()
	cmdline.Seed(fs, &f.seed, 0, "seed of all chance (default: drawn, and printed)")
	fs.StringArrayVar(&f.rules, "rules", nil, "option of the rules, name=value (repeatable)")
	fs.StringVar(&f.save, "save", "", "keep the game in this file")
	fs.StringVar(&f.replay, "replay", "", "play the game of this file again")
	fs.StringVar(&f.resume, "resume", "", "continue the game of this file")
	f.declare(fs, a.games)
	return func(ctx context.Context, args []string) error {
		if text, err := plain.ReadFile(f.replay, plain.MostRecord); err == nil && len(args) == 0 {
			if files := play.ReplaysOf(a.games, text); files != nil {
				return a.tellReplay(files, f.replay, text, f.rules)
			}
		}
		g, err := a.newPlay(&f, args)
		if err != nil {
			return usage(err)
		}
		return a.runPlay(ctx, g, &f)
	}
}

// declare adds the flags that the games' rooms bring.
func (f *playFlags) declare(fs *pflag.FlagSet, games catalogue.Games) {
	for _, g := range games {
		if g.Console == nil {
			continue
		}
		for _, s := range g.Console.Switches {
			if f.on[s.Name] == nil {
				f.on[s.Name] = fs.Bool(s.Name, false, s.Usage)
			}
		}
		if r := g.Console.Replays; r != nil && f.files[r.Flag] == nil {
			f.files[r.Flag] = fs.String(r.Flag, "", r.Usage)
		}
	}
}

// tellReplay prints a game that a replay file holds. A bad file prints nothing.
func (a gameCommands) tellReplay(files *console.Replays, file string, text []byte, flags []string) error {
	rules, err := parseRules(flags)
	if err != nil {
		return usage(err)
	}
	told, warnings, err := files.Tell(text, rules, a.colour())
	if err != nil {
		return usage(fmt.Errorf("%s: %w", file, err))
	}
	for _, w := range warnings {
		a.say("%s: %s", file, w)
	}
	_, err = fmt.Fprint(a.out, told)
	return err
}

// newPlay reads the command line, or the file to replay; every error is bad
// usage.
func (a gameCommands) newPlay(f *playFlags, args []string) (*play.Game, error) {
	var r play.SavedGame
	switch {
	case a.flags.asJSON:
		return nil, errors.New("play: expected a person, got --json (match --json and analyse are for programs)")
	case f.replay != "" || f.resume != "":
		if len(args) > 0 || f.given("seed") || f.given("rules") || f.save != "" || f.replay != "" && f.resume != "" {
			return nil, fmt.Errorf("--%s: expected a file alone, which tells the game, its entrants and its seed", map[bool]string{true: "replay", false: "resume"}[f.replay != ""])
		}
		var err error
		if r, err = play.Load(f.replay + f.resume); err != nil {
			return nil, err
		}
		f.save = f.resume
	case len(args) < 2:
		return nil, fmt.Errorf("expected a game and its entrants, got %d arguments", len(args))
	default:
		rules, err := parseRules(f.rules)
		if err != nil {
			return nil, err
		}
		r = play.SavedGame{Game: args[0], Rules: rules, Entrants: args[1:], Seed: f.seed}
		if !f.given("seed") {
			r.Seed = play.DrawSeed()
		}
	}
	game, err := a.catalogueOf(".").Game(r.Game)
	if err != nil {
		return nil, err
	}
	rules, err := game.OpenRules(contest.WithSeats(game, r.Rules, len(r.Entrants)))
	if err != nil {
		return nil, err
	}
	if err := play.Keepable(a.games, r.Game, f.save, f.files); err != nil {
		return nil, err
	}
	g, err := play.Open(a.games, rules, r)
	if err != nil {
		return nil, err
	}
	g.Again, g.Resume, g.Colour, g.Date = f.replay != "", f.resume != "", a.colour(), time.Now().Format(time.DateTime)
	for name, on := range f.on {
		if *on {
			g.On = append(g.On, name)
		}
	}
	return g, nil
}

// runPlay plays a game, and saves the record however the game ends.
func (a gameCommands) runPlay(ctx context.Context, g *play.Game, f *playFlags) error {
	a.say("seed %d", g.Seed)
	err := g.Play(ctx, play.Streams{In: a.in, Out: a.boardOut()})
	if errors.Is(err, console.ErrInterrupted) {
		err = cmdline.Exit(cmdline.Interrupted, err)
	}
	kept, bad := g.Keep(f.save, f.files, plain.WriteText)
	if kept != "" {
		a.say("the game is kept: sakusen play --resume %s goes on", kept)
	}
	return errors.Join(err, bad)
}

// boardOut returns where a board is drawn: with colours on the terminal itself.
func (a gameCommands) boardOut() io.Writer {
	if a.colour() {
		return a.rawOut
	}
	return a.out
}

// colour reports whether standard output shows colours.
func (a gameCommands) colour() bool {
	if text, set := a.env("NO_COLOR"); set && text != "" {
		return false
	}
	f, ok := a.rawOut.(*os.File)
	return ok && isTerminal(f)
}
