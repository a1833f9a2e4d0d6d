package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/engines/external/tubstapnet"
)

type tubstapConnectFlags struct {
	address, name string
	games         int
	seed          uint64
	rules         []string
	idle          time.Duration
	replays       string
}

func tubstapConnectCommand(a *app) *cobra.Command {
	var f tubstapConnectFlags
	c := &cobra.Command{
		Use:   "connect ENTRANT",
		Short: "Lets a strategy play at a TUBSTAP server",
		Long: `Connects to a program that speaks the server's side of TUBSTAP's network
protocol, and plays. Each game is a line on standard output (a JSON object with
--json). A server that does not keep to the protocol ends the game with exit
code 5 and a message that says what it sent.`,
		Example: `  sakusen tubstap connect "switch(threshold=8)"
  sakusen tubstap connect "muct(simulations=2000)" --name ours --games 10 --seed 7`,
		Args: exactly(1, "one entrant after tubstap connect"),
		RunE: func(c *cobra.Command, args []string) error { return tubstapConnect(a, c.Context(), &f, args[0]) },
	}
	fs := c.Flags()
	fs.StringVar(&f.address, "address", tubstapnet.DefaultAddress, "address and port of the server")
	fs.StringVar(&f.name, "name", "", "name to tell the server (default: the entrant)")
	fs.IntVar(&f.games, "games", 1, "games to play, each over a connection of its own")
	fs.Uint64Var(&f.seed, "seed", 1, "seed of the strategy's chance")
	fs.StringArrayVar(&f.rules, "rules", nil, "antiair_infantry=105 or 115, as the server has it")
	fs.DurationVar(&f.idle, "idle", 0, "give up when the server is silent for as long; 0 waits for ever")
	fs.StringVar(&f.replays, "replays", "", "keep every game as a replay (.sgf) in this folder")
	return c
}

func tubstapConnect(a *app, ctx context.Context, f *tubstapConnectFlags, entrant string) error {
	if f.games < 1 {
		return usage(fmt.Errorf("--games: expected 1 or more, got %d", f.games))
	}
	if f.idle < 0 {
		return usage(fmt.Errorf("--idle: expected 0 or a time such as 30s, got %s", f.idle))
	}
	if _, _, err := net.SplitHostPort(f.address); err != nil {
		return usage(fmt.Errorf("--address: expected host:port, got %q", f.address))
	}
	if strings.ContainsAny(f.name, "\r\n") {
		return usage(errors.New("--name: expected one line"))
	}
	options, err := tubstapOptions(f.rules)
	if err != nil {
		return usage(err)
	}
	player, name, err := tubstapPlayer(a, options, entrant)
	if err != nil {
		return usage(err)
	}
	if f.name != "" {
		name = f.name
	}
	kept := replays{f.replays}
	if err := kept.open(); err != nil {
		return err
	}
	for n := range f.games {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", f.address)
		if err != nil {
			return ended(ctx, fmt.Errorf("%s: %w", f.address, err), f.games-n)
		}
		client := tubstapnet.Client{Name: name, Player: player, Rules: options.Rules(), Chance: playerChance(f.seed, n), Idle: f.idle}
		out, err := client.Play(ctx, conn)
		if err != nil {
			return ended(ctx, fmt.Errorf("game %d at %s: %w", n+1, f.address, err), f.games-n)
		}
		out.Game.Record.Date = time.Now().Format(tubstapDate)
		told := tubstapGameOf(n+1, out.Game, out.Winner, nil)
		if told.Replay, err = kept.save(n+1, &out.Game.Record); err != nil {
			return err
		}
		if err := tellGame(a, told); err != nil {
			return err
		}
	}
	return nil
}
