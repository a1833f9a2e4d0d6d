package battleship

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
	"sakusen/strategies/battleship/count"
)

// exact returns the attack EX: from the first shot on, the square that holds
// a ship in the most of all placements of the whole fleet that agree with the
// answers. It is MP without its limits: five ships, a hundred squares, open hits
// among them.
//
//	rules.Entrant("exact") // EX
//
// Among equally good squares the first in board order is taken, so that the attack is a
// decision tree, which is kept and shared (decisions.go). A game that has to be worked out
// takes 13 ms, one that was played before takes microseconds. The ties "hunt" and "random" of
// MP are had, without a tree, by mp(start_squares=100,start_ships=5,open_hits=board); here
// "turned" serves those who would not be foreseen: the same tree on a board turned and mirrored
// at random for each game.
//
// With six or seven ships a first count takes a second or so, with ten half a
// minute: too long for games. Positions that would take more than count_forms closed forms are not
// counted: every ship afloat is then looked at alone, as if the others were not
// there, and placements that explain open hits count for more.
//
// Source: the question is that of M. Sakuta and H. Iida, "Evaluation of
// Attacking and Placing Strategies in a Classic Battleship Game without
// Considering Opponent Models", 2002, sections 3 and 7, who could count four
// ships on 70 squares; how five are counted is told in package count.
//
// their decision trees.
func exact() arena.Strategy[battleship.Rules, battleship.Player] {
	treePool := &treePool{}
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "exact",
		Doc:    "Shoots at the square with the greatest hit probability, all ships counted exactly from the first shot (EX).",
		Source: "ours, after Sakuta and Iida 2002, section 3",
		New: func(f *param.Fields, r *battleship.Rules) arena.Maker[battleship.Player] {
			var ties string
			var keep keep
			f.Choice(&ties, "ties", "first", []string{"first", "turned"},
				"which of equally good squares: the first in board order, or the first on a board turned and mirrored at random for each game", param.Fixed())
			keep.declare(f, 30, 256)
			return placing(f, r, func(p *fleetPlacer) (battleship.Player, error) {
				player := &exactPlayer{fleetPlacer: p, walk: keep.walk(treePool, key(r, keep.Forms)), greatest: greatestSquare{count.New(r.Board()), keep.Forms}}
				if ties == "turned" {
					return newTurned(player, r), nil
				}
				return player, nil
			})
		},
	}
}

// keep says how much is worked out, and how much of it is kept in a decision
// tree.
type keep struct {
	Shots    int // of each game
	Megabyte int // MiB
	Forms    int // of one count, see count.Counter.Cost
}

// declare binds the parameters; megabyte is the default limit, MiB.
func (k *keep) declare(f *param.Fields, shots, megabyte int) {
	f.Int(&k.Shots, "tree_shots", shots, param.Range(0, battleship.MaxSquares),
		"number of first shots of a game that are kept in memory for the next games, shots; play does not depend on it", param.Fixed())
	f.Int(&k.Megabyte, "tree_memory", megabyte, param.Range(1, 4096),
		"memory for these shots, MiB, for all players together; play does not depend on it", param.Fixed())
	f.Int(&k.Forms, "count_forms", 500, param.Range(1, 1e9),
		"work above which a shot is estimated ship by ship instead of counted exactly, units of about 10 microseconds; the paper's fleet stays below it", param.Fixed())
}

// walk makes a walk on the tree of the given key.
func (k *keep) walk(treePool *treePool, key string) *walk {
	return newWalk(treePool.tree(key, k.Megabyte<<20), k.Shots)
}

type exactPlayer struct {
	*fleetPlacer
	walk     *walk
	greatest greatestSquare
}

func (p *exactPlayer) Aim(*battleship.View) { p.walk.Reset() }

func (p *exactPlayer) Shoot(v *battleship.View) battleship.Square {
	d := p.walk.next(v.Knowledge, &p.greatest)
	v.Visit(0, d.Work)
	return d.At
}

// workOf returns a number of placements as the work of a decision.
func workOf(n count.Number) uint64 {
	if n.Hi != 0 {
		return maxWork
	}
	return min(n.Lo, maxWork)
}

