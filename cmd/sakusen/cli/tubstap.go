package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"

	"github.com/spf13/cobra"

	"sakusen/cmd/cmdline"
	"sakusen/engines/external/tubstapnet"
	"sakusen/engines/tubstap"
	tubstapplay "sakusen/strategies/tubstap"
)

// command returns the network referee and the client.
func (a tubstapCommands) command() command {
	return command{
		use: "tubstap", short: "Play TUBSTAP over the network, as the referee or as a client",
		long: `Plays with other programs over TUBSTAP's network protocol. serve is the referee
between two programs; connect lets one of Sakusen's strategies play at a server. The
protocol has neither passwords nor encryption, so both use the loopback
interface unless another address is given.`,
		sub: []command{
			{
				use: "serve", short: "Referee games between two programs", bind: a.serve,
				long: `Waits for programs that speak TUBSTAP's network protocol and plays games between
them, one after another. The program that sends its name first plays Red. Each
game is a line on standard output (a JSON object with --json). A program that is
silent for longer than --timeout, or sends an illegal action, loses its game.

Exit code: 0 when all --games are played, or when a server without --games is
interrupted; 130 when it is interrupted with games left to play.`,
				example: `  sakusen paper tubstap serve --port 7777 --map paper12b
  sakusen paper tubstap serve --games 10 --replays games --results results.csv`,
			},
			{
				use: "connect ENTRANT", short: "Let a strategy play at a TUBSTAP server", bind: a.connect,
				long: `Connects to a program that speaks the server's side of TUBSTAP's network
protocol, and plays. Each game is a line on standard output (a JSON object with
--json). If the server breaks the protocol, the game ends with exit code 5 and a message
that quotes what the server sent.`,
				example: `  sakusen paper tubstap connect "switch(measure=units,units_threshold=8)"
  sakusen paper tubstap connect "muct(simulations=2000)" --name ours --games 10 --seed 7`,
			},
		},
	}
}

func (a tubstapCommands) serve(c *cobra.Command) action {
	fs := c.Flags()
	host := fs.String("host", "127.0.0.1", "address to listen on; any address but the loopback interface is open to all who can reach it")
	port := fs.Int("port", 7777, "port to listen on, 0 for any that is free")
	games := fs.Int("games", 0, "games to play, 0 without end")
	battlefield := fs.String("map", "paper12b", "an embedded map or the path of a .tbsmap file")
	rules := fs.StringArray("rules", nil, "antiair_infantry=105 or 115")
	timeout := fs.Duration("timeout", tubstapnet.DefaultTimeout, "the longest wait for one answer")
	var files tubstapnet.Files
	fs.StringVar(&files.Replays, "replays", "", "keep every game as a replay (.sgf) in this folder")
	fs.StringVar(&files.Results, "results", "", "keep the counts of every pairing in this file (CSV, as TUBSTAP's AutoBattleResult)")
	fs.StringVar(&files.Combat, "combat-log", "", "keep a line for every finished game in this file (CSV, as TUBSTAP's combat log)")
	return func(ctx context.Context, _ []string) error {
		switch {
		case *port < 0 || *port > 65535:
			return usage(fmt.Errorf("--port: expected 0 to 65535, got %d", *port))
		case *games < 0:
			return usage(fmt.Errorf("--games: expected 0 or more, got %d", *games))
		case *timeout <= 0:
			return usage(fmt.Errorf("--timeout: expected a positive time such as 10s, got %s", *timeout))
		}
		options, err := tubstapOptions(*rules)
		if err != nil {
			return usage(err)
		}
		m, err := tubstapnet.OpenMap(*battlefield)
		if err != nil {
			return usage(fmt.Errorf("--map: %w", err))
		}
		if err := files.Open(); err != nil {
			return err
		}
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(*host, strconv.Itoa(*port)))
		if err != nil {
			return usage(fmt.Errorf("--host, --port: %w", err))
		}
		a.say("listening on %s, map %s", l.Addr(), m.Name)
		referee := tubstapnet.Referee{Map: m, Rules: options.Rules(), Timeout: *timeout}
		referee.Refused = func(caller net.Addr, why error) { a.say("sent away %s: %v", caller, why) }
		err = referee.Serve(ctx, l, *games, func(r tubstapnet.Result) error {
			told, err := files.Keep(r.Game, r.Winner, r.Fault)
			if err != nil {
				return err
			}
			return a.tellGame(told)
		})
		return ended(ctx, err, max(0, *games-files.Played()))
	}
}

// tellGame prints a game.
func (a tubstapCommands) tellGame(g tubstapnet.FinishedGame) error {
	return a.print(g, func(w io.Writer) error { _, err := fmt.Fprintln(w, g); return err })
}

func (a tubstapCommands) connect(c *cobra.Command) action {
	var v tubstapnet.Visit
	var files tubstapnet.Files
	fs := c.Flags()
	fs.StringVar(&v.Address, "address", tubstapnet.DefaultAddress, "address and port of the server")
	fs.StringVar(&v.Name, "name", "", "name given to the server (default: the entrant)")
	fs.IntVar(&v.Games, "games", 1, "games to play, each over its own connection")
	cmdline.Seed(fs, &v.Seed, 1, "seed of the strategy's chance")
	rules := fs.StringArray("rules", nil, "antiair_infantry=105 or 115, as the server has it")
	fs.DurationVar(&v.Idle, "idle", 0, "give up when the server is silent for this time; 0 waits without limit")
	fs.StringVar(&files.Replays, "replays", "", "keep every game as a replay (.sgf) in this folder")
	return func(ctx context.Context, args []string) error {
		if err := v.Check(); err != nil {
			return usage(err)
		}
		options, err := tubstapOptions(*rules)
		if err != nil {
			return usage(err)
		}
		game, err := a.catalogue.Game("tubstap")
		if err != nil {
			return usage(err)
		}
		v.Rules = options.Rules()
		var name string
		if v.Player, name, err = tubstapnet.NewPlayer(game, tubstapplay.Strategies(), options, args[0]); err != nil {
			return usage(err)
		}
		v.Name = cmp.Or(v.Name, name)
		if err := files.Open(); err != nil {
			return err
		}
		left, err := v.Play(ctx, func(out tubstapnet.Outcome) error {
			told, err := files.Keep(out.Game, out.Winner, nil)
			if err != nil {
				return err
			}
			return a.tellGame(told)
		})
		return ended(ctx, err, left)
	}
}

// tubstapOptions reads the options of the rules that both ends must agree on.
func tubstapOptions(rules []string) (*tubstap.Options, error) {
	values, err := parseRules(rules)
	if err != nil {
		return nil, err
	}
	return tubstapnet.ReadOptions(values)
}

// ended turns the end of a network command into its exit code.
func ended(ctx context.Context, err error, left int) error {
	if ctx.Err() == nil || err == nil {
		return err
	}
	if left == 0 {
		return nil // a server without a number of games ends when told to
	}
	return cmdline.Exit(cmdline.Interrupted, fmt.Errorf("interrupted, %d games not played", left))
}
