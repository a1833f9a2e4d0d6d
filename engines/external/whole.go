package external

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/external/elsewhere"
	"sakusen/engines/external/process"
	"sakusen/engines/param"
)

// External returns the game of the programs that play whole games, nil where none is
// registered.
func (s *Engines) External() *arena.Game {
	var all []elsewhere.Strategy
	var metrics [][]string
	for i, entries := 0, s.Entries(); i < len(entries); i++ {
		e := &entries[i]
		if e.Protocol != command && e.Protocol != JSONLines || e.Game != "" {
			continue
		}
		metrics = append(metrics, e.Metrics)
		all = append(all, elsewhere.Strategy{
			Name:     e.Name,
			Doc:      "A registered program that plays whole games.",
			Source:   "a program from elsewhere",
			Identify: func(r *elsewhere.Rules) (arena.Identity, error) { return registered{s, e}.identifyWhole(r.Seats()) },
			New: func(f *param.Fields, _ *elsewhere.Rules) arena.Maker[elsewhere.Player] {
				c := &sideConfig{registered: registered{s, e}}
				c.declare(f)
				return func() (elsewhere.Player, error) { return &seated{registered: c.registered, side: c.side()}, nil }
			},
		})
	}
	if len(all) == 0 {
		return nil
	}
	definition := elsewhere.Game()
	definition.Metrics = elsewhere.Named(definition.Metrics, metrics...)
	return arena.Enter(definition, all...)
}

// describeWhole returns what is known of a program that plays whole games or is asked
// for moves in lines.
func (r registered) describeWhole() (*Info, error) {
	e, pool := r.entry, &r.engines.pool
	info := &Info{Name: e.Name, Title: e.Name, Protocol: e.Speaks(), Command: e.Command, Threads: 1, Class: exact, Fields: e.Params, Other: []string{}}
	tells := []string{e.Name}
	if e.Protocol == JSONLines {
		c, err := pool.connect(e)
		if err != nil {
			return nil, err
		}
		h := c.Hello
		if role, want := h.Role+" "+h.Game, strings.TrimSpace(e.wantedRole()); strings.TrimSpace(role) != want {
			c.Close()
			return nil, fmt.Errorf("engine %s: expected a program whose role is %s, got %s (the key game of its entry says for whose moves it is asked)", e.Name, want, role)
		}
		info.Title, info.Fields, tells = strings.TrimSpace(h.Name+" "+h.Version), h.Params, []string{h.Name + " " + h.Version}
		info.LeftOut = h.LeftOut
		if !h.Deterministic {
			info.Class = recorded
		}
		pool.giveBack(e, c, "")
	}
	for _, p := range info.Fields {
		tells = append(tells, fmt.Sprintf("%+v", p))
	}
	var err error
	info.Identity, err = e.identity(append(tells, e.Metrics...), nil)
	return info, err
}

// wantedRole returns the role that an entry needs its program to have, with the game of a
// player.
func (e *Entry) wantedRole() string {
	if e.Game != "" {
		return "player " + e.Game
	}
	return "match"
}

// toldInLines returns what told does, of a program that says itself whether it is
// deterministic.
func (r registered) toldInLines() (*Info, arena.Identity, error) {
	info, id, err := r.told()
	if err == nil && id.Recorded == "" && info.Class == recorded {
		id.Recorded = fmt.Sprintf("engine %s says that it is not deterministic", r.entry.Name)
	}
	return info, id, err
}

// identifyWhole returns which program it is, and whether it plays the same games again:
// it is asked for a few games twice more, in fresh processes.
func (r registered) identifyWhole(seats int) (arena.Identity, error) {
	info, id, err := r.toldInLines()
	if err != nil || id.Recorded != "" {
		return id, err
	}
	c := &sideConfig{registered: r}
	if _, err := param.Bind(c.declare); err != nil {
		return id, err
	}
	id.Recorded, err = r.engines.once(fmt.Sprintf("%s %s %d", r.entry.Name, info.Identity, seats), func() (string, error) {
		return r.tellsAgain(c.side(), seats)
	})
	return id, err
}

// triedSeeds is how many games are compared.
const triedSeeds = 4

