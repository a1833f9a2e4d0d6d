package registry

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/external/elsewhere"
	"sakusen/engines/external/jsonl"
	"sakusen/engines/param"
)

// checkElsewhere finds mistakes in the entry of a program that plays whole games.
func (e *Entry) checkElsewhere() error {
	if e.playsChess() {
		if len(e.Params)+len(e.Metrics) > 0 {
			return fmt.Errorf("engine %s: params, metrics: expected none, since the program tells its own", e.Name)
		}
		return nil
	}
	if len(e.Options) > 0 {
		return fmt.Errorf("engine %s: options: expected none: they are for programs that speak UCI", e.Name)
	}
	if len(e.Metrics) > elsewhere.Metrics {
		return fmt.Errorf("engine %s: metrics: expected at most %d, got %d", e.Name, elsewhere.Metrics, len(e.Metrics))
	}
	for i := range e.Params {
		if err := e.Params[i].Check(); err != nil {
			return fmt.Errorf("engine %s: params: %w", e.Name, err)
		}
	}
	if e.Protocol == JSONLines {
		if len(e.Params) > 0 {
			return fmt.Errorf("engine %s: params: expected none: a program tells its own in the handshake", e.Name)
		}
		return nil
	}
	if !slices.ContainsFunc(e.Command, func(a string) bool { return strings.Contains(a, "{seed}") }) {
		return fmt.Errorf("engine %s: command: expected {seed} among its arguments: without a seed all its games would be the same", e.Name)
	}
	for _, a := range e.Command[1:] {
		if _, err := e.fill(a, &elsewhere.Question{Sides: make([]elsewhere.Side, 16)}); err != nil {
			return fmt.Errorf("engine %s: command: %w", e.Name, err)
		}
	}
	return nil
}

// External is the game of the programs that play whole games, nil where none is
// registered.
func (s *Stable) External() *arena.Game {
	var all []elsewhere.Strategy
	for i := range s.entries {
		e := &s.entries[i]
		if e.Protocol != Command && e.Protocol != JSONLines || e.Game != "" {
			continue
		}
		all = append(all, elsewhere.Strategy{
			Name:     e.Name,
			Doc:      "A registered program that plays whole games.",
			Source:   "a program of somebody else",
			Identify: func(r *elsewhere.Rules) (arena.Identity, error) { return s.identifyElsewhere(e, r.Seats()) },
			New:      func() arena.Config[elsewhere.Rules, elsewhere.Player] { return &sideConfig{stable: s, entry: e} },
		})
	}
	if len(all) == 0 {
		return nil
	}
	return arena.Enter(elsewhere.Game(), all...)
}

// describeElsewhere is what is known of a program that plays whole games.
func (s *Stable) describeElsewhere(e *Entry) (*Info, error) {
	info := &Info{Name: e.Name, Title: e.Name, Protocol: e.Speaks(), Command: e.Command, Threads: 1, Class: exact, Fields: e.Params, Other: []string{}}
	tells := []string{e.Name}
	if e.Protocol == JSONLines {
		c, err := s.connect(e)
		if err != nil {
			return nil, err
		}
		h := c.Hello
		if role, want := h.Role+" "+h.Game, strings.TrimSpace(wantedRole(e)); strings.TrimSpace(role) != want {
			c.Close()
			return nil, fmt.Errorf("engine %s: expected a program whose role is %s, got %s (the key game of its entry says for whose moves it is asked)", e.Name, want, role)
		}
		info.Title, info.Fields, tells = strings.TrimSpace(h.Name+" "+h.Version), h.Params, []string{h.Name + " " + h.Version}
		if !h.Deterministic {
			info.Class = recorded
		}
		s.giveBack(e, c)
	}
	for _, p := range info.Fields {
		tells = append(tells, fmt.Sprintf("%+v", p))
	}
	var err error
	info.Identity, err = e.identity(append(tells, e.Metrics...), nil)
	return info, err
}

// wantedRole is the role that an entry needs its program to have, with the game of a
// player.
func wantedRole(e *Entry) string {
	if e.Game != "" {
		return "player " + e.Game
	}
	return "match"
}

// identifyElsewhere tells which program it is, and whether it plays the same games
// again: it is asked for a few games twice more, in fresh processes.
func (s *Stable) identifyElsewhere(e *Entry, seats int) (arena.Identity, error) {
	info, err := s.Describe(e.Name)
	if err != nil {
		return arena.Identity{}, err
	}
	id := arena.Identity{Hash: info.Identity, Way: e.way()}
	switch {
	case e.Recorded:
		id.Recorded = fmt.Sprintf("engine %s is registered as recorded", e.Name)
		return id, nil
	case info.Class == recorded:
		id.Recorded = fmt.Sprintf("engine %s says that it is not deterministic", e.Name)
		return id, nil
	}
	c := &sideConfig{stable: s, entry: e}
	if _, err := param.Bind(func(f *param.Fields) { c.Declare(f, nil) }); err != nil {
		return id, err
	}
	s.trying.Lock()
	defer s.trying.Unlock()
	key := fmt.Sprintf("%s %s %d", e.Name, info.Identity, seats)
	s.mu.Lock()
	known, ok := s.tried[key]
	s.mu.Unlock()
	if !ok {
		if known, err = s.tellsAgain(e, c.side(), seats); err != nil {
			return id, err
		}
		s.mu.Lock()
		s.tried[key] = known
		s.mu.Unlock()
	}
	id.Recorded = known
	return id, nil
}

