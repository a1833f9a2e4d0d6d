package enginespeed

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"sakusen/bench"
	"sakusen/engines/chess"
	"sakusen/engines/external"
)

// Searcher is a running program.
type Searcher interface {
	Search(fen string, g external.SearchLimit) (external.Searched, error)
	Close()
}

// The sides; noise is the old build once more.
const (
	old = iota
	fresh
	noise
	sides
)

// Options choose what is measured.
type Options struct {
	// Start starts a process of the old build (0) or the new one (1).
	Start func(build int) (Searcher, error)
	// Nodes and Depth are those of a search: 0 is found by the old build, a negative
	// number leaves it out.
	Nodes, Depth int64
	Positions    int           // default 8
	Rounds       int           // the most; default 20
	Sample       time.Duration // that a search shall take, where its length is found; default 50 ms
	Wall         bool          // count the time that passes, whatever the system tells
	Seed         uint64        // of positions and order
	Machine      string        // machine class
	Policy       bench.Policy
	Say          func(format string, args ...any)
}

func (o *Options) fill() {
	if o.Positions <= 0 {
		o.Positions = 8
	}
	if o.Rounds <= 0 {
		o.Rounds = 20
	}
	if o.Sample <= 0 {
		o.Sample = 50 * time.Millisecond
	}
	if o.Say == nil {
		o.Say = func(string, ...any) {}
	}
}

// Patience is how long a search may take; whether a program keeps to a number of
// nodes at all is tried with a small one.
const Patience = 20 * time.Second

// positions returns openings of 8 to 16 random plies in which nothing hangs.
func (o *Options) positions() []string {
	var fens []string
	for i := range o.Positions {
		p := chess.Start()
		for _, m := range chess.Opening(o.Seed, uint64(i), 8+4*(i%3)) {
			p.Do(m)
		}
		fens = append(fens, p.FEN())
	}
	return fens
}

// kind is one of the two ways to measure.
type kind int

const (
	byNodes kind = iota
	byDepth
	kinds
)

// limit returns the search of a kind.
func (k kind) limit(n int64) external.SearchLimit {
	if k == byNodes {
		return external.SearchLimit{Nodes: n}
	}
	return external.SearchLimit{Depth: n}
}

// name returns the benchmark of a kind.
func (k kind) name(n int64) string {
	return fmt.Sprintf("Search/%s=%d", [...]string{"nodes", "depth"}[k], n)
}

// Measured is what came of it.
type Measured struct {
	Comparison *bench.Comparison
	Gate       bench.Gate
	Report     Report
}

// measurement is one that is under way.
type measurement struct {
	Options
	fens  []string
	size  [kinds]int64 // of the searches; 0 leaves the kind out
	notes []string
	text  [sides]strings.Builder
	trees [2]tree
}

// tree is what a build found to the depth: its moves and nodes, position by position.
type tree struct {
	text  string
	nodes int64
}

func (m *measurement) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(m.notes, text) {
		m.notes = append(m.notes, text)
	}
}

// Run measures until it is decided, o.Rounds at most. An error that is a fault of a
// build names it.
func Run(ctx context.Context, o Options) (*Measured, error) {
	o.fill()
	m := &measurement{Options: o}
	m.fens = m.positions()
	m.Say("finding how much to search")
	if err := m.find(ctx); err != nil {
		return nil, err
	}
	m.begin()
	s := bench.NewSequential(o.Policy, o.Rounds)
	random := rand.New(rand.NewPCG(o.Seed, 0x656e67696e65))
	order := make([]int, sides)
	out := &Measured{}
	for round := 1; round <= o.Rounds; round++ {
		m.Say("round %d of %d", round, o.Rounds)
		if round%2 == 1 {
			order = random.Perm(sides)
		} else {
			slices.Reverse(order)
		}
		if err := m.round(ctx, order); err != nil {
			return nil, err
		}
		out.Report.Rounds = round
		if !slices.Contains(s.Looks(), round) {
			continue
		}
		c, floor, err := m.compare()
		if err != nil {
			return nil, err
		}
		if open := s.Look(c, floor, round); len(open) == 0 || round == o.Rounds {
			out.Comparison, out.Gate = c, s.Gate(c, floor)
			break
		}
	}
	m.report(&out.Report)
	return out, nil
}

