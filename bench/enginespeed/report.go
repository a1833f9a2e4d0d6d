package enginespeed

import (
	"fmt"
	"io"
)

// Report is what was measured, in the form of its JSON.
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
	Wall      = "wall"
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
