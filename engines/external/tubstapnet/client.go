package tubstapnet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/tubstap"
)

// client plays one game at a server.
type client struct {
	Name   string
	Player tubstap.Player
	Rules  tubstap.Rules
	Chance arena.Stream  // of the player
	Idle   time.Duration // without a command; 0 waits for ever
}

// Outcome is a game as the client saw it.
type Outcome struct {
	Team     tubstap.Team
	Opponent string
	Winner   tubstap.Team // Nobody for a draw
	// Game is the game as far as it went; nil before the map and the colour are known.
	Game *tubstap.Game
}

// session is a client's game in progress.
type session struct {
	*client
	m       *tubstap.Map
	team    tubstap.Team
	out     Outcome
	game    *tubstap.Game
	shown   *tubstap.State
	planned int // the last turn that was announced to the player, -1 for none
}

// errServer marks an error of a server that breaks the protocol.
var errServer = errors.New("the server")

// Play answers the server until the game is over, as the rules say, and
// closes the connection. An error means that there was no game to the end.
func (c *client) Play(ctx context.Context, conn net.Conn) (Outcome, error) {
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer func() { stop(); conn.Close() }()
	s := &session{client: c, team: tubstap.Nobody, planned: -1}
	w := newWire(conn)
	for s.game == nil || !s.game.State.Over() {
		var deadline time.Time
		if c.Idle > 0 {
			deadline = time.Now().Add(c.Idle)
		}
		l, err := w.filled(maxCommand, deadline)
		if err == nil {
			var answer string
			if answer, err = s.obey(l); err == nil {
				err = w.send("= "+answer+"\r\n\r\n", DefaultTimeout)
			}
		}
		if ctx.Err() != nil {
			return s.out, ctx.Err()
		}
		if err != nil {
			return s.out, err
		}
	}
	s.out.Winner, _ = s.game.State.Result()
	return s.out, nil
}

// obey carries out a command and returns the answer's text.
func (s *session) obey(line string) (string, error) {
	command, argument, _ := strings.Cut(line, " ")
	switch command {
	case "name":
		return s.Name, nil
	case "opponent":
		s.out.Opponent = cleanName(argument)
		return "", nil
	case "status", "gameover":
		return "", nil
	case "MAP":
		m, _, err := tubstap.ParseMap([]byte(argument))
		if err != nil {
			return "", fmt.Errorf("%w sent a bad map: %w", errServer, err)
		}
		s.m = m
		return "", s.begin()
	case "Color":
		if argument != "0" && argument != "1" {
			return "", fmt.Errorf("%w sent Color %q: want 0 or 1", errServer, shorten(argument))
		}
		s.team = tubstap.Team(argument[0] - '0')
		s.out.Team = s.team
		return "", s.begin()
	case "Genmove":
		return s.move()
	case "play":
		if s.game == nil || s.game.State.Over() || s.game.State.Mover() == s.team {
			return "", fmt.Errorf("%w sent play out of turn", errServer)
		}
		if _, err := play(s.game, argument); err != nil {
			return "", fmt.Errorf("%w sent play %q: %w", errServer, shorten(argument), err)
		}
		return "", nil
	}
	return "", fmt.Errorf("%w sent %q: want name, opponent, MAP, Color, Genmove or play", errServer, shorten(line))
}

// begin starts the game when map and colour are known.
func (s *session) begin() error {
	if s.m == nil || s.team == tubstap.Nobody {
		return nil
	}
	if s.game != nil {
		return fmt.Errorf("%w sent a map or a colour in the middle of the game", errServer)
	}
	s.game = tubstap.NewGame(s.m.Start(s.Rules))
	s.out.Game = s.game
	s.shown = s.game.State.Clone()
	s.game.Record.Red, s.game.Record.Blue = s.Name, s.out.Opponent
	if s.team == tubstap.Blue {
		s.game.Record.Red, s.game.Record.Blue = s.out.Opponent, s.Name
	}
	return nil
}

// move asks the player for an action.
func (s *session) move() (string, error) {
	if s.game == nil || s.game.State.Over() || s.game.State.Mover() != s.team {
		return "", fmt.Errorf("%w sent Genmove out of turn", errServer)
	}
	state := s.game.State
	if s.planned != state.Counter() {
		s.planned = state.Counter()
		s.shown.CopyFrom(state)
		s.Player.Turn(s.shown, &s.Chance)
	}
	s.shown.CopyFrom(state)
	a := s.Player.Act(s.shown)
	if err := state.Check(a); err != nil {
		return "", fmt.Errorf("our own player: %w", err)
	}
	step := state.StepOf(a)
	step.Damage, step.Counter = 0, 0
	return string(step.AppendText(nil)), s.game.Play(a)
}

// Visit is a number of games that a client plays at a server, each over a
// connection of its own. The client's Chance is drawn anew for each game, from
// the seed.
type Visit struct {
	client
	Address string // host:port
	Games   int
	Seed    uint64
}

// Check returns which part of a visit is wrong, by its flag.
func (v *Visit) Check() error {
	switch _, _, err := net.SplitHostPort(v.Address); {
	case v.Games < 1:
		return fmt.Errorf("--games: expected 1 or more, got %d", v.Games)
	case v.Idle < 0:
		return fmt.Errorf("--idle: expected 0 or a time such as 30s, got %s", v.Idle)
	case err != nil:
		return fmt.Errorf("--address: expected host:port, got %q", v.Address)
	case strings.ContainsAny(v.Name, "\r\n"):
		return errors.New("--name: expected one line")
	}
	return nil
}

// Play plays the games and has each one kept. It returns how many games were not
// played to the end.
func (v *Visit) Play(ctx context.Context, keep func(Outcome) error) (left int, err error) {
	for n := range v.Games {
		left := v.Games - n
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", v.Address)
		if err != nil {
			return left, fmt.Errorf("%s: %w", v.Address, err)
		}
		client := v.client
		client.Chance = arena.NewStream(v.Seed, uint64(n))
		out, err := client.Play(ctx, conn)
		if err != nil {
			return left, fmt.Errorf("game %d at %s: %w", n+1, v.Address, err)
		}
		if err := keep(out); err != nil {
			return left, err
		}
	}
	return 0, nil
}
