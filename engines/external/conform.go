package external

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/external/elsewhere"
	"sakusen/engines/param"
)

// Check is one thing that a program was tried for.
type Check struct {
	Name   string `json:"check"`
	Passed bool   `json:"passed"`
	// Needed says that without it the program cannot play here at all.
	Needed bool   `json:"needed"`
	Said   string `json:"said"` // what was seen, or what went wrong
}

// trial is a program being tried.
type trial struct {
	registered
	ctx  context.Context
	tell func(Check)
}

// check makes one check and reports its result, nothing after the context has ended.
func (t *trial) check(name string, needed bool, try func() (said string, err error)) bool {
	t.engines.trying("the check "+name, 0, 0)
	defer t.engines.trying("", 0, 0)
	if t.ctx.Err() != nil {
		return false
	}
	said, err := try()
	if err != nil {
		said = err.Error()
	}
	if t.ctx.Err() != nil {
		return false
	}
	t.tell(Check{name, err == nil, needed, said})
	return err == nil
}

// onTrial has the deadlines of the checks, which are shorter than in play: a program that is
// checked has nothing else to do.
var onTrial = Deadlines{Start: 10 * time.Second, Ready: 10 * time.Second, Move: 5 * time.Second, Stop: 2 * time.Second}

// Conform tries a registered program, each check in a fresh process, and reports each
// result as soon as it is known. The error says that the program is not registered or
// cannot be found, or that the context has ended: then the processes of all engines end at
// once.
func (s *Engines) Conform(ctx context.Context, name string, tell func(Check)) error {
	defer context.AfterFunc(ctx, s.Close)()
	e, err := s.entry(name)
	if err != nil {
		return err
	}
	if _, err := e.resolved(); err != nil {
		return err
	}
	tried := *e
	for at, short := range map[*time.Duration]time.Duration{
		&tried.Deadlines.Start: onTrial.Start, &tried.Deadlines.Ready: onTrial.Ready, &tried.Deadlines.Stop: onTrial.Stop,
	} {
		if *at <= 0 {
			*at = short
		}
	}
	t := &trial{registered{s, &tried}, ctx, tell}
	switch {
	case e.Game != "":
		t.alone(t.asked)
	case e.Protocol == command || e.Protocol == JSONLines:
		t.whole()
	case e.Protocol == gtp || e.Speaks() != "uci":
		t.alone(t.consent)
	default:
		if tried.Deadlines.Move <= 0 {
			tried.Deadlines.Move = onTrial.Move
		}
		t.chess()
	}
	return ctx.Err()
}

// fresh returns a new process that has begun a game.
func (t *trial) fresh(set []Setting) (*uciEngine, error) {
	engine, err := t.engines.pool.start(t.entry)
	if err != nil {
		return nil, err
	}
	if err := engine.newGame(set); err != nil {
		engine.Close()
		return nil, err
	}
	return engine, nil
}

// chess tries an engine that speaks a dialect of UCI.
func (t *trial) chess() {
	var info *Info
	if !t.check("handshake", true, func() (string, error) {
		var err error
		if info, err = t.shakeHands(); err != nil {
			return "", err
		}
		return fmt.Sprintf("%s, %d parameters, %d further options", info.Title, len(info.Params), len(info.Other)), nil
	}) {
		return
	}
	t.check("options", false, func() (string, error) { return "each is understood", info.LeftOut.Err() })
	answers := func(limit chess.Limit) func() (string, error) {
		return func() (string, error) {
			engine, err := t.fresh(info.Set)
			if err != nil {
				return "", err
			}
			defer engine.Close()
			a, err := engine.search("position startpos", SearchLimit{Nodes: limit.Nodes, Depth: limit.Depth, MoveTime: limit.MoveTime})
			if err != nil {
				return "", err
			}
			var line chess.Line
			line.Reset(chess.Start())
			if m, ok := uciMove(a.Best); !ok || !line.IsLegal(m) {
				return "", fmt.Errorf("at the start it answered %q, which is no legal move", a.Said)
			}
			return fmt.Sprintf("%s in %s", a.Best, a.Spent.Round(time.Millisecond)), nil
		}
	}
	nodes := t.check("go nodes 1000", false, answers(chess.Limit{Nodes: 1000}))
	depth := t.check("go depth 2", false, answers(chess.Limit{Depth: 2}))
	moveTime := t.check("go movetime 100", false, answers(chess.Limit{MoveTime: 100}))
	t.check("stop", false, func() (string, error) { return t.stops(info.Set) })
	for _, l := range []struct {
		obeys bool
		limit SearchLimit
	}{{depth, SearchLimit{Depth: 2}}, {nodes, SearchLimit{Nodes: 1000}}, {moveTime, SearchLimit{MoveTime: 100}}} {
		if l.obeys {
			t.check("one answer", false, func() (string, error) { return t.answersOnce(info.Set, l.limit) })
			break
		}
	}
	var plays []string
	for _, l := range []struct {
		kind  string
		obeys bool
		limit chess.Limit
	}{{"nodes", nodes, chess.Limit{Nodes: 2000}}, {"depth", depth, chess.Limit{Depth: 2}}, {"time", moveTime && !nodes && !depth, chess.Limit{MoveTime: 20}}} {
		if !l.obeys || !t.check("moves by "+l.kind, false, func() (string, error) { return t.playsOn(info.Set, l.limit, triedOn) }) {
			continue
		}
		plays = append(plays, l.kind)
		if l.limit.Exact() {
			t.check("same by "+l.kind, false, func() (string, error) {
				different, err := t.playsAgain(info, info.Set, l.limit)
				if err == nil && different != "" {
					err = errors.New(different)
				}
				return fmt.Sprintf("%d games of %d plies in fresh processes are equal at %s", triedGames, triedPlies, l.limit), err
			})
		}
	}
	if set := info.others(); len(plays) > 0 && len(set) > 0 {
		t.check("changed options", false, func() (string, error) { return t.takesBetween(info, set) })
	}
	t.check("plays", true, func() (string, error) {
		if len(plays) == 0 {
			return "", errors.New("under no limit does it answer with legal moves only")
		}
		return "by " + strings.Join(plays, " and "), nil
	})
}

