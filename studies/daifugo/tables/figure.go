package tables

import (
	"fmt"
	"strconv"
	"strings"

	"sakusen/strategies/daifugo/ranking"
)

// Figure is what a cell says: nodes and depth, or that the search was given up.
type Figure struct {
	Nodes uint64
	Depth int  // nodes on the longest path visited
	Over  bool // more than ranking.PaperLimit nodes; the others are 0
}

// String is the figure as the paper prints it: "6482(21)" or "over".
func (f Figure) String() string {
	if f.Over {
		return over
	}
	return fmt.Sprintf("%d(%d)", f.Nodes, f.Depth)
}

const over = "over"

func (f Figure) nodes() string {
	if f.Over {
		return over
	}
	return strconv.FormatUint(f.Nodes, 10)
}

func (f Figure) depth() string {
	if f.Over {
		return over
	}
	return strconv.Itoa(f.Depth)
}

// parseFigure is the inverse of String.
func parseFigure(text string) (Figure, error) {
	if text == over {
		return Figure{Over: true}, nil
	}
	bad := fmt.Errorf("figure: expected nodes(depth) or over, got %q", text)
	nodes, rest, ok := strings.Cut(text, "(")
	if !ok {
		return Figure{}, bad
	}
	depth, rest, ok := strings.Cut(rest, ")")
	if !ok || rest != "" {
		return Figure{}, bad
	}
	n, err := strconv.ParseUint(nodes, 10, 64)
	if err != nil {
		return Figure{}, bad
	}
	d, err := strconv.ParseUint(depth, 10, 31)
	if err != nil {
		return Figure{}, bad
	}
	f := Figure{Nodes: n, Depth: int(d)}
	if f.String() != text {
		return Figure{}, bad
	}
	return f, nil
}

// figureOf is a search's figure.
func figureOf(r ranking.Result) Figure {
	if r.Over {
		return Figure{Over: true}
	}
	return Figure{Nodes: r.Nodes, Depth: r.Depth}
}
