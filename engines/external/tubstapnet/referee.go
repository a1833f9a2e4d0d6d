package tubstapnet

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"time"
	"unicode/utf8"

	"sakusen/engines/tubstap"
)

// DefaultTimeout is the time for one answer: the turn of the competitions.
const DefaultTimeout = 10 * time.Second

// Referee plays games between two connected clients.
type Referee struct {
	Map     *tubstap.Map
	Rules   tubstap.Rules
	Timeout time.Duration // for each answer; 0 is DefaultTimeout
	// Refused hears of callers that are sent away before a game, one at a time, unless it
	// is nil.
	Refused func(caller net.Addr, why error)
}

// Result is a finished game.
type Result struct {
	Winner tubstap.Team // Nobody for a draw
	Names  [2]string    // of Red and Blue
	// Fault says why the loser lost before the end of the game, or is nil.
	Fault error
	// Game is the game as far as it went; nil if a client gave no name.
	Game *tubstap.Game
}

// seat is one client in a game.
type seat struct {
	*wire
	name string
}

// fault is a mistake of one side that decides the game.
type fault struct {
	team tubstap.Team
	err  error
}

func (f *fault) Error() string { return fmt.Sprintf("%v: %v", f.team, f.err) }
func (f *fault) Unwrap() error { return f.err }

func (r *Referee) timeout() time.Duration {
	if r.Timeout == 0 {
		return DefaultTimeout
	}
	return r.Timeout
}

// Play plays one game and closes both connections. The error is that of ctx;
// mistakes of the clients are the result's Fault.
func (r *Referee) Play(ctx context.Context, red, blue net.Conn) (Result, error) {
	seats := [2]*seat{{wire: newWire(red)}, {wire: newWire(blue)}}
	stop := context.AfterFunc(ctx, func() { red.Close(); blue.Close() })
	defer func() { stop(); red.Close(); blue.Close() }()
	var result Result
	for team, s := range seats {
		name, err := s.ask("name", r.timeout())
		if err != nil {
			return r.lost(ctx, result, &fault{tubstap.Team(team), fmt.Errorf("name: %w", err)})
		}
		s.name = cleanName(name)
		result.Names[team] = s.name
	}
	return r.seated(ctx, seats, result)
}

// seated plays the game between clients that have told their names.
func (r *Referee) seated(ctx context.Context, seats [2]*seat, result Result) (Result, error) {
	result.Names = [2]string{seats[0].name, seats[1].name}
	game := tubstap.NewGame(r.Map.Start(r.Rules))
	result.Game = game
	game.Record.Red, game.Record.Blue = seats[0].name, seats[1].name
	err := r.greet(seats)
	for err == nil && !game.State.Over() {
		err = r.action(seats, game)
	}
	if err != nil {
		return r.lost(ctx, result, err)
	}
	result.Winner, _ = game.State.Result()
	return result, nil
}

// lost gives the game to the other side.
func (r *Referee) lost(ctx context.Context, result Result, err error) (Result, error) {
	if ctx.Err() != nil {
		return result, ctx.Err()
	}
	f := err.(*fault)
	result.Winner, result.Fault = f.team.Other(), f
	return result, nil
}

func (r *Referee) greet(seats [2]*seat) error {
	text := bytes.ReplaceAll(r.Map.AppendText(nil), []byte("\n"), nil)
	for team, s := range seats {
		for _, command := range []string{
			"opponent " + seats[1-team].name, "MAP " + string(text), fmt.Sprintf("Color %d", team),
		} {
			if _, err := s.ask(command, r.timeout()); err != nil {
				return &fault{tubstap.Team(team), fmt.Errorf("%.8s: %w", command, err)}
			}
		}
	}
	return nil
}

// action gets one action of the mover and passes it on. Damage and counter
// go over the wire as 0.
func (r *Referee) action(seats [2]*seat, game *tubstap.Game) error {
	mover := game.State.Mover()
	text, err := seats[mover].ask("Genmove", r.timeout())
	if err != nil {
		r.won(seats[mover.Other()])
		return &fault{mover, fmt.Errorf("answer to Genmove: %w", err)}
	}
	step, err := play(game, text)
	if err != nil {
		r.won(seats[mover.Other()])
		return &fault{mover, fmt.Errorf("answer %q to Genmove: %w", shorten(text), err)}
	}
	if step.Type == tubstap.TypeResign {
		r.won(seats[mover.Other()])
		return nil
	}
	step.Damage, step.Counter = 0, 0
	if _, err := seats[mover.Other()].ask("play "+string(step.AppendText(nil)), r.timeout()); err != nil {
		return &fault{mover.Other(), fmt.Errorf("play: %w", err)}
	}
	return nil
}

// won tells a side, which waits, that the other has resigned or lost by a fault. The
// game is decided, whatever it answers.
func (r *Referee) won(waiting *seat) {
	_, _ = waiting.ask("play "+string(tubstap.Resign().AppendText(nil)), r.timeout())
}

// play applies the eleven numbers to the game, under strict legality, and
// returns them as the rules have them.
func play(game *tubstap.Game, text string) (tubstap.Step, error) {
	step, err := tubstap.ParseStep(text)
	if err != nil {
		return step, err
	}
	switch step.Type {
	case tubstap.TypeResign:
		game.Resign()
		return step, nil
	case tubstap.TypeTurnEnd:
		game.EndTurn()
		return tubstap.TurnEnd(), nil
	}
	a, err := step.Action()
	if err != nil {
		return step, err
	}
	if err := game.State.Check(a); err != nil {
		return step, err
	}
	step = game.State.StepOf(a)
	return step, game.Play(a)
}

// longestName bounds a name, in bytes.
const longestName = 80

// cleanName keeps a name short, printable, in UTF-8, and out of the way of the file
// formats.
func cleanName(s string) string {
	s = tubstap.Text(s)
	b := make([]byte, 0, len(s))
	for _, c := range s {
		if c < ' ' || c == 0x7f || strings.ContainsRune("[];,", c) {
			c = '_'
		}
		if len(b)+utf8.RuneLen(c) > longestName {
			return string(b) + "..."
		}
		b = utf8.AppendRune(b, c)
	}
	return string(b)
}
