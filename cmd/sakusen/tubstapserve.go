package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"sakusen/engines/external/tubstapnet"
	"sakusen/engines/tubstap"
)

type tubstapServeFlags struct {
	host            string
	port, games     int
	battlefield     string
	rules           []string
	timeout         time.Duration
	replays         string
	results, combat string
}

func tubstapServeCommand(a *app) *cobra.Command {
	var f tubstapServeFlags
	c := &cobra.Command{
		Use:   "serve",
		Short: "Referees games between two programs",
		Long: `Waits for programs that speak TUBSTAP's network protocol and plays games between
them, one after another: the first of two to tell its name is Red. Each game is
a line on standard output (a JSON object with --json). A program that is silent
for longer than --timeout, or answers with what is no legal action, loses its
game. Exit code 0 when all --games are played, or when a server without a
number of games is interrupted; 130 when games were left.`,
		Example: `  sakusen tubstap serve --port 7777 --map paper12b
  sakusen tubstap serve --games 10 --replays games --results results.csv`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return tubstapServe(a, c.Context(), &f) },
	}
	fs := c.Flags()
	fs.StringVar(&f.host, "host", "127.0.0.1", "address to listen on; anything but the loopback interface is open to all who can reach it")
	fs.IntVar(&f.port, "port", 7777, "port to listen on, 0 for any that is free")
	fs.IntVar(&f.games, "games", 0, "games to play, 0 without end")
	fs.StringVar(&f.battlefield, "map", "paper12b", "an embedded map or the path of a .tbsmap file")
	fs.StringArrayVar(&f.rules, "rules", nil, "antiair_infantry=105 or 115")
	fs.DurationVar(&f.timeout, "timeout", tubstapnet.DefaultTimeout, "the longest wait for one answer")
	fs.StringVar(&f.replays, "replays", "", "keep every game as a replay (.sgf) in this folder")
	fs.StringVar(&f.results, "results", "", "keep the counts of every pairing in this file (CSV, as TUBSTAP's AutoBattleResult)")
	fs.StringVar(&f.combat, "combat-log", "", "keep a line for every finished game in this file (CSV, as TUBSTAP's combat log)")
	return c
}

// tubstapServer is the games of one run of the command.
type tubstapServer struct {
	*app
	referee tubstapnet.Referee
	flags   *tubstapServeFlags
	replays replays
	played  int
	reports []*tubstap.Report
	combat  bytes.Buffer
}

func tubstapServe(a *app, ctx context.Context, f *tubstapServeFlags) error {
	switch {
	case f.port < 0 || f.port > 65535:
		return usage(fmt.Errorf("--port: expected 0 to 65535, got %d", f.port))
	case f.games < 0:
		return usage(fmt.Errorf("--games: expected 0 or more, got %d", f.games))
	case f.timeout <= 0:
		return usage(fmt.Errorf("--timeout: expected a positive time such as 10s, got %s", f.timeout))
	}
	options, err := tubstapOptions(f.rules)
	if err != nil {
		return usage(err)
	}
	m, err := openMap(f.battlefield)
	if err != nil {
		return usage(fmt.Errorf("--map: %w", err))
	}
	s := &tubstapServer{app: a, flags: f, replays: replays{f.replays}}
	s.referee = tubstapnet.Referee{Map: m, Rules: options.Rules(), Timeout: f.timeout}
	if err := s.replays.open(); err != nil {
		return err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(f.host, strconv.Itoa(f.port)))
	if err != nil {
		return usage(fmt.Errorf("--host, --port: %w", err))
	}
	a.say("listening on %s, map %s", l.Addr(), m.Name)
	err = s.referee.Serve(ctx, l, f.games, s.report)
	return ended(ctx, err, max(0, f.games-s.played))
}

