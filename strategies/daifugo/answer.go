// Solve runs one question of the command `paper solve daifugo`: the opening
// of some rules by one method, or the exact size of a method's tree. It does
// no input or output and starts no goroutines; the command brings a pool, and
// keeps the time.
//
//	answer, err := Request{Rules: daifugo.Rules{Seats: 3, Cards: 4, Ranks: 3},
//		Method: "full", Limit: PaperLimit, Memory: 1 << 30}.Run(nil)
//
// fills everything but Seconds of
//
//	{"players":3,"cards":4,"ranks":3,"method":"full","nodes":"1778308","depth":30,...}
//
// Source: Goto, Inui, Kotani, "Game Tree Search for Ranking in Multiplayer
// Games", for the tree methods; ours for positions and exact counts.

package daifugo

import (
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"text/tabwriter"

	"sakusen/engines/daifugo"
)

// Positions is the method that solves all positions instead of the tree.
const Positions = "positions"

// Request is one question.
type Request struct {
	Rules  daifugo.Rules
	Method string // one of SolveMethods
	// Limit is in nodes, 0 for none; for tree methods without ExactCount.
	Limit uint64
	// ExactCount asks for the exact size of the tree of full, prune or prune+id,
	// whatever it is, from the position graph.
	ExactCount bool
	// Memory is the most bytes to use; a question that may need more is refused
	// before anything is allocated.
	Memory uint64
	// OnDisk tells that two layers that need more are kept in files by the caller, who
	// brings the solver (Layers.From); for the method positions.
	OnDisk bool
	// Search has the tree methods' further options; its Method and Limit are
	// ignored.
	Search Options
}

// SolveMethods lists the names of all methods.
func SolveMethods() []string {
	var names []string
	for _, m := range Methods() {
		names = append(names, string(m))
	}
	return append(names, Positions)
}

// options returns the options of the tree search.
func (r Request) options() Options {
	o := r.Search
	o.Method, o.Limit = Method(r.Method), r.Limit
	return o
}

// Validate returns an error that says what is wrong with a request, the memory it needs included.
func (r Request) Validate() error {
	if err := r.Rules.Validate(); err != nil {
		return err
	}
	if r.Method == Positions {
		if r.ExactCount {
			return fmt.Errorf("exact count: expected method full, prune or prune+id, got %s, which has no tree", Positions)
		}
		if r.OnDisk {
			return nil
		}
		return r.fits(Estimate(r.Rules), "two layers")
	}
	m, err := MethodOf(r.Method)
	if err != nil {
		return fmt.Errorf("method: expected one of %v, got %q", SolveMethods(), r.Method)
	}
	if r.ExactCount {
		if m.Remembers() {
			return fmt.Errorf("exact count: expected method full, prune or prune+id, got %s: its nodes depend on the table", m)
		}
		return r.fits(graphEstimate(r.Rules), "at most, all canonical positions")
	}
	if err := r.options().Validate(); err != nil {
		return err
	}
	if !m.Remembers() {
		return nil
	}
	if r.Search.Bits == 0 && r.Limit == 0 {
		return fmt.Errorf("limit: expected a limit in nodes, or a table of a given size, for %s without end", m)
	}
	return r.fits(tableBytes(r.Search.Bits, r.Limit), "the transposition table")
}

// tableBytes returns the most memory a transposition table takes: slots of 24
// bytes, and while an unbounded one doubles, the old ones too.
func tableBytes(size int, limit uint64) uint64 {
	const slot = 24
	if size > 0 {
		return slot << size
	}
	if limit > 1<<55 {
		return 1 << 62
	}
	return slot * 3 / 2 << bits.Len64(limit*4/3)
}

func (r Request) fits(need uint64, what string) error {
	if need <= r.Memory {
		return nil
	}
	return fmt.Errorf("memory: %d players, %d kinds, %d ranks by %s need about %s (%s), the limit is %s",
		r.Rules.Seats, r.Rules.Cards, r.Rules.Ranks, r.Method, size(need), what, size(r.Memory))
}

// Solved is what `paper solve daifugo --json` prints.
type Solved struct {
	Players   int     `json:"players"`
	Cards     int     `json:"cards"`
	Ranks     int     `json:"ranks"`
	Method    string  `json:"method"`
	Nodes     *string `json:"nodes"`               // decimal; null when over, and by positions
	Depth     *int    `json:"depth"`               // nodes on the longest path; null as above
	Over      bool    `json:"over"`                // the limit was passed
	Solution  [][]int `json:"solution"`            // possible ranks by seat; null when over
	Positions *string `json:"positions,omitempty"` // decimal; entries made, or canonical positions visited
	Asked     []asked `json:"asked,omitempty"`     // by positions, the further positions asked for
	Seconds   float64 `json:"seconds"`
}

// asked is the value of one further position.
type asked struct {
	Ranks [][]int `json:"ranks"` // possible ranks by seat
}

