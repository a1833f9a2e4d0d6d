package tubstapnet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
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
	// Refused is called for each caller that is refused before a game, one at a time,
	// unless it is nil.
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

// won informs a side, which waits, that the other has resigned or lost by a fault. The
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

const (
	// maxCallers bounds the connections that have not told their names yet, so
	// that silent peers cost a bounded number of files.
	maxCallers = 64
	// nameTime is the longest that a peer may take to tell its name.
	nameTime = 5 * time.Second
)

// Serve seats clients in pairs, the first to tell its name as Red, and plays
// games until there have been as many as asked (0 for ever) or ctx is done.
// report is called after each game. An error from it ends the server. Clients that do not
// tell their names are sent away, and keep no other client waiting. Games are played one
// after another.
func (r *Referee) Serve(ctx context.Context, l net.Listener, games int, report func(Result) error) error {
	if err := r.Map.Check(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(ctx, func() { l.Close() })
	lobby := make(chan *seat)
	var open sync.WaitGroup
	open.Go(func() {
		cancel(r.greetCallers(ctx, l, lobby, &open))
	})
	defer func() {
		cancel(nil)
		stop()
		l.Close()
		open.Wait()
	}()
	for played := 0; games == 0 || played < games; played++ {
		var seats [2]*seat
		for i := range seats {
			select {
			case seats[i] = <-lobby:
			case <-ctx.Done():
				if i == 1 {
					seats[0].conn.Close()
				}
				return context.Cause(ctx)
			}
		}
		result, err := r.pair(ctx, seats)
		if err != nil {
			return err
		}
		if err := report(result); err != nil {
			return err
		}
	}
	return nil
}

// greetCallers accepts connections until ctx is done and sends those that tell
// their names to the lobby.
func (r *Referee) greetCallers(ctx context.Context, l net.Listener, lobby chan<- *seat, open *sync.WaitGroup) error {
	free := make(chan struct{}, maxCallers)
	var one sync.Mutex
	away := func(c net.Conn, why error) {
		if r.Refused == nil || ctx.Err() != nil {
			return
		}
		one.Lock()
		defer one.Unlock()
		r.Refused(c.RemoteAddr(), why)
	}
	for {
		c, err := l.Accept()
		if ctx.Err() != nil {
			if err == nil {
				c.Close()
			}
			return ctx.Err()
		}
		if err != nil {
			var n net.Error
			if errors.As(err, &n) && n.Timeout() {
				continue
			}
			return fmt.Errorf("accept: %w", err)
		}
		select {
		case free <- struct{}{}:
		default:
			away(c, fmt.Errorf("%d others wait to tell their names", maxCallers))
			c.Close()
			continue
		}
		open.Go(func() {
			defer func() { <-free }()
			if err := r.admit(ctx, c, lobby); err != nil {
				away(c, err)
			}
		})
	}
}

// admit asks a caller for its name and sends it to the lobby, or away: then the error
// says why, and so does a last line to the caller.
func (r *Referee) admit(ctx context.Context, c net.Conn, lobby chan<- *seat) error {
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	s := &seat{wire: newWire(c)}
	name, err := s.ask("name", min(r.timeout(), nameTime))
	if err == nil {
		s.name = cleanName(name)
		select {
		case lobby <- s:
			return nil
		case <-ctx.Done():
		}
		c.Close()
		return nil
	}
	err = fmt.Errorf("its answer to name: %w", err)
	s.dismiss(err)
	return err
}

// pair plays one game between seated clients and closes their connections.
func (r *Referee) pair(ctx context.Context, seats [2]*seat) (Result, error) {
	closeAll := func() { seats[0].conn.Close(); seats[1].conn.Close() }
	stop := context.AfterFunc(ctx, closeAll)
	defer func() { stop(); closeAll() }()
	return r.seated(ctx, seats, Result{Winner: tubstap.Nobody})
}
