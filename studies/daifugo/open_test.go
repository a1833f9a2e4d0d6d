package daifugo

import (
	"flag"
	"math/big"
	"testing"

	"sakusen/engines/suite"
	"sakusen/strategies/daifugo"
)

// heavy switches on the open cells of 5 players with 4 kinds, and the searches with a table of
// over 2^24 nodes, take 40 s together and 1 GiB:
//
//	go test ./studies/daifugo -run Open -heavy
var heavy = flag.Bool("heavy", false, "compute the largest open cells too")

func TestOpenCells(t *testing.T) {
	suite.All(t)
	cells, err := openCells()
	if err != nil {
		t.Fatal(err)
	}
	if len(cells) != 21 {
		t.Errorf("%d open cells, want 21", len(cells))
	}
	limit := big.NewInt(daifugo.PaperLimit)
	for _, o := range cells {
		if o.Nodes.Cmp(limit) <= 0 {
			t.Errorf("%s, %s: %v nodes, which is below the paper's limit", o.column(), o.Method, o.Nodes)
		}
		slow := o.Rules.Seats == 5 && o.Rules.Cards == 4 || o.Method.Remembers()
		if slow && !*heavy {
			continue
		}
		rows, err := o.rows()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if !*r.Agrees || r.Note != "" {
				t.Errorf("%+v", r)
			}
		}
	}
}
