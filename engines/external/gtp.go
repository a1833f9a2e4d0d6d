package external

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/param"
)

// Go returns the game of the programs that speak GTP, nil where none is registered.
func (s *Engines) Go() *arena.Game {
	var all []strategy
	for i, entries := 0, s.Entries(); i < len(entries); i++ {
		if e := &entries[i]; e.Protocol == gtp {
			all = append(all, strategy{
				Name: e.Name, Doc: "A registered program that speaks GTP.", Source: "a program from elsewhere",
				Identify: func(r *rules) (arena.Identity, error) { return registered{s, e}.identifyGo(r) },
				New: func(f *param.Fields, r *rules) arena.Maker[agreedPlayer] {
					g := registered{s, e}
					values := g.declare(f)
					return func() (agreedPlayer, error) { return g.tried(values, r) }
				},
			})
		}
	}
	if len(all) == 0 {
		return nil
	}
	return arena.Enter(goGame(), all...)
}

// declare binds the entry's parameters.
func (r registered) declare(f *param.Fields) (values []func() json.RawMessage) {
	for i := range r.entry.Params {
		values = append(values, r.entry.Params[i].Declare(f))
	}
	return values
}

// tried makes a player with values, of which it is known whether it plays the same again.
func (g registered) tried(values []func() json.RawMessage, r *rules) (agreedPlayer, error) {
	p := g.goPlayer(values)
	if g.engines.Unkept {
		return p, nil
	}
	id, err := g.identifyGo(r)
	if err == nil && id.Recorded == "" {
		err = g.engines.trials.settings(g.entry, fmt.Sprintf("%s %d", strings.Join(p.args, "\x00"), r.Size), strings.Join(p.setup, "\n"),
			func() (string, error) { return p.again(r) })
	}
	return p, err
}

// identifyGo returns which program it is, and whether it plays the same game again.
func (r registered) identifyGo(rules *rules) (arena.Identity, error) {
	info, id, err := r.told()
	if err != nil || id.Recorded != "" {
		return id, err
	}
	if rules.timed() {
		id.Recorded = fmt.Sprintf("engine %s plays by the clock", r.entry.Name)
		return id, nil
	}
	p, err := r.defaultGoPlayer()
	if err != nil {
		return id, err
	}
	different, err := r.engines.once(fmt.Sprintf("%s %s %d", r.entry.Name, info.Identity, rules.Size), func() (string, error) { return p.again(rules) })
	if different != "" {
		id.Recorded = "in fresh processes " + different
	}
	return id, err
}

// goPlayer is an entrant's program in a game of go.
type goPlayer struct {
	registered
	args  []string
	setup []string
	conn  *gtpConn
	fault *Fault
}

// goPlayer returns a player with values for the parameters of the entry, in their order.
func (r registered) goPlayer(values []func() json.RawMessage) *goPlayer {
	e := r.entry
	var pairs []string
	for i, p := range e.Params {
		text := string(values[i]())
		var word string
		if json.Unmarshal([]byte(text), &word) == nil {
			text = word
		}
		pairs = append(pairs, "{params."+p.Name+"}", text)
	}
	fill := strings.NewReplacer(pairs...)
	p := &goPlayer{registered: r}
	for _, a := range e.Command[1:] {
		p.args = append(p.args, fill.Replace(a))
	}
	for _, a := range e.Setup {
		p.setup = append(p.setup, fill.Replace(a))
	}
	return p
}

// defaultGoPlayer returns a player with the default values.
func (r registered) defaultGoPlayer() (*goPlayer, error) {
	var values []func() json.RawMessage
	if _, err := param.Bind(func(f *param.Fields) { values = r.declare(f) }); err != nil {
		return nil, err
	}
	return r.goPlayer(values), nil
}

// title returns what the program calls itself.
func (p *goPlayer) title() (string, error) {
	conn, err := p.borrow()
	if err != nil {
		return "", err
	}
	p.engines.pool.giveBack(p.entry, conn, p.key())
	return strings.TrimSpace(conn.Name + " " + conn.Version), nil
}

// key returns what tells processes apart that were started with different arguments.
func (p *goPlayer) key() string { return strings.Join(p.args, "\x00") }

// start returns a new process.
func (p *goPlayer) start() (*gtpConn, error) {
	if err := p.engines.pool.unchanged(p.entry); err != nil {
		return nil, err
	}
	command, err := p.entry.process(p.args)
	if err != nil {
		return nil, err
	}
	keeper, err := p.engines.pool.keeping()
	if err != nil {
		return nil, err
	}
	patience := p.entry.Deadlines.Start
	if patience <= 0 {
		patience = 10 * time.Second
	}
	conn, err := startGTP(keeper, command, patience)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", p.entry.Name, err)
	}
	return conn, nil
}

// borrow returns a process that waits, or a new one.
func (p *goPlayer) borrow() (*gtpConn, error) {
	if c, ok := p.engines.pool.waiting(p.entry, p.key()).(*gtpConn); ok {
		return c, nil
	}
	return p.start()
}

// ready returns how long an answer may take that is no move.
func (p *goPlayer) ready() time.Duration {
	if d := p.entry.Deadlines.Ready; d > 0 {
		return d
	}
	return time.Minute
}

