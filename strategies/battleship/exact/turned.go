package exact

import "sakusen/engines/battleship"

// turned plays exact on a board that is turned and mirrored at random for each
// game: what it knows is kept a second time, as seen from there.
type turned struct {
	*player
	rules *battleship.Rules
	turns []turn
	now   *turn
	seen  battleship.Knowledge
}

// turn maps the squares of the turned board to those of the real one and back.
type turn struct {
	to, from [battleship.MaxSquares]battleship.Square
}

func newTurned(p *player, r *battleship.Rules) *turned {
	b := r.Board()
	t := &turned{player: p, rules: r}
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
	t.player.Aim(v)
	t.now = &t.turns[v.Chance.IntN(len(t.turns))]
	t.seen.Reset(t.rules.Board(), t.rules.Fleet())
}

// Shoot implements battleship.Player.
func (t *turned) Shoot(v *battleship.View) battleship.Square {
	if !v.Shots().Empty() {
		at := t.walk.Last()
		t.seen.Record(at, answer(v.Knowledge, t.now.to[at], t.seen.Sinkings()))
	}
	d := t.walk.Next(&t.seen, &t.greatest)
	v.Visit(0, d.Work)
	return t.now.to[d.At]
}

// answer is what the last shot was answered, when sunk ships had been sunk
// before it.
func answer(k *battleship.Knowledge, at battleship.Square, sunk int) battleship.Answer {
	switch {
	case k.Misses().Has(at):
		return battleship.Miss
	case k.Sinkings() > sunk:
		return battleship.Sunk(k.Sinking(sunk).Ship)
	}
	return battleship.Hit
}
