package external

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/external/elsewhere"
)

// trials holds the results of engines that played the same short games several times. Fixed
// nodes and one thread are not enough for a game to be played again: Stockfish's option
// Skill Level draws moves by the clock.
type trials struct {
	// Untried leaves out the games by which it is found out whether engines play the same
	// twice, where it is known already: their identity is that of their files alone.
	Untried bool
	// Trying, unless nil, is called with the purpose of an engine's trial and how many of
	// its steps are done, 0 if that is not known; an empty text means that it is over.
	Trying func(what string, done, of int)

	one sync.Mutex // held while one engine is tried

	mu     sync.Mutex
	found  map[string]string          // by what was tried, what once found
	chosen map[string]map[string]bool // by engine and rules, the settings that are tried
}

// triedGames and triedPlies are how many games, each in a process of its own, are
// compared, and over how many plies; in as many positions is tried what a process carries over.
const triedGames, triedPlies = 3, 16

// triedDepth is the depth at which is tried whether an engine takes options, whose games have a clock.
const triedDepth = 3

// trying notes for which test an engine is started.
func (t *trials) trying(what string, done, of int) {
	if t.Trying != nil {
		t.Trying(what, done, of)
	}
}

// once returns the result of find, or an earlier result under the key; nothing if engines
// are not tried.
func (t *trials) once(key string, find func() (string, error)) (string, error) {
	if t.Untried {
		return "", nil
	}
	t.one.Lock() // what several games ask at the same time is found out once
	defer t.one.Unlock()
	t.mu.Lock()
	known, ok := t.found[key]
	t.mu.Unlock()
	if ok {
		return known, nil
	}
	found, err := find()
	if err != nil {
		return "", err
	}
	t.mu.Lock()
	if t.found == nil {
		t.found = map[string]string{}
	}
	t.found[key] = found
	t.mu.Unlock()
	return found, nil
}

// again returns how games differ that play returns, each a list of moves with commas;
// empty where they do not.
func (t *trials) again(name string, play func() (string, error)) (different string, err error) {
	var first string
	defer t.trying("", 0, 0)
	for i := range triedGames {
		t.trying(playsTwice(name), i, triedGames)
		game, err := play()
		if err != nil {
			return "", inTrial(name, err)
		}
		if i == 0 {
			first = game
		} else if game != first {
			return fmt.Sprintf("engine %s does not play the same twice: %s", name, parting(first, game)), nil
		}
	}
	return "", nil
}

// inTrial returns the error of a game on trial: an [arena.UnfitError] where the engine is at fault.
func inTrial(name string, err error) error {
	_, program := errors.AsType[*Fault](err)
	if _, rules := errors.AsType[*elsewhere.Fault](err); rules || program {
		return &arena.UnfitError{Entrant: name, Err: fmt.Errorf("in a game on trial: %w", err)}
	}
	return fmt.Errorf("engine %s, in a game on trial: %w", name, err)
}

// playsTwice returns what an engine is tried for.
func playsTwice(name string) string {
	return "engine " + name + ", whether it plays the same games twice"
}

// parting returns where two games part.
func parting(a, b string) string {
	x, y := strings.Split(a, ", "), strings.Split(b, ", ")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return fmt.Sprintf("ply %d was %s, and then %s", i+1, x[i], y[i])
		}
	}
	return fmt.Sprintf("one game had %d plies, and then %d", len(x), len(y))
}

// alwaysTried is how many different settings of an engine are tried out; of further
// ones it is one in oneInTried, chosen by what they are.
const alwaysTried, oneInTried = 4, 16

// settings returns an error where an engine does not play the same twice with settings,
// a text, under rules, another text. A study meets hundreds of settings: some are tried.
func (t *trials) settings(e *Entry, rules, text string, play func() (string, error)) error {
	key := e.Name + " " + rules
	t.mu.Lock()
	if t.chosen == nil {
		t.chosen = map[string]map[string]bool{}
	}
	if t.chosen[key] == nil {
		t.chosen[key] = map[string]bool{}
	}
	picked := t.chosen[key][text]
	if !picked && (len(t.chosen[key]) < alwaysTried || hash(text)%oneInTried == 0) {
		t.chosen[key][text], picked = true, true
	}
	t.mu.Unlock()
	if !picked {
		return nil
	}
	different, err := play()
	switch {
	case err != nil || different == "":
		return err
	case strings.HasSuffix(different, always):
		return &arena.UnlikeError{Text: different}
	}
	return &arena.UnlikeError{Text: different + "; or register it with recorded: true, and its games are kept instead of being played again"}
}