// tubstapGame is a finished game as the command tells it.
type tubstapGame struct {
	Game      int    `json:"game"`
	Map       string `json:"map,omitempty"` // a client is not told its name
	Red       string `json:"red"`
	Blue      string `json:"blue"`
	Winner    string `json:"winner"` // red, blue or draw
	Ending    string `json:"ending"` // annihilation, resignation, turnlimit or fault
	HalfTurns int    `json:"half_turns"`
	HP        [2]int `json:"hp"`
	Fault     string `json:"fault,omitempty"`
	Replay    string `json:"replay,omitempty"`
}

// tubstapGameOf describes a game; fault is why it ended early, or nil.
func tubstapGameOf(n int, g *tubstap.Game, winner tubstap.Team, fault error) tubstapGame {
	_, end := g.State.Result()
	out := tubstapGame{
		Game: n, Map: g.Record.Map.Name, Red: g.Record.Red, Blue: g.Record.Blue, Winner: "draw",
		Ending: end.String(), HalfTurns: g.State.Counter(),
		HP: [2]int{g.State.HP(tubstap.Red), g.State.HP(tubstap.Blue)},
	}
	if winner != tubstap.Nobody {
		out.Winner = winner.String()
	}
	if fault != nil {
		out.Ending, out.Fault = "fault", fault.Error()
	}
	return out
}

// line is the game for people.
func (g tubstapGame) line() string {
	where, result := "", "draw"
	if g.Map != "" {
		where = " on " + g.Map
	}
	if g.Winner != "draw" {
		result = g.Winner + " wins"
	}
	text := fmt.Sprintf("game %d%s: red %s against blue %s: %s, %s after %d half-turns, HP %d to %d",
		g.Game, where, g.Red, g.Blue, result, g.Ending, g.HalfTurns, g.HP[0], g.HP[1])
	if g.Fault != "" {
		text += " (" + g.Fault + ")"
	}
	return text
}

// report tells and keeps one game.
func (s *tubstapServer) report(result tubstapnet.Result) error {
	s.played++
	now := time.Now()
	result.Game.Record.Date = now.Format(tubstapDate)
	told := tubstapGameOf(s.played, result.Game, result.Winner, result.Fault)
	var err error
	if told.Replay, err = s.replays.save(s.played, &result.Game.Record); err != nil {
		return err
	}
	if err := errors.Join(s.count(&result), s.log(&result)); err != nil {
		return err
	}
	return tellGame(s.app, told)
}

// tellGame prints a game.
func tellGame(a *app, g tubstapGame) error {
	if a.flags.asJSON {
		return a.printJSON(g)
	}
	_, err := fmt.Fprintln(a.out, g.line())
	return err
}

// count adds the game to its pairing and writes the file of results. A game
// decided by a fault counts as resigned.
func (s *tubstapServer) count(result *tubstapnet.Result) error {
	if s.flags.results == "" {
		return nil
	}
	var report *tubstap.Report
	for _, r := range s.reports {
		if r.Red == result.Names[0] && r.Blue == result.Names[1] {
			report = r
		}
	}
	if report == nil {
		report = &tubstap.Report{MapName: s.referee.Map.Name, Red: result.Names[0], Blue: result.Names[1]}
		s.reports = append(s.reports, report)
	}
	_, end := result.Game.State.Result()
	if result.Fault != nil {
		end = tubstap.Resignation
	}
	report.Add(result.Winner, end)
	text := []byte(tubstap.ReportHeader + "\n")
	for _, r := range s.reports {
		text = append(text, r.String()+"\n"...)
	}
	return writeWhole(filepath.Clean(s.flags.results), text)
}

// log adds a line to the combat log; a game decided by a fault has none.
func (s *tubstapServer) log(result *tubstapnet.Result) error {
	if s.flags.combat == "" {
		return nil
	}
	if s.combat.Len() == 0 {
		s.combat.WriteString(tubstap.CombatHeader + "\n")
	}
	if result.Fault == nil {
		s.combat.WriteString(result.Game.CombatLine() + "\n")
	}
	return writeWhole(filepath.Clean(s.flags.combat), s.combat.Bytes())
}
