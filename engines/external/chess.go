package external

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"sakusen/engines/arena"
	"sakusen/engines/chess"
	"sakusen/engines/param"
)

// strategies returns the engines as strategies of chess, for arena.Join. A program is
// started when its parameters, its identity or its play is asked for.
func (s *Engines) strategies() []chess.Strategy {
	var all []chess.Strategy
	for i, entries := 0, s.Entries(); i < len(entries); i++ {
		e := &entries[i]
		if !e.playsChess() {
			continue
		}
		all = append(all, chess.Strategy{
			Name:     e.Name,
			Doc:      fmt.Sprintf("A registered engine that speaks %s.", e.Speaks()),
			Source:   "a program from elsewhere",
			Identify: func(r *chess.Rules) (arena.Identity, error) { return registered{s, e}.identify(r.Limit()) },
			New: func(f *param.Fields, r *chess.Rules) arena.Maker[chess.Player] {
				c := &config{registered: registered{s, e}}
				c.declare(f)
				return func() (chess.Player, error) { return c.player(r) }
			},
		})
	}
	return all
}

// config is an engine's options as parameters.
type config struct {
	registered
	info   *Info
	values []func() Setting
}

// declare binds the options. It shakes hands with the engine, since the engine's options
// are the parameters.
func (c *config) declare(f *param.Fields) {
	var err error
	if c.info, err = c.describe(); err != nil {
		f.Refuse(err)
		return
	}
	c.info.explain(f)
	for _, o := range c.info.Params {
		doc := "option of the engine"
		var more []param.Option
		if convention(o.Name) {
			more = append(more, param.Fixed())
		}
		switch o.Type {
		case "spin":
			v, def, domain := new(int), int(0), param.Whole(o.Min, o.Max)
			fmt.Sscan(o.Default, &def) // the handshake has checked it
			if float64(def) < domain.Low || float64(def) > domain.High {
				continue // it stays as the engine has it
			}
			f.Int(v, o.Name, def, domain, doc, more...)
			c.values = append(c.values, func() Setting { return Setting{Name: o.Name, Value: fmt.Sprint(*v)} })
		case "check":
			v := new(bool)
			f.Bool(v, o.Name, o.Default == "true", doc, more...)
			c.values = append(c.values, func() Setting { return Setting{Name: o.Name, Value: fmt.Sprint(*v)} })
		case "string":
			def, _ := o.number()
			v := new(float64)
			f.Float(v, o.Name, def, param.Range(-mostNumber, mostNumber), doc, param.Fixed(), param.Later(), param.Open())
			c.values = append(c.values, func() Setting {
				if *v == def {
					return Setting{Name: o.Name, Value: o.Default}
				}
				return Setting{Name: o.Name, Value: strconv.FormatFloat(*v, 'f', -1, 64)}
			})
		case "combo":
			v := new(string)
			f.Choice(v, o.Name, o.Default, o.Vars, doc, more...)
			c.values = append(c.values, func() Setting { return Setting{Name: o.Name, Value: *v} })
		}
	}
}

// settings returns all options that are set.
func (c *config) settings() []Setting {
	set := slices.Clone(c.info.Set)
	for _, value := range c.values {
		set = append(set, value())
	}
	return set
}

// player makes a player.
func (c *config) player(rules *chess.Rules) (chess.Player, error) {
	p := &player{registered: c.registered, settings: c.settings()}
	if c.engines.Unkept {
		return p, nil
	}
	id, err := c.identify(rules.Limit())
	switch {
	case err != nil:
	case id.Recorded == "":
		limit := rules.Limit()
		err = c.engines.trials.settings(c.entry, fmt.Sprint(limit), fmt.Sprintf("%q", p.settings), func() (string, error) { return c.playsAgain(c.info, p.settings, limit) })
	default:
		err = c.takes(c.info, p.settings)
	}
	return p, err
}

// player is an entrant's engine in a game.
type player struct {
	registered
	settings []Setting

	engine *uciEngine // borrowed, nil between games and after a fault
	fault  *Fault     // of the beginning
	line   []byte     // that tells the position
}