// answersOnce reports whether an engine tells one move to one request.
func (t *trial) answersOnce(set []Setting, limit SearchLimit) (string, error) {
	engine, err := t.fresh(set)
	if err != nil {
		return "", err
	}
	defer engine.Close()
	a, err := engine.search("position startpos", limit)
	if err == nil {
		err = engine.newGame(set)
	}
	if err == nil && engine.unasked > 0 {
		err = fmt.Errorf("after %q it told %d moves more, which are left out in games", a.Said, engine.unasked)
	}
	return "one move to one request", err
}

// stops reports how an engine reacts to stop during an endless search.
func (t *trial) stops(set []Setting) (string, error) {
	short := *t.entry
	short.Deadlines.Move = 300 * time.Millisecond
	other := &trial{registered: registered{t.engines, &short}, ctx: t.ctx}
	engine, err := other.fresh(set)
	if err != nil {
		return "", err
	}
	defer engine.Close()
	_, err = engine.search("position startpos", SearchLimit{Depth: 99, Nodes: 1e15})
	var f *Fault
	if errors.As(err, &f) && f.Kind == Overtime {
		return "it answered when it was told to stop", nil
	}
	return "it answered before it was told to stop", err
}

// takesBetween reports whether an engine takes other values of its options after it has played with its
// defaults.
func (t *trial) takesBetween(info *Info, other []Setting) (string, error) {
	if t.entry.Fresh {
		return "not tried: it has a process for every game (fresh: true)", nil
	}
	ignored, shown, err := t.ignored(info.defaults(), other)
	switch {
	case err != nil:
		return "", err
	case shown < 0:
		return "not known: it plays by chance", nil
	case len(ignored) > 0:
		return "", errors.New(t.entry.deaf(ignored, shown))
	default:
		return fmt.Sprintf("it takes after its first game the %d options of %d that change something in %d positions at depth:%d", shown, len(other), triedPlies, triedDepth), nil
	}
}

// others returns values besides the defaults of the options that are ways to play.
func (i *Info) others() (set []Setting) {
	for k := range i.Params {
		one, why := i.Params[k].propose()
		values := append([]string{one.High, one.Low}, one.Choices...)
		at := slices.IndexFunc(values, func(v string) bool { return v != "" && v != one.Default })
		if why == "" && at >= 0 {
			set = append(set, Setting{Name: one.Name, Value: values[at]})
		}
	}
	return set
}

// triedOn is over how many plies one process plays on in a check.
const triedOn = 300

// playsOn reports how an engine plays games of so many plies together in one process, from random openings.
func (t *trial) playsOn(set []Setting, limit chess.Limit, most int) (string, error) {
	engine, err := t.fresh(set)
	if err != nil {
		return "", err
	}
	defer engine.Close()
	var line chess.Line
	p := player{}
	games, plies := 0, 0
	for plies < most && t.ctx.Err() == nil {
		line.Reset(chess.Start())
		for _, m := range chess.Opening(1, uint64(games), 8) {
			line.Do(m)
		}
		if games++; games > 1 {
			if err := engine.newGame(set); err != nil {
				return "", err
			}
		}
		for line.Ending() == chess.Open && plies < most {
			position := p.position(&line)
			a, err := engine.search(position, SearchLimit{Nodes: limit.Nodes, Depth: limit.Depth, MoveTime: limit.MoveTime})
			if err != nil {
				return "", fmt.Errorf("after %q: %w", position, err)
			}
			m, ok := uciMove(a.Best)
			if !ok || !line.IsLegal(m) {
				return "", fmt.Errorf("after %q it answered %q, which is no legal move", position, a.Said)
			}
			line.Do(m)
			plies++
		}
	}
	return fmt.Sprintf("%d moves in %d games", plies, games), nil
}

