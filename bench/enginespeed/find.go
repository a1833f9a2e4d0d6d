package enginespeed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"sakusen/engines/external"
)

// fewNodes is with what a program is tried that may not keep to nodes at all.
const fewNodes = 1000

// deepest bounds the depth that is looked for, plies.
const deepest = 60

// find decides what both builds can be measured by, and how much.
func (m *measurement) find(ctx context.Context) error {
	for k := range kinds {
		m.size[k] = []int64{m.Nodes, m.Depth}[k]
		if m.size[k] < 0 {
			m.size[k] = 0
			continue
		}
		for build := range 2 {
			n, err := m.findFor(ctx, k, build, m.size[k])
			var f *external.Fault
			switch {
			case k == byNodes && errors.As(err, &f) && f.Kind == external.Overtime:
				m.note("the %s build does not end a search at a number of nodes: nodes per second are not measured", builds[build])
			case errors.Is(err, errUntold):
				m.note("the %s build does not tell how many nodes it searched: nodes per second are not measured", builds[build])
			case err != nil:
				return fmt.Errorf("%s: %w", builds[build], err)
			default:
				m.size[k] = n
				continue
			}
			m.size[k] = 0
			break
		}
	}
	if m.size[byNodes] == 0 && m.size[byDepth] == 0 {
		return errors.New("nothing can be measured: neither nodes per second nor the time to a depth")
	}
	return nil
}

// builds are the builds for people.
var builds = [...]string{"old", "new"}

// errUntold says that a program tells no nodes.
var errUntold = errors.New("no nodes are told")

// findFor finds the size of the searches of a kind with the old build; with the new
// one, or where it is given, it only tries.
func (m *measurement) findFor(ctx context.Context, k kind, build int, given int64) (n int64, err error) {
	s, err := m.Start(build)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	step := func(n int64) int64 { return 2 * n }
	n = fewNodes
	if k == byDepth {
		n, step = 1, func(n int64) int64 { return n + 1 }
	}
	target := m.Sample * time.Duration(len(m.fens))
	var before time.Duration // of the step before
	for ; ; n = step(n) {
		if given > 0 {
			n = given
		}
		var total external.Searched
		for _, fen := range m.fens {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			r, err := s.Search(fen, k.limit(n))
			if err != nil {
				return 0, err
			}
			total.Nodes += r.Nodes
			total.Wall += r.Wall
			total.CPU += r.CPU
			if total.Wall > Patience { // slow enough
				break
			}
		}
		if k == byNodes && total.Nodes == 0 {
			return 0, errUntold
		}
		// A script that starts the program takes no time of its own, and some systems
		// tell none.
		if !m.Wall && total.Wall > 100*time.Millisecond && total.CPU < total.Wall/200 {
			m.Wall = true
			m.note("the %s build uses no processor time of its own: wall-clock time is measured", builds[build])
		}
		spent := m.time(total)
		switch {
		case given > 0 || total.Wall > Patience/2:
		case spent > 4*target && before > target/8: // a ply more was too much
			return n - 1, nil
		case spent < target && !(k == byDepth && n >= deepest):
			before = spent
			continue
		}
		return n, nil
	}
}

// time returns the time that is counted.
func (m *measurement) time(r external.Searched) time.Duration {
	if m.Wall {
		return r.Wall
	}
	return r.CPU
}

// Report is the measurement in the form of its JSON.
type Report struct {
	Nodes     int64  `json:"nodes"` // of a search; 0: nodes per second are not measured
	Depth     int64  `json:"depth"` // plies; 0: the time to a depth is not measured
	Positions int    `json:"positions"`
	Rounds    int    `json:"rounds"` // done
	Clock     string `json:"clock"`  // processor or wall
	// NodesToDepth are the nodes of all positions to the depth, of the old build and
	// the new one, where they tell them.
	NodesToDepth [2]int64 `json:"nodes_to_depth"`
	// SameTrees tells that both builds gave the same moves, with as many nodes, in all
	// searches to the depth: they search alike, and their times can be compared.
	SameTrees bool     `json:"same_trees"`
	Notes     []string `json:"notes"`
}

// The clocks.
const (
	Processor = "processor"
	wall      = "wall"
)

// Write writes the report for people.
func (r *Report) Write(w io.Writer) error {
	text := fmt.Sprintf("searched %d positions in %d rounds, %s time", r.Positions, r.Rounds, r.Clock)
	if r.Nodes > 0 {
		text += fmt.Sprintf("; %d nodes each", r.Nodes)
	}
	if r.Depth > 0 {
		text += fmt.Sprintf("; to depth %d", r.Depth)
		switch {
		case r.SameTrees:
			text += ", where both searched the same"
		case r.NodesToDepth[1] > 0:
			text += fmt.Sprintf(", with %d nodes, before %d: they search differently, and the time to a depth says less than the match", r.NodesToDepth[1], r.NodesToDepth[0])
		}
	}
	text += "\n"
	for _, n := range r.Notes {
		text += "note " + n + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}