// Begin implements chess.Player. A program may have died while it waited after an earlier
// game. That is no fault in this game, so a new one is started.
func (p *player) Begin(v *chess.View) error {
	p.fault = nil
	p.engines.pool.enter(v.Line)
	for {
		engine, used, err := p.engines.pool.borrow(p.entry)
		if err != nil {
			p.engines.pool.leave(v.Line)
			return err
		}
		err = engine.newGame(p.settings)
		if err == nil {
			p.engine = engine
			return nil
		}
		engine.Close()
		if !errors.As(err, &p.fault) {
			p.engines.pool.leave(v.Line)
			return err
		}
		if !used {
			return nil // it loses by its fault
		}
	}
}

// Move implements chess.Player.
func (p *player) Move(v *chess.View) chess.Reply {
	p.engines.pool.leave(v.Line)
	if p.engine == nil {
		return failed(p.fault, v)
	}
	g := SearchLimit{Nodes: v.Limit.Nodes, Depth: v.Limit.Depth, MoveTime: v.Limit.MoveTime, Side: int(v.Side)}
	if v.Limit.Clock > 0 {
		g.Clock = v.Clock
		g.Increment = [2]int64{v.Limit.Increment, v.Limit.Increment}
	}
	a, err := p.engine.search(p.position(v.Line), g)
	if err != nil {
		p.engine.Close()
		p.engine = nil
		if !errors.As(err, &p.fault) {
			p.fault = &Fault{Kind: crash, Said: err.Error()}
		}
		return failed(p.fault, v)
	}
	r := chess.Reply{Score: scoreOf(&a), Scored: a.Scored, Depth: a.Depth, Nodes: a.Nodes, Spent: a.Spent.Milliseconds(), Said: a.Said}
	var ok bool
	if r.Move, ok = uciMove(a.Best); !ok {
		r.Fault = chess.Garbled
	}
	return r
}

// End implements chess.Player.
func (p *player) End(v *chess.View) {
	p.engines.pool.leave(v.Line)
	if p.engine != nil {
		p.engines.pool.giveBack(p.entry, p.engine, "")
		p.engine = nil
	}
}

// position returns the line that tells the game so far.
func (p *player) position(l *chess.Line) string {
	b := append(p.line[:0], "position "...)
	if fen := l.Start().FEN(); fen == chess.StartFEN {
		b = append(b, "startpos"...)
	} else {
		b = append(append(b, "fen "...), fen...)
	}
	for i, m := range l.Moves() {
		if i == 0 {
			b = append(b, " moves"...)
		}
		b = append(append(b, ' '), m.String()...)
	}
	p.line = b
	return string(b)
}

// failed returns a fault as a reply.
func failed(f *Fault, v *chess.View) chess.Reply {
	r := chess.Reply{Fault: chess.Crashed, Said: f.Said}
	switch f.Kind {
	case stall:
		r.Fault = chess.Stalled
	case Overtime:
		if r.Fault = chess.Stalled; !v.Limit.Exact() {
			r.Fault = chess.OutOfTime
		}
	case protocolFault:
		r.Fault = chess.Garbled
	}
	return r
}

// scoreOf returns the score that an engine reports; a mate in n moves is Mate-n.
func scoreOf(a *answer) int {
	switch {
	case !a.MateScore:
		return a.Score
	case a.Score <= 0:
		return -chess.Mate - a.Score
	}
	return chess.Mate - a.Score
}

// searcher is a process of an engine that searches positions one by one, to measure
// its speed. It is used by one goroutine at a time.
type searcher struct {
	name     string
	engine   *uciEngine
	settings []Setting
	searched int // positions, by count
}

// Searched is a search that has ended.
type Searched struct {
	Nodes int64 // as the engine tells them last; 0 where it tells none
	Depth int   // plies
	// Score is for the side to move, hundredths of a pawn, a mate beyond all others; it
	// counts only if Scored.
	Score  int
	Scored bool
	Best   string
	Wall   time.Duration
	// CPU is the processor time of the process; 0 where the system does not tell.
	CPU time.Duration
}

// Searcher starts an engine with values for its parameters. A search may take as
// long as patience before it is a fault, 0 for the entry's own.
func (s *Engines) Searcher(name string, values param.Values, patience time.Duration) (*searcher, error) {
	info, err := s.Describe(name)
	if err != nil {
		return nil, err
	}
	e, err := s.entry(name)
	if err != nil {
		return nil, err
	}
	p, err := e.program()
	if err != nil {
		return nil, err
	}
	if patience > 0 {
		p.Deadlines.Move = patience
	}
	keeper, err := s.pool.keeping()
	if err != nil {
		return nil, err
	}
	engine, err := startUCI(keeper, p)
	if err != nil {
		return nil, fmt.Errorf("engine %s: %w", name, err)
	}
	set := append([]Setting(nil), info.Set...)
	for _, v := range values {
		set = append(set, Setting{Name: v.Name, Value: v.Text})
	}
	return &searcher{name: name, engine: engine, settings: set}, nil
}