// begin writes what the text of each side begins with.
func (m *measurement) begin() {
	for side := range m.text {
		if m.Machine != "" {
			fmt.Fprintf(&m.text[side], "%s: %s\n", bench.MachineKey, m.Machine)
		}
		m.text[side].WriteString("Unit nodes/s better=higher\n")
	}
}

// round starts all sides anew and lets each search all positions.
func (m *measurement) round(ctx context.Context, order []int) (err error) {
	var running [sides]Searcher
	defer func() {
		for _, s := range running {
			if s != nil {
				s.Close()
			}
		}
	}()
	for side := range running {
		s, err := m.Start(side % noise)
		if err != nil { // s may be an interface that holds nil
			return fmt.Errorf("%s: %w", builds[side%noise], err)
		}
		running[side] = s
	}
	var total [sides][kinds]external.Searched
	var trees [sides]tree
	for _, fen := range m.fens {
		for k := range kinds {
			if m.size[k] == 0 {
				continue
			}
			for _, side := range order {
				if err := ctx.Err(); err != nil {
					return err
				}
				r, err := running[side].Search(fen, k.limit(m.size[k]))
				if err != nil {
					return errors.Join(ctx.Err(), fmt.Errorf("%s: %w", builds[side%noise], err))
				}
				t := &total[side][k]
				t.Nodes, t.CPU, t.Wall = t.Nodes+r.Nodes, t.CPU+r.CPU, t.Wall+r.Wall
				if k == byDepth {
					trees[side].text += fmt.Sprintf("%s %d\n", r.Best, r.Nodes)
					trees[side].nodes += r.Nodes
				}
			}
		}
	}
	for side := range total {
		for k := range kinds {
			t := total[side][k]
			spent := max(m.time(t), time.Nanosecond)
			switch {
			case m.size[k] == 0:
			case k == byNodes:
				fmt.Fprintf(&m.text[side], "Benchmark%s %d %.6g nodes/s\n", k.name(m.size[k]), len(m.fens), float64(t.Nodes)/spent.Seconds())
			default:
				fmt.Fprintf(&m.text[side], "Benchmark%s %d %.8g ns/op\n", k.name(m.size[k]), len(m.fens), float64(spent.Nanoseconds())/float64(len(m.fens)))
			}
		}
	}
	m.look(trees)
	return nil
}

// look keeps what was searched, and notes what does not repeat itself.
func (m *measurement) look(trees [sides]tree) {
	for side, t := range trees {
		known := &m.trees[side%noise]
		if known.text == "" {
			*known = t
		}
		if t.text != known.text {
			m.note("the %s build does not search the same twice", builds[side%noise])
		}
	}
}

// compare compares what was measured until now.
func (m *measurement) compare() (*bench.Comparison, map[bench.Series]float64, error) {
	var runs [sides]*bench.Run
	for side := range runs {
		var err error
		name := [...]string{"old", "new", "the old build once more"}[side]
		if runs[side], err = bench.Read(strings.NewReader(m.text[side].String()), name, bench.ReadOptions{}); err != nil {
			return nil, nil, err
		}
	}
	return bench.Compare(runs[old], runs[fresh], bench.Options{}), bench.NoiseFloor(runs[old], runs[noise]), nil
}

// report fills in the report.
func (m *measurement) report(r *Report) {
	r.Nodes, r.Depth, r.Positions = m.size[byNodes], m.size[byDepth], len(m.fens)
	if r.Clock = Processor; m.Wall {
		r.Clock = wall
	}
	if r.Notes = m.notes; r.Notes == nil {
		r.Notes = []string{}
	}
	if m.size[byDepth] > 0 {
		r.NodesToDepth = [2]int64{m.trees[0].nodes, m.trees[1].nodes}
		r.SameTrees = m.trees[0].text == m.trees[1].text
	}
}