// whole tries a program that plays whole games.
func (t *trial) whole() {
	c := &sideConfig{registered: t.registered}
	if !t.check("handshake", true, func() (string, error) {
		_, err := param.Bind(c.declare)
		return strings.TrimSuffix(fmt.Sprintf("%d parameters", len(c.names)), map[bool]string{true: "s"}[len(c.names) == 1]), err
	}) {
		return
	}
	if info, err := t.engines.Describe(t.entry.Name); err == nil {
		t.check("parameters", false, func() (string, error) { return "each is understood", info.LeftOut.Err() })
	}
	side := c.side()
	p := &seated{registered: t.registered, side: side}
	if !t.check("a game", true, func() (string, error) {
		began := time.Now()
		a, err := p.ask(&elsewhere.Question{Seed: 1, Sides: []elsewhere.Side{side, side}})
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s in %s", a.Said, time.Since(began).Round(time.Millisecond)), nil
	}) {
		return
	}
	t.check("same games", false, func() (string, error) {
		different, err := t.tellsAgain(side, 2)
		if err == nil && different != "" {
			err = errors.New(different)
		}
		return fmt.Sprintf("%d seeds, three times each, end the same", triedSeeds), err
	})
	t.check("seeds matter", false, func() (string, error) {
		seen := map[string]bool{}
		for seed := range uint64(32) {
			a, err := p.ask(&elsewhere.Question{Seed: seed + 1, Sides: []elsewhere.Side{side, side}})
			if err != nil {
				return "", err
			}
			seen[fmt.Sprint(a.Ranks, a.Metrics)] = true
		}
		if len(seen) < 2 {
			return "", errors.New("32 seeds give one result: equal players should win in turns, or each game is the same one")
		}
		return fmt.Sprintf("32 seeds give %d results", len(seen)), nil
	})
}

// alone opens the program as the only engine, and calls do if it shakes hands.
func (t *trial) alone(do func(*Engines)) {
	s, err := Open([]Entry{*t.entry})
	if err != nil {
		t.check("entry", true, func() (string, error) { return "", err })
		return
	}
	defer s.Close()
	defer context.AfterFunc(t.ctx, s.Close)()
	s.Trying = t.engines.Trying
	if t.check("handshake", true, func() (string, error) {
		info, err := s.Describe(t.entry.Name)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s, %d parameters", info.Title, len(info.Params)+len(info.Fields)), nil
	}) {
		do(s)
	}
}

// consent tries a program that knows the rules of its game: it plays against itself.
func (t *trial) consent(s *Engines) {
	s.Unkept = true
	game, limits := s.UGI(), []string{"nodes:1000", "depth:2", "movetime:100"}
	if t.entry.Protocol == gtp {
		game, limits = s.Go(), []string{""}
	}
	var plays []string
	for _, limit := range limits {
		var rules param.Values
		kind, _, _ := strings.Cut(limit, ":")
		name := "moves by " + kind
		if limit == "" {
			name = "moves"
		} else {
			rules = param.Values{{Name: "limit", Text: limit}}
		}
		rs, err := game.OpenRules(rules)
		if !t.check(name, false, func() (string, error) {
			if err != nil {
				return "", err
			}
			return t.playsItself(rs)
		}) {
			continue
		}
		plays = append(plays, name)
		if kind == "movetime" {
			continue
		}
		t.check(strings.Replace(name, "moves", "same", 1), false, func() (string, error) {
			return fmt.Sprintf("%d games of %d plies in fresh processes are equal", triedGames, triedPlies), t.repeats(rs)
		})
	}
	t.check("plays", true, func() (string, error) {
		if len(plays) == 0 {
			return "", errors.New("under no limit does it play a game to its end")
		}
		return strings.Join(plays, ", "), nil
	})
}

// asked tries a program that is asked for moves: it plays against itself.
func (t *trial) asked(s *Engines) {
	rs, err := s.askedGame(t.entry.Game).OpenRules(nil)
	t.check("same answers", false, func() (string, error) {
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("the same in %d fresh processes", triedGames), t.repeats(rs)
	})
	t.check("plays", true, func() (string, error) {
		if err != nil {
			return "", err
		}
		return t.playsItself(rs)
	})
}

// repeats returns an error that says why the program's games cannot be played again, if so.
func (t *trial) repeats(rs *arena.Ruleset) error {
	why, err := rs.Recorded(t.entry.Name)
	if err == nil && why != "" {
		err = errors.New(why)
	}
	return err
}

// playsItself reports how a program plays against itself, or what went wrong.
func (t *trial) playsItself(rs *arena.Ruleset) (string, error) {
	e, err := rs.Entrant(t.entry.Name)
	if err != nil {
		return "", err
	}
	var story []string
	series := arena.Series{Ruleset: rs, Seed: 1, To: 2, Entrants: slices.Repeat([]arena.Entrant{e}, rs.Seats), Story: func(line string) { story = append(story, line) }}
	tally, err := arena.NewPool(1).Play(t.ctx, series, nil)
	if err != nil {
		return "", err
	}
	for _, e := range tally.Entrants {
		if i := rs.Component("disputes"); e.Faults > 0 || i >= 0 && e.Sums[i] > 0 {
			return "", errors.New(story[len(story)-1])
		}
	}
	return fmt.Sprintf("%d games to their end, the last: %s", tally.Games, story[len(story)-1]), nil
}