// hash returns FNV-1a of a text.
func hash(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

// identify returns which engine it is, and whether its games under a limit can be played again.
// They can if the engine has one thread and a limit in nodes or depth, and plays the same short
// games three times in fresh processes and once in one that has played others.
func (r registered) identify(limit chess.Limit) (arena.Identity, error) {
	info, id, err := r.told()
	if err != nil || id.Recorded != "" {
		id.Timed = !limit.Exact()
		return id, err
	}
	switch name := r.entry.Name; {
	case !limit.Exact():
		id.Recorded, id.Timed = fmt.Sprintf("engine %s plays by the clock, %s", name, limit), true
	case info.Class != exact:
		id.Recorded = fmt.Sprintf("engine %s runs %d threads", name, info.Threads)
	default:
		different, err := r.playsAgain(info, info.Set, limit)
		if err != nil {
			return id, err
		}
		if different != "" {
			id.Recorded = different
		}
	}
	return id, nil
}

// playsAgain returns how short games of an engine against itself from the start differ,
// each in a fresh process, and where games share processes what [registered.carries] tells of the
// settings and the engine's defaults; empty where they do not. What was found of the same settings
// and limit is remembered.
func (r registered) playsAgain(info *Info, settings []Setting, limit chess.Limit) (different string, err error) {
	key := fmt.Sprintf("%s %s %s %t %q", r.entry.Name, info.Identity, limit, r.entry.Fresh, settings)
	return r.engines.once(key, func() (string, error) {
		if err := r.keepsNodes(settings, limit); err != nil {
			return "", err
		}
		different, err := r.engines.again(r.entry.Name, func() (string, error) { return r.tryGame(limit, settings) })
		if err != nil || different != "" {
			return different, err
		}
		if slices.Equal(settings, info.Set) {
			return r.carries(limit, settings)
		}
		return r.carries(limit, settings, info.defaults())
	})
}

// keepsNodes returns an error where an engine that is to play by nodes goes on thinking after the
// first.
func (r registered) keepsNodes(settings []Setting, limit chess.Limit) error {
	if limit.Nodes <= 0 {
		return nil
	}
	short := *r.entry
	if short.Deadlines.Move = onTrial.Move; r.entry.Deadlines.Move > 0 {
		short.Deadlines.Move = min(onTrial.Move, r.entry.Deadlines.Move)
	}
	engine, err := r.engines.pool.start(&short)
	if err != nil {
		return err
	}
	defer engine.Close()
	if err := engine.newGame(settings); err != nil {
		return err
	}
	var f *Fault
	if _, err = engine.search("position startpos", SearchLimit{Nodes: 1}); errors.As(err, &f) && f.Kind == Overtime {
		err := fmt.Errorf("limit %s: engine %s does not keep \"go nodes\": it has not answered \"go nodes 1\" after %s; expected limit depth:N, or one by the clock, such as clock:8+0.08", limit, r.entry.Name, short.Deadlines.Move)
		return &arena.UnfitError{Entrant: r.entry.Name, Err: err}
	}
	return nil // the games on trial tell what else is wrong
}

// carries returns how an engine answers in a position otherwise than in a fresh process, after it
// has searched others with the same settings or with others; empty where it does not or where each
// game has its own process. Some programs keep what they know of pawns, and GNU Chess takes no
// option after its first search. Positions of many games show more than one game does.
func (r registered) carries(limit chess.Limit, settings []Setting, others ...[]Setting) (string, error) {
	if r.entry.Fresh {
		return "", nil
	}
	r.engines.trying(playsTwice(r.entry.Name), 0, 0)
	defer r.engines.trying("", 0, 0)
	fresh, err := r.answers(limit, settings, settings)
	if err != nil {
		return "", err
	}
	used := [][]Setting{}
	for _, other := range others {
		used = append(used, other, settings)
	}
	later, err := r.answers(limit, used...)
	if err != nil {
		return "", err
	}
	all := append(fresh, later...)
	for i := 1; i < len(all); i += 2 {
		if i > 1 && deaf(all[0], all[i-1], all[i]) {
			return r.entry.deaf(nil, 0), nil
		}
		for k, told := range all[i] {
			if told != all[0][k] {
				return r.entry.carried(fmt.Sprintf("in %s it was %s, and then %s", probes()[k], all[0][k], told)), nil
			}
		}
	}
	return "", nil
}

// deaf reports that an engine has not taken settings: it answers as with the other ones before, and
// not as in a fresh process.
func deaf(fresh, before, now []string) bool {
	return slices.Equal(now, before) && !slices.Equal(now, fresh)
}

// takes returns an error where an engine whose games are kept takes no options after its first
// search: it would play with those of another game.
func (r registered) takes(info *Info, settings []Setting) error {
	if r.entry.Fresh {
		return nil
	}
	text := fmt.Sprintf("%q", settings)
	return r.engines.trials.settings(r.entry, "options", text, func() (string, error) {
		return r.engines.once(fmt.Sprintf("%s %s options %s", r.entry.Name, info.Identity, text), func() (string, error) {
			r.engines.trying("engine "+r.entry.Name+", whether it takes options between games", 0, 0)
			defer r.engines.trying("", 0, 0)
			base := info.defaults()
			different := slices.DeleteFunc(slices.Clone(settings), func(v Setting) bool { return slices.Contains(base, v) })
			if ignored, shown, err := r.ignored(base, different); err == nil && len(ignored) > 0 {
				return r.entry.deaf(ignored, shown), nil
			}
			return "", nil // its games tell what else is wrong
		})
	})
}

// ignored returns the options whose values an engine does not take after it has searched with others: it
// answers as without them, though not in a fresh process. It also returns how many show an effect, -1 for
// an engine that plays by chance.
func (r registered) ignored(base, values []Setting) (names []string, shown int, err error) {
	limit := chess.Limit{Depth: triedDepth}
	plain, err := r.answers(limit, base, base)
	again, failed := r.answers(limit, base, base)
	if err = errors.Join(err, failed); err != nil || !slices.EqualFunc(plain, again, slices.Equal[[]string]) {
		return nil, -1, err
	}
	for i, v := range values {
		r.engines.trying("engine "+r.entry.Name+", whether it takes options between games", i, len(values))
		with := append(slices.Clone(base), v)
		alone, err := r.answers(limit, with)
		if err != nil {
			return nil, 0, err
		}
		if slices.Equal(alone[0], plain[0]) {
			continue
		}
		shown++
		after, err := r.answers(limit, base, with)
		if err != nil {
			return nil, 0, err
		}
		if slices.Equal(after[1], plain[1]) {
			names = append(names, v.Name)
		}
	}
	return names, shown, nil
}

// answers returns the moves and scores of an engine in positions, in one process with each of the
// settings in turn.
func (r registered) answers(limit chess.Limit, settings ...[]Setting) (all [][]string, err error) {
	if len(settings) == 0 {
		return nil, nil
	}
	engine, err := r.engines.pool.start(r.entry)
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	positions := probes()[:triedPlies]
	for _, set := range settings {
		if err := engine.newGame(set); err != nil {
			return nil, err
		}
		var told []string
		for _, fen := range positions {
			a, err := engine.search("position fen "+fen, SearchLimit{Nodes: limit.Nodes, Depth: limit.Depth})
			if err != nil {
				return nil, fmt.Errorf("engine %s, tried in positions: %w", r.entry.Name, err)
			}
			told = append(told, fmt.Sprintf("%s %d", a.Best, a.Score))
		}
		all = append(all, told)
	}
	return all, nil
}

// always ends what is said of a program that is of no use in one process.
const always = "a process for every game: its results say nothing without it"

// deaf returns that an engine does not take options after its first search, those that are named of the
// ones tried, and what helps.
func (e *Entry) deaf(names []string, tried int) string {
	which := "takes no options after its first search"
	if n := len(names); n < tried {
		which = fmt.Sprintf("does not take %d of its options after its first search (%s)", n, strings.Join(names[:min(n, 3)], ", "))
	}
	return fmt.Sprintf("engine %s %s, so it carries something over from one game to the next: it plays with the parameters of the first game of its process. Give it fresh: true in its entry (of config.yaml, or under engines in the study's file), %s", e.Name, which, always)
}

// carried returns that a program plays otherwise after other games, and what helps.
func (e *Entry) carried(how string) string {
	return fmt.Sprintf("engine %s carries something over from one game to the next, and does not play the same twice in one process: %s. Give it fresh: true in its entry (of config.yaml, or under engines in the study's file), a process for every game", e.Name, how)
}

// defaults returns the options that are always set, and the defaults of the others.
func (i *Info) defaults() []Setting {
	set := slices.Clone(i.Set)
	for _, o := range i.Params {
		set = append(set, Setting{Name: o.Name, Value: o.Default})
	}
	return set
}

// tryGame returns the moves and scores of a short game in a process of its own.
func (r registered) tryGame(limit chess.Limit, settings []Setting) (string, error) {
	engine, err := r.engines.pool.start(r.entry)
	if err != nil {
		return "", err
	}
	defer engine.Close()
	if err := engine.newGame(settings); err != nil {
		return "", err
	}
	var line chess.Line
	line.Reset(chess.Start())
	var told []string
	p := player{}
	for range triedPlies {
		a, err := engine.search(p.position(&line), SearchLimit{Nodes: limit.Nodes, Depth: limit.Depth})
		if err != nil {
			return "", err
		}
		m, ok := uciMove(a.Best)
		if !ok || !line.IsLegal(m) {
			return "", &Fault{protocolFault, "expected a legal move, got " + a.Said}
		}
		told = append(told, fmt.Sprintf("%s %d", m, a.Score))
		if line.Do(m); line.Ending() != chess.Open {
			break
		}
	}
	return strings.Join(told, ", "), nil
}