// Search searches the position of a FEN as the first one of a game.
func (s *searcher) Search(fen string, g SearchLimit) (Searched, error) {
	if err := s.engine.newGame(s.settings); err != nil {
		return Searched{}, fmt.Errorf("engine %s: %w", s.name, err)
	}
	before, told := s.engine.cpu()
	a, err := s.engine.search("position fen "+fen, g)
	if err != nil {
		return Searched{}, fmt.Errorf("engine %s: %w", s.name, err)
	}
	r := Searched{Nodes: a.Nodes, Depth: a.Depth, Best: a.Best, Wall: a.Spent, Scored: a.Scored, Score: scoreOf(&a)}
	if after, still := s.engine.cpu(); told && still {
		r.CPU = after - before
	}
	return r, nil
}

// speedPositions are searched to measure an engine's speed: an opening, a middle game, an ending.
var speedPositions = [...]string{
	chess.StartFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
}

// Speed implements queue.Engines: it measures the nodes a second of an engine in so many
// processes that search at the same time, for about span. It returns the median of the processes,
// and the distance between the slowest and the fastest as a share of the median. For an engine
// that reports no nodes, the machine's speed at a fixed work of this program counts.
func (s *Engines) Speed(ctx context.Context, name string, processes int, span time.Duration) (nodes, spread float64, err error) {
	e, err := s.entry(name)
	if err != nil {
		return 0, 0, err
	}
	searches := make([]func(time.Duration) (int64, time.Duration, error), processes)
	for i := range searches {
		searches[i] = ownWork
		if e.Speaks() != "uci" {
			continue
		}
		searcher, err := s.Searcher(name, nil, 0)
		if err != nil {
			return 0, 0, err
		}
		defer searcher.Close()
		searches[i] = searcher.count
	}
	for try := 0; ; try++ {
		nodes, spread, err = together(ctx, searches, span)
		if err != nil || nodes > 0 || try > 0 {
			return nodes, spread, err
		}
		for i := range searches { // it tells no nodes
			searches[i] = ownWork
		}
	}
}

// together returns the median of what searches count a second, all at once, and their spread.
func together(ctx context.Context, searches []func(time.Duration) (int64, time.Duration, error), span time.Duration) (median, spread float64, err error) {
	all, errs := make([]float64, len(searches)), make([]error, len(searches))
	var group sync.WaitGroup
	for i, search := range searches {
		group.Go(func() {
			var nodes int64
			var took time.Duration
			for ctx.Err() == nil && (took < span || took == 0) {
				n, t, err := search(max(span/time.Duration(len(speedPositions)), time.Millisecond))
				if err != nil {
					errs[i] = err
					return
				}
				nodes, took = nodes+n, took+max(t, time.Microsecond)
			}
			all[i] = float64(nodes) / max(took.Seconds(), 1e-9)
		})
	}
	group.Wait()
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return 0, 0, err
	}
	slices.Sort(all)
	if median = all[len(all)/2]; median > 0 {
		spread = (all[len(all)-1] - all[0]) / median
	}
	return median, spread, nil
}

// ownWork hashes for about so long, and counts.
func ownWork(span time.Duration) (n int64, took time.Duration, err error) {
	var block [4096]byte
	for began := time.Now(); took < span; took = time.Since(began) {
		sum := sha256.Sum256(block[:])
		copy(block[:], sum[:])
		n++
	}
	return n, took, nil
}

// count searches the next of the positions for about so long, and returns the nodes.
func (s *searcher) count(span time.Duration) (int64, time.Duration, error) {
	fen := speedPositions[s.searched%len(speedPositions)]
	s.searched++
	r, err := s.Search(fen, SearchLimit{MoveTime: max(1, span.Milliseconds())})
	return r.Nodes, r.Wall, err
}

// beyondHash is what an engine is taken to need beside its hash table, bytes.
const beyondHash = 64 << 20

// Close ends the process.
func (s *searcher) Close() { s.engine.Close() }