// Run answers a valid request. Layers are used by the method positions only.
func (r Request) Run(layers *Layers) (Solved, error) {
	if err := r.Validate(); err != nil {
		return Solved{}, err
	}
	a := Solved{Players: r.Rules.Seats, Cards: r.Rules.Cards, Ranks: r.Rules.Ranks, Method: r.Method}
	switch {
	case r.Method == Positions:
		return a, r.positions(layers, &a)
	case r.ExactCount:
		return a, r.count(&a)
	}
	p, err := daifugo.New(r.Rules)
	if err != nil {
		return a, err
	}
	result := Search(p, r.options())
	if a.Over = result.Over; a.Over {
		return a, nil
	}
	a.size(strconv.FormatUint(result.Nodes, 10), result.Depth)
	a.Solution = result.Value.Sets(r.Rules)
	return a, nil
}

func (a *Solved) size(nodes string, depth int) { a.Nodes, a.Depth = &nodes, &depth }

func (a *Solved) made(n uint64) {
	text := strconv.FormatUint(n, 10)
	a.Positions = &text
}

func (r Request) count(a *Solved) error {
	p, err := daifugo.New(r.Rules)
	if err != nil {
		return err
	}
	g, err := NewGraph(p, 0)
	if err != nil {
		return err
	}
	c, err := g.Count(Method(r.Method))
	if err != nil {
		return err
	}
	a.size(c.Nodes.String(), c.Depth)
	a.Solution = g.value().Sets(r.Rules)
	a.made(uint64(g.positions()))
	return nil
}

// WriteText writes the answer for people.
func (a *Solved) WriteText(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	line := func(name, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	line("game", "%d players, cards 1..%d, ranks 1..%d", a.Players, a.Cards, a.Ranks)
	line("method", "%s", a.Method)
	if a.Over {
		line("nodes", "over the limit")
	}
	if a.Nodes != nil {
		line("nodes", "%s", *a.Nodes)
		line("depth", "%d", *a.Depth)
	}
	if a.Positions != nil {
		line("positions", "%s", *a.Positions)
	}
	for i, ranks := range a.Solution {
		line(fmt.Sprintf("seat %d", i), "ranks %v", ranks)
	}
	for i, asked := range a.Asked {
		line(fmt.Sprintf("position %d", i+1), "ranks %v", asked.Ranks)
	}
	line("seconds", "%.3f", a.Seconds)
	return t.Flush()
}

// Layers is what the method positions needs of its caller. The zero Layers
// works serially from the start and asks for the opening alone.
type Layers struct {
	Pool Pool // nil: positions.Serial
	// From is a loaded solver to continue from; nil starts anew.
	From Solver
	// Ask are further positions to evaluate when their layer is reached.
	Ask []daifugo.Position
	// After, unless nil, is called with every layer that is done; an error from
	// it stops the run and is returned.
	After func(s Solver) error
}

// positions makes layer after layer.
func (r Request) positions(l *Layers, a *Solved) error {
	if l == nil {
		l = &Layers{}
	}
	pool := l.Pool
	if pool == nil {
		pool = Serial
	}
	s := l.From
	if s == nil {
		var err error
		if s, err = New(r.Rules, r.Memory); err != nil {
			return err
		}
	}
	if len(l.Ask) > 0 {
		a.Asked = make([]asked, len(l.Ask))
	}
	if err := l.Check(); err != nil {
		return err
	}
	for {
		if err := l.answer(s, a); err != nil {
			return err
		}
		if s.Cards() == Top(r.Rules) {
			break
		}
		s.Next(pool)
		if l.After != nil {
			if err := l.After(s); err != nil {
				return err
			}
		}
	}
	v, err := opening(s)
	if err != nil {
		return err
	}
	a.Solution = v.Sets(r.Rules)
	a.made(s.Entries())
	return nil
}

// Check refuses positions whose layer the loaded solver has left behind.
func (l *Layers) Check() error {
	if l.From == nil {
		return nil
	}
	for i, p := range l.Ask {
		if !p.Over() && held(&p) <= l.From.Cards() {
			return fmt.Errorf("position %d has %d cards, and the saved layer is past it, with %d: start from the beginning to value it",
				i+1, held(&p), l.From.Cards())
		}
	}
	return nil
}

// answer values the positions asked for that stand on the layer held.
func (l *Layers) answer(s Solver, a *Solved) error {
	for i, p := range l.Ask {
		if a.Asked[i].Ranks != nil || !p.Over() && held(&p) != s.Cards()+1 {
			continue
		}
		v, err := s.Value(&p)
		if err != nil {
			return err
		}
		a.Asked[i].Ranks = v.Sets(s.Rules())
	}
	return nil
}

// held returns the number of cards in all hands.
func held(p *daifugo.Position) int {
	n := 0
	for i := range p.Rules().Seats {
		n += p.Hand(i).Len()
	}
	return n
}