// greatestSquare chooses the first square with the greatest hit probability. It is
// used by one goroutine.
type greatestSquare struct {
	Counter *count.Counter
	Forms   int // closed forms that a count may take
}

// Choose implements decisions.Chooser. Unless the position was estimated, the
// counter holds what it found.
func (g *greatestSquare) Choose(k *battleship.Knowledge) decision {
	if g.dear(k) {
		return decision{At: estimate(k)}
	}
	g.Counter.Count(k)
	best, _ := g.Counter.Best()
	return decision{At: best.First(), Work: workOf(g.Counter.Total())}
}

// dear reports whether a count of k would take too many closed forms.
func (g *greatestSquare) dear(k *battleship.Knowledge) bool {
	return k.Afloat()+k.Loose() > 4 && g.Counter.Cost(k) > float64(g.Forms)
}

// explained is how often as much a placement counts for every open hit that it
// explains, a power of two.
const explained = 5

// estimate returns a likely square, without a count: each ship afloat is looked at
// alone. The first of equals in board order.
func estimate(k *battleship.Knowledge) battleship.Square {
	board, fleet := k.Board(), k.Fleet()
	unshot, open := k.Unshot(), k.Open()
	var weight [battleship.MaxSquares]uint64
	for i := range fleet.Ships() {
		if !k.IsAfloat(i) {
			continue
		}
		length := fleet.Length(i)
		for _, vertical := range [2]bool{false, true} {
			if vertical && length == 1 {
				break
			}
			for start := range board.Fits(unshot.Or(open), length, vertical).All() {
				line := board.Line(start, length, vertical)
				w := uint64(1) << min(explained*line.And(open).Len(), 48)
				for s := range line.And(unshot).All() {
					weight[s] += w
				}
			}
		}
	}
	best := unshot.First()
	for s := range unshot.All() {
		if weight[s] > weight[best] {
			best = s
		}
	}
	return best
}

// turned plays exact on a board that is turned and mirrored at random for each
// game: what it knows is kept a second time, as seen from there.
type turned struct {
	*exactPlayer
	rules *battleship.Rules
	turns []turn
	now   *turn
	seen  battleship.Knowledge
}

// turn maps the squares of the turned board to those of the real one and back.
type turn struct {
	to, from [battleship.MaxSquares]battleship.Square
}

func newTurned(p *exactPlayer, r *battleship.Rules) *turned {
	b := r.Board()
	t := &turned{exactPlayer: p, rules: r}
	for way := range 8 {
		across := way&4 != 0 // columns become rows
		if across && b.Width() != b.Height() {
			continue
		}
		var m turn
		for s := range b.Squares() {
			x, y := b.Column(battleship.Square(s)), b.Row(battleship.Square(s))
			if way&1 != 0 {
				x = b.Width() - 1 - x
			}
			if way&2 != 0 {
				y = b.Height() - 1 - y
			}
			if across {
				x, y = y, x
			}
			at := b.At(x, y)
			m.to[s], m.from[at] = at, battleship.Square(s)
		}
		t.turns = append(t.turns, m)
	}
	return t
}

// Aim draws the turn.
func (t *turned) Aim(v *battleship.View) {
	t.exactPlayer.Aim(v)
	t.now = &t.turns[v.Chance.IntN(len(t.turns))]
	t.seen.Reset(t.rules.Board(), t.rules.Fleet())
}

// Shoot implements battleship.Player.
func (t *turned) Shoot(v *battleship.View) battleship.Square {
	if !v.Shots().Empty() {
		at := t.walk.latest()
		t.seen.Record(at, exactAnswer(v.Knowledge, t.now.to[at], t.seen.Sinkings()))
	}
	d := t.walk.next(&t.seen, &t.greatest)
	v.Visit(0, d.Work)
	return t.now.to[d.At]
}

// exactAnswer returns what the last shot was answered, when sunk ships had been sunk
// before it.
func exactAnswer(k *battleship.Knowledge, at battleship.Square, sunk int) battleship.Answer {
	switch {
	case k.Misses().Has(at):
		return battleship.Miss
	case k.Sinkings() > sunk:
		return battleship.Sunk(k.Sinking(sunk).Ship)
	}
	return battleship.Hit
}