// triedSeeds is how many games are compared.
const triedSeeds = 4

// tellsAgain says how games differ that are played three times, empty where they
// do not.
func (s *Stable) tellsAgain(e *Entry, side elsewhere.Side, seats int) (string, error) {
	p := &seated{stable: s, entry: e, side: side, fresh: true}
	q := &elsewhere.Question{}
	for range seats {
		q.Sides = append(q.Sides, side)
	}
	for seed := range uint64(triedSeeds) {
		q.Seed, q.Game = seed+1, int64(seed)
		first := ""
		for i := range triedGames {
			a, err := p.ask(q)
			if err != nil {
				return "", fmt.Errorf("engine %s, in a game on trial: %w", e.Name, err)
			}
			told := fmt.Sprint(a.Ranks, a.Errors, a.Metrics)
			if i == 0 {
				first = told
			} else if told != first {
				return fmt.Sprintf("engine %s does not play the same twice with seed %d: %s, and then %s", e.Name, q.Seed, first, told), nil
			}
		}
	}
	return "", nil
}

// sideConfig is a program's parameters.
type sideConfig struct {
	stable *Stable
	entry  *Entry
	names  []string
	values []func() json.RawMessage
}

// Declare implements arena.Config.
func (c *sideConfig) Declare(f *param.Fields, _ *elsewhere.Rules) {
	info, err := c.stable.Describe(c.entry.Name)
	if err != nil {
		f.Refuse(err)
		return
	}
	c.names, c.values = nil, nil
	for i := range info.Fields {
		c.names = append(c.names, info.Fields[i].Name)
		c.values = append(c.values, info.Fields[i].Declare(f))
	}
}

// side is what the program is told, with the parameters in the order declared.
func (c *sideConfig) side() elsewhere.Side {
	text := []byte{'{'}
	for i, name := range c.names {
		if i > 0 {
			text = append(text, ',')
		}
		key, _ := json.Marshal(name)
		text = append(append(append(text, key...), ':'), c.values[i]()...)
	}
	return elsewhere.Side{Name: c.entry.Name, Params: string(append(text, '}'))}
}

// Player implements arena.Config.
func (c *sideConfig) Player(*elsewhere.Rules) (elsewhere.Player, error) {
	return &seated{stable: c.stable, entry: c.entry, side: c.side()}, nil
}

// seated is a side of a program in a game.
type seated struct {
	stable *Stable
	entry  *Entry
	side   elsewhere.Side
	fresh  bool // a process for every game
}

func (p *seated) Side() elsewhere.Side { return p.side }

// Program implements elsewhere.Player: entries with one command are one program.
func (p *seated) Program() string { return strings.Join(p.entry.Command, " ") }

// mostFailed is how many games in a row may fail before no more are asked for.
const mostFailed = 8

// Play implements elsewhere.Player. A game that fails is asked for once more, in a
// fresh process.
func (p *seated) Play(q *elsewhere.Question) (*elsewhere.Answer, error) {
	a, err := p.ask(q)
	if _, failed := err.(*elsewhere.Fault); failed {
		a, err = p.ask(q)
	}
	s := p.stable
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, failed := err.(*elsewhere.Fault); !failed {
		s.failed[p.entry.Name] = 0
	} else if s.failed[p.entry.Name]++; s.failed[p.entry.Name] >= mostFailed {
		return nil, fmt.Errorf("engine %s: %d games in a row without a result, the last with seed %d and %s: %s", p.entry.Name, mostFailed, q.Seed, q.Sides, err)
	}
	return a, err
}

// ask asks for a game once.
func (p *seated) ask(q *elsewhere.Question) (*elsewhere.Answer, error) {
	if err := p.stable.unchanged(p.entry); err != nil {
		return nil, err
	}
	if p.entry.Protocol == Command {
		return p.stable.run(p.entry, q)
	}
	return p.stable.converse(p.entry, q, p.fresh || p.entry.Fresh)
}

// patience is how long a game may take.
func (e *Entry) patience() time.Duration {
	if e.Deadlines.Move > 0 {
		return e.Deadlines.Move
	}
	return time.Minute
}

// connect starts a program that is asked in lines.
func (s *Stable) connect(e *Entry) (*jsonl.Conn, error) {
	command, err := e.process(e.Command[1:])
	if err != nil {
		return nil, err
	}
	keeper, err := s.keeping()
	if err != nil {
		return nil, err
	}
	patience := e.Deadlines.Start
	if patience <= 0 {
		patience = 10 * time.Second
	}
	c, err := jsonl.Start(keeper, command, patience)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", e.Name, err)
	}
	return c, nil
}