// tellsAgain returns how games differ that are played three times, empty where they
// do not.
func (r registered) tellsAgain(side elsewhere.Side, seats int) (string, error) {
	e, p := r.entry, &seated{registered: r, side: side, fresh: true}
	q := &elsewhere.Question{}
	for range seats {
		q.Sides = append(q.Sides, side)
	}
	defer r.engines.trying("", 0, 0)
	for seed := range triedSeeds {
		q.Seed, q.Game = uint64(seed)+1, int64(seed)
		first := ""
		for i := range triedGames {
			r.engines.trying(playsTwice(e.Name), seed*triedGames+i, triedSeeds*triedGames)
			a, err := p.ask(q)
			if err != nil {
				if info, known := r.engines.Describe(e.Name); known == nil && info.LeftOut.Count() > 0 {
					err = fmt.Errorf("in a game on trial: %w; it is not given what is not understood of its parameters: %s", err, strings.Join(info.LeftOut.Lines(3), "; "))
					return "", &arena.UnfitError{Entrant: e.Name, Err: err}
				}
				return "", inTrial(e.Name, err)
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
	registered
	names  []string
	values []func() json.RawMessage
}

// declare binds the program's parameters.
func (c *sideConfig) declare(f *param.Fields) {
	info, err := c.describe()
	if err != nil {
		f.Refuse(err)
		return
	}
	info.explain(f)
	for i := range info.Fields {
		c.names = append(c.names, info.Fields[i].Name)
		c.values = append(c.values, info.Fields[i].Declare(f))
	}
}

// side returns the program's message, with the parameters in the order declared.
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

// seated is a side of a program in a game.
type seated struct {
	registered
	side  elsewhere.Side
	fresh bool // a process for every game
}

// Side implements elsewhere.Player.
func (p *seated) Side() elsewhere.Side { return p.side }

// Program implements elsewhere.Player: entries with one command are one program.
func (p *seated) Program() string { return strings.Join(p.entry.Command, " ") }

// mostFailed is how many games in a row may fail before no more are asked for.
const mostFailed = 8

// Play implements elsewhere.Player. A game that fails is asked for once more, in a
// fresh process.
func (p *seated) Play(q *elsewhere.Question) (*elsewhere.Answer, error) {
	a, err := p.ask(q)
	first, retry := err.(*elsewhere.Fault)
	if retry {
		a, err = p.ask(q)
	}
	s := p.engines
	s.mu.Lock()
	defer s.mu.Unlock()
	if retry {
		s.retold[p.entry.Name] = retold{s.retold[p.entry.Name].games + 1, first.Error()}
	}
	if _, failed := err.(*elsewhere.Fault); !failed {
		s.failed[p.entry.Name] = 0
	} else if s.failed[p.entry.Name]++; s.failed[p.entry.Name] >= mostFailed {
		return nil, fmt.Errorf("engine %s: %d games in a row without a result, the last with seed %d and %s: %s", p.entry.Name, mostFailed, q.Seed, q.Sides, err)
	}
	return a, err
}

// retold are the games that a program was asked for once more, and what became of the last one
// before.
type retold struct {
	games int64
	last  string
}

// AskedAgain returns for each program how many games it was asked for again since the start, as
// it had reported no result: it may crash now and then, which no result shows.
func (s *Engines) AskedAgain() (lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(s.retold)) {
		r := s.retold[name]
		lines = append(lines, fmt.Sprintf("engine %s: %d games were asked for once more in a fresh process, as it told no result; the last: %s", name, r.games, r.last))
	}
	return lines
}

// ask returns the answer for a game that is asked for once.
func (p *seated) ask(q *elsewhere.Question) (*elsewhere.Answer, error) {
	if err := p.engines.pool.unchanged(p.entry); err != nil {
		return nil, err
	}
	if p.entry.Protocol == command {
		return p.run(q)
	}
	return p.converse(q, p.fresh || p.entry.Fresh)
}

// converse returns the answer of a running program for a game.
func (r registered) converse(q *elsewhere.Question, fresh bool) (*elsewhere.Answer, error) {
	e, pool := r.entry, &r.engines.pool
	c, ok := pool.waiting(e, "").(*jsonConn)
	if ok && fresh {
		pool.giveBack(e, c, "")
		ok = false
	}
	if !ok {
		var err error
		if c, err = pool.connect(e); err != nil {
			return nil, failure(err)
		}
	}
	players := []map[string]any{}
	for _, side := range q.Sides {
		players = append(players, map[string]any{"name": side.Name, "params": json.RawMessage(side.Params)})
	}
	line, err := c.ask(map[string]any{"do": "play", "seed": strconv.FormatUint(q.Seed, 10), "game": q.Game, "players": players}, e.patience())
	var a *elsewhere.Answer
	if err == nil {
		if a, err = elsewhere.ParseAnswer(string(line), len(q.Sides), e.Metrics); err != nil {
			err = &elsewhere.Fault{Kind: garbage, Said: err.Error()}
		}
	}
	if err != nil {
		c.Close()
		return nil, failure(err)
	}
	a.Said = withoutID(line)
	if fresh {
		c.Close()
	} else {
		pool.giveBack(e, c, "")
	}
	return a, nil
}

// withoutID returns an answer without the id of the request, which is another each time.
func withoutID(line []byte) string {
	var all map[string]json.RawMessage
	if json.Unmarshal(line, &all) != nil {
		return ""
	}
	delete(all, "id")
	text, _ := json.Marshal(all) // keys in order
	return string(text)
}

// failure returns a fault of a program alone, without where it was seen; other errors stay.
func failure(err error) error {
	if f, ok := errors.AsType[*elsewhere.Fault](err); ok {
		return f
	}
	return err
}

// run returns the result of a command that is started for one game: its first line that
// is a JSON object.
func (r registered) run(q *elsewhere.Question) (*elsewhere.Answer, error) {
	e := r.entry
	var args []string
	for _, text := range e.Command[1:] {
		arg, err := e.fill(text, q)
		if err != nil {
			return nil, fmt.Errorf("engine %s: command: %w", e.Name, err)
		}
		args = append(args, arg)
	}
	command, err := e.process(args)
	if err != nil {
		return nil, err
	}
	keeper, err := r.engines.pool.keeping()
	if err != nil {
		return nil, err
	}
	child, err := keeper.Start(command)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", e.Name, err)
	}
	defer child.Close()
	deadline := time.Now().Add(e.patience())
	for {
		line, err := child.Read(deadline)
		if err == nil && time.Now().After(deadline) {
			err = process.ErrTimeout
		}
		if err != nil {
			f := jsonFault(child, err, fmt.Sprintf("no result in %s", e.patience()))
			if f.Kind == "crash" {
				f.Said = "it ended without a result: " + f.Said
			}
			return nil, f
		}
		if !strings.HasPrefix(strings.TrimSpace(line), "{") {
			continue
		}
		a, err := elsewhere.ParseAnswer(line, len(q.Sides), e.Metrics)
		if err != nil {
			return nil, &elsewhere.Fault{Kind: garbage, Said: err.Error()}
		}
		return a, nil
	}
}