// begin sets up a game.
func (p *goPlayer) begin(v *view) error {
	commands := []string{fmt.Sprintf("boardsize %d", v.Rules.Size), "clear_board", "komi " + strconv.FormatFloat(v.Rules.Komi, 'f', -1, 64)}
	if v.Rules.Seconds > 0 && p.conn.knows("time_settings") {
		commands = append(commands, fmt.Sprintf("time_settings 0 %d 1", v.Rules.Seconds))
	}
	commands = append(commands, p.setup...)
	for i, m := range v.Moves {
		commands = append(commands, fmt.Sprintf("play %s %s", colours[i%2], m))
	}
	for _, text := range commands {
		if _, err := p.conn.ask(text, p.ready()); err != nil {
			var no *refusal
			if errors.As(err, &no) {
				return fmt.Errorf("engine %s: %w", p.entry.Name, err)
			}
			return err
		}
	}
	return nil
}

// Begin implements player. A program that died while it waited is no fault
// in this game.
func (p *goPlayer) Begin(v *view) error {
	p.fault = nil
	for range 2 {
		var err error
		if p.conn, err = p.borrow(); err != nil {
			return err
		}
		if err = p.begin(v); err == nil {
			return nil
		}
		p.conn.Close()
		p.conn = nil
		if !errors.As(err, &p.fault) {
			return err
		}
	}
	return nil
}

var colours = [...]string{"b", "w"}

// ask returns the program's answer to a command, its refusal, or its fault, which ends its
// process.
func (p *goPlayer) ask(command string, patience time.Duration) (text string, no *refusal, r reply) {
	if p.conn == nil {
		return "", nil, broken(p.fault)
	}
	text, err := p.conn.ask(command, patience)
	if err == nil || errors.As(err, &no) {
		return text, no, r
	}
	p.conn.Close()
	p.conn = nil
	if !errors.As(err, &p.fault) {
		p.fault = &Fault{Kind: crash, Said: err.Error()}
	}
	return "", nil, broken(p.fault)
}

// broken returns a fault as a reply.
func broken(f *Fault) reply {
	kinds := map[kind]chess.Ending{stall: chess.Stalled, Overtime: chess.OutOfTime, protocolFault: chess.Garbled}
	if kind, ok := kinds[f.Kind]; ok {
		return reply{Fault: kind, Said: f.Said}
	}
	return reply{Fault: chess.Crashed, Said: f.Said}
}

// Move implements player.
func (p *goPlayer) Move(v *view) reply {
	patience := p.entry.patience()
	if v.Rules.Seconds > 0 {
		stop := p.entry.Deadlines.Stop
		if stop <= 0 {
			stop = 2 * time.Second
		}
		patience = time.Duration(v.Rules.Seconds)*time.Second + stop
	}
	text, no, r := p.ask("genmove "+colours[v.Turn], patience)
	if r.Fault != chess.Open {
		if v.Rules.Seconds > 0 && r.Fault == chess.Stalled {
			r.Fault = chess.OutOfTime
		}
		return r
	}
	if no != nil {
		return reply{Fault: chess.Garbled, Said: no.Error()}
	}
	move, ok := parseMove(text, v.Rules.Size)
	if !ok {
		return reply{Fault: chess.Garbled, Said: fmt.Sprintf("expected a move, got %.80q", text)}
	}
	return reply{Move: move, Resigned: move == "resign"}
}

// Moved implements player.
func (p *goPlayer) Moved(v *view) reply {
	last := v.Moves[len(v.Moves)-1]
	_, no, r := p.ask(fmt.Sprintf("play %s %s", colours[1-v.Turn], last), p.ready())
	if no != nil {
		r = reply{Refused: true, Said: no.Said}
	}
	return r
}

// Verdict implements player: after two passes the program counts.
func (p *goPlayer) Verdict(v *view) verdict {
	n := len(v.Moves)
	if n-v.Opening < 2 || v.Moves[n-1] != "pass" || v.Moves[n-2] != "pass" {
		return verdict{State: openGame, Turn: v.Turn}
	}
	text, no, r := p.ask("final_score", p.ready())
	switch {
	case r.Fault != chess.Open:
		return verdict{Fault: r.Fault, Said: r.Said}
	case no != nil:
		return verdict{Fault: chess.Garbled, Said: no.Error()}
	}
	seat, ok := winner(text)
	switch {
	case !ok:
		return verdict{Fault: chess.Garbled, Said: fmt.Sprintf("expected a score such as B+3.5, got %.80q", text)}
	case seat < 0:
		return verdict{State: drawn, Said: text}
	}
	return verdict{State: firstWins + state(seat), Said: text}
}

// End implements player.
func (p *goPlayer) End(*view) {
	if p.conn != nil {
		p.engines.pool.giveBack(p.entry, p.conn, p.key())
		p.conn = nil
	}
}

// again returns how the first moves of games against itself differ, each in a fresh
// process.
func (p *goPlayer) again(r *rules) (string, error) {
	return p.engines.again(p.entry.Name, func() (string, error) {
		v := &view{Rules: r}
		fresh := *p
		var err error
		if fresh.conn, err = fresh.start(); err != nil {
			return "", err
		}
		defer fresh.conn.Close()
		if err := fresh.begin(v); err != nil {
			return "", err
		}
		for range triedPlies {
			reply := fresh.Move(v)
			if reply.Fault != chess.Open {
				return "", errors.New(reply.Said)
			}
			v.Moves, v.Turn = append(v.Moves, reply.Move), 1-v.Turn
			if reply.Resigned {
				break
			}
		}
		return strings.Join(v.Moves, ", "), nil
	})
}
