// Package place puts fleets on the board: the placement strategies of the
// paper as one group of parameters that every attack strategy carries.
//
//	type Config struct{ Place place.Group }
//
//	func (c *Config) Declare(f *param.Fields, r *battleship.Rules) {
//		f.Group("place", func(f *param.Fields) { c.Place.Declare(f, r) })
//	}
//
// The Placer made of it is a part of the strategy's player and answers the
// referee's Place.
//
// Source: M. Sakuta and H. Iida, "Evaluation of Attacking and Placing
// Strategies in a Classic Battleship Game without Considering Opponent
// Models", 2002, section 6: R, ED1, ED2, PKxXy and their separated forms. The
// paper does not say how a random placement is drawn, nor whether separated
// ships may touch at corners or lie in those of the board; all are options
// here. docs/battleship.md tells how they fit the paper's tables.
package place

import (
	"sakusen/engines/battleship"
	"sakusen/engines/param"
)

// Group is the parameters of a placement.
type Group struct {
	Kind          string // random, edge1, edge2 or packed
	Height, Width int    // of the rectangle of packed, squares
	Separated     bool   // no two ships side by side
	Draw          string // sequential or joint
	Corners       bool   // separated ships may not touch at corners either
	OffCorners    bool   // separated ships keep off the corner squares of the board
	Apart         string // packed: what the smallest ship keeps out of
}

// Declare binds the group's parameters.
func (g *Group) Declare(f *param.Fields, r *battleship.Rules) {
	f.Choice(&g.Kind, "kind", "random", []string{"random", "edge1", "edge2", "packed"},
		"where the ships go: anywhere, along the edge, on the two outer rings, or packed into a rectangle, except for the smallest")
	f.When("kind", "packed", func(f *param.Fields) {
		short, long := r.Board().Width(), r.Board().Height()
		if short > long {
			short, long = long, short
		}
		f.Int(&g.Height, "height", min(2, short), param.Range(1, float64(short)),
			"short side of the rectangle, squares")
		f.Int(&g.Width, "width", long, param.Range(1, float64(long)),
			"long side of the rectangle, squares; a rectangle that is too small for the ships grows")
		f.Choice(&g.Apart, "apart", "ships", []string{"ships", "rectangle"},
			"where the smallest ship may not go: on the packed ships, or anywhere in their rectangle", param.Fixed())
	})
	f.Bool(&g.Separated, "separated", false,
		"no two ships touch side by side; with kind packed: the smallest ship touches no other")
	f.When("separated", "true", func(f *param.Fields) {
		f.Bool(&g.OffCorners, "off_corners", r.Fitted(),
			"separated ships (with kind packed: the smallest) do not cover a corner of the board", param.Fixed())
	})
	f.Bool(&g.Corners, "corners", false, "separated ships do not touch at corners either", param.Fixed())
	f.Choice(&g.Draw, "draw", "sequential", []string{"sequential", "joint"},
		"how ships are placed at random: one after another, or all at once; what does not fit is drawn again", param.Fixed())
}
