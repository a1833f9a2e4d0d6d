package count

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"sakusen/engines/battleship"
)

// swept counts by sweeps whatever the price.
func (c *Counter) sweptAll(k *battleship.Knowledge) {
	t := c.task(k, battleship.Set{})
	c.tally.on, c.sweeping = true, true
	c.tally.reset(c.board.Squares(), c.wide(&t))
	c.total = Number{}
	for open, ways := range c.residues(&t) {
		next := t
		next.loose, next.open = 0, open
		next.times = t.times.mul(signed(ways))
		c.total = c.total.plus(c.solve(&next).mul(next.times))
	}
	c.tally.spread(c)
}

func TestSweepAgainstEnumeration(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 2))
	for range 500 {
		g := randomGame(r, 1e5)
		p := g.plain()
		p.run()
		c := New(g.board)
		c.sweptAll(g.knowledge())
		p.compare(t, c)
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestX(t *testing.T) {
	for _, l := range [][]int{{5, 4, 3, 3, 2, 2}, {5, 4, 3, 3, 2, 2, 2}, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, {5, 4, 3, 3, 2, 2, 2, 2}, {5, 4, 4, 3, 3, 3, 2, 2}, {6, 5, 5, 4, 4, 3, 3, 2}, {5, 4, 4, 3, 3, 3, 2, 2, 2, 2}} {
		for _, side := range []int{10, 16} {
			b, _ := battleship.NewBoard(side, side)
			f, _ := battleship.NewNameless(l...)
			k := battleship.NewKnowledge(b, f)
			c := New(b)
			tk := c.task(k, battleship.Set{})
			t0 := cpu()
			p := c.plan(&tk)
			t1 := cpu()
			if p.steps > 8e9 || p.words*8 > 3e9 {
				t.Log(side, l, p.steps, p.words*8/1e6, "MB", p.sides[0].down, p.sides[1].down, p.log, t1-t0)
				continue
			}
			c.sweptAll(k)
			t.Log(side, l, p.steps, p.words*8/1e6, "MB", p.sides[0].down, p.sides[1].down, p.log, t1-t0, cpu()-t1, c.Total())
		}
	}
}
