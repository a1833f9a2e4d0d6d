package ground

import (
	"fmt"
	"math"
	"strconv"
	"sync"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// table is who plays and by what chance.
type table struct {
	seats    int
	seatElo  float64 // advantage of the first seat
	draws    float64 // share of draws among equals, two players only
	swing    float64 // by how much a starting position can suit a player that is not the baseline, Elo
	starts   int     // different starting positions, 0 for no end of them
	declared bool    // the game tells how many there are
	cycle    float64 // of players that beat one another in a circle, Elo; two players only
	common   float64 // share of games that are decided by chance which all players share

	order []int        // of the positions on the circle of those that they suit
	along [2][]float64 // the directions in which players meet the circle and the starts otherwise
}

// sides is the number of positions over which the truth of endless ones is taken.
const sides = 64

// suits is what a starting position gives a player at an angle, Elo.
func (t *table) suits(angle, start float64) float64 { return t.swing * math.Sin(angle-start) }

// elo is the strength of a height against the baseline in all other seats, Elo: that of the expected
// score of a block. Draws do not enter, since they take as much from the win as from the loss.
func (t *table) elo(height float64) float64 {
	if t.swing == 0 && t.seatElo == 0 && t.seats == 2 {
		return height
	}
	n := 1
	if t.swing > 0 {
		n = sides
	}
	others, seat, sum := float64(t.seats-1), theta(t.seatElo), 0.0
	for k := range n {
		a := theta(height + t.suits(0, 2*math.Pi*float64(k)/float64(n)))
		sum += a * seat / (a*seat + others)         // in the first seat
		sum += others * a / (a + others - 1 + seat) // in each of the others
	}
	s := sum / float64(n*t.seats)
	return 400 * math.Log10(s*others/(1-s))
}

func theta(elo float64) float64 { return math.Pow(10, elo/400) }

// Player is where a point stands. Nothing is asked of it during a game.
type Player struct {
	height float64 // its strength against the baseline in a game of two on a level start
	angle  float64 // by which a start suits it
	turn   float64 // its place on the circle on which players beat one another
	salt   uint64  // tells points apart; 0 is the baseline
	centis int64   // height in hundredths
}

// Player returns the player at a point.
func (l *Land) Player(p Point) *Player {
	u, base := l.places(p), l.Base()
	for i := range l.numbers {
		if !l.active(l.numbers[i].when, p.C) {
			p.X[i] = base.X[i]
			u[i] = l.numbers[i].place(base.X[i])
		}
	}
	out := &Player{height: l.height * (1 - l.lost(u, p.C))}
	h, same := uint64(1), true
	for i, x := range p.X {
		h = fold(h, math.Float64bits(x))
		same = same && x == base.X[i]
		e := u[i] - l.numbers[i].place(base.X[i])
		out.turn += 8 * e * l.table.along[0][i]
		out.angle += 8 * e * l.table.along[1][i]
	}
	for j, c := range p.C {
		if !l.active(l.choices[j].when, p.C) {
			c = base.C[j]
		}
		h = fold(h, uint64(c))
		same = same && c == base.C[j]
	}
	if same {
		return &Player{}
	}
	out.salt, out.centis = h|1, int64(math.Round(100*math.Max(out.height, -1e6)))
	return out
}

func (l *Land) active(w when, c []int) bool {
	return w.choice < 0 || c[w.choice] == w.value && l.active(l.choices[w.choice].when, c)
}

// Truth returns the strength of a player against the baseline in all other seats, Elo.
func (l *Land) Truth(p *Player) float64 {
	if p.salt == 0 {
		return 0
	}
	return l.table.elo(p.height)
}

// between is what one player has over another beside the seats and the start, Elo. What players of
// a circle have over each other is counted so that nothing of it is left against the baseline.
func (t *table) between(a, b *Player) float64 {
	d := a.height - b.height
	if t.cycle > 0 {
		d += t.cycle * (math.Sin(a.turn-b.turn) - math.Sin(a.turn) + math.Sin(b.turn))
	}
	return d
}

// Purposes of streams.
const (
	gameLuck arena.Purpose = iota
	startLuck
)

type referee struct{ land *Land }

// Play implements arena.Referee.
func (r referee) Play(fx *arena.Fixture, players []*Player, out *arena.Outcome) error {
	t := &r.land.table
	leader, company := 0, uint64(len(players))
	for seat, p := range players {
		if p.salt > players[leader].salt {
			leader = seat
		}
		company = fold(company, p.salt)
		out.Counts(seat)[0] = p.centis
		out.Transcript.Add(uint64(p.centis))
	}
	chance := fx.Stream(leader, gameLuck)
	if chance.Float64() >= t.common {
		chance = arena.NewStream(chance.Uint64(), company)
	}
	start := 0.0
	if t.swing > 0 {
		start = 2 * math.Pi * t.start(fx)
	}
	strength := func(seat int) float64 {
		elo := 0.0
		if p := players[seat]; p.salt != 0 && t.swing > 0 {
			elo = t.suits(p.angle, start)
		}
		if seat == 0 {
			elo += t.seatElo
		}
		return elo
	}
	winner := 0
	if len(players) == 2 {
		win := 1 / (1 + theta(-t.between(players[0], players[1])-strength(0)+strength(1)))
		u, drawn := chance.Float64(), t.draws*math.Min(win, 1-win)
		switch {
		case u < win-drawn:
		case u < win+drawn:
			winner = -1
		default:
			winner = 1
		}
	} else {
		// Luce's rule: the largest of strength plus a Gumbel deviate (Yellott 1977).
		most := math.Inf(-1)
		for seat, p := range players {
			u := (float64(chance.Uint64()>>11) + 0.5) * 0x1p-53
			if v := (p.height+strength(seat))*math.Ln10/400 - math.Log(-math.Log(u)); v > most {
				winner, most = seat, v
			}
		}
	}
	out.Transcript.Add(chance.Uint64())
	out.Transcript.Add(uint64(winner + 1))
	if winner < 0 {
		out.Share(func(int) bool { return true })
	} else {
		out.Win(winner)
	}
	if fx.Story != nil {
		fx.Story(fmt.Sprintf("winner: seat %d", winner))
	}
	return nil
}

// start is the starting position of a game, in 0..1.
func (t *table) start(fx *arena.Fixture) float64 {
	at := fx.Start()
	if at < 0 {
		s := fx.Chance(startLuck)
		if t.starts == 0 {
			return s.Float64()
		}
		at = int64(s.IntN(t.starts))
	}
	return float64(t.order[at]) / float64(t.starts)
}

// Rules are the options of the game: which landscape it is.
type Rules struct {
	kind  string
	seed  int
	level bool
	land  *Land
}

// lands has the landscapes that were drawn, since a study asks for one of them often.
type lands struct{ made sync.Map }

func (l *lands) open(r *Rules) (err error) {
	if land, ok := l.made.Load(*r); ok {
		r.land = land.(*Land)
		return nil
	}
	key := *r
	r.land, err = New(r.kind, r.seed)
	if err == nil && r.level {
		r.land.height, r.land.elo = 0, 0
	}
	l.made.Store(key, r.land)
	return err
}

// Catalogue is the game ground alone.
func Catalogue() arena.Catalogue {
	known := &lands{}
	return arena.Catalogue{arena.Enter(arena.Definition[Rules, *Player]{
		Name: "ground", Doc: "A landscape of a kind, drawn from a seed, whose top is known.", Source: "ours; games as in Bradley and Terry (1952) and Luce (1959)",
		Declare: func(r *Rules, f *param.Fields) {
			f.Choice(&r.kind, "kind", kinds[0].name, Kinds(), "kind of landscape")
			f.Int(&r.seed, "seed", 1, param.Range(0, 1<<53), "which landscape of the kind")
			f.Bool(&r.level, "level", false, "nothing to find: all players are as strong as the baseline")
		},
		Check:      func(r *Rules) error { return known.open(r) },
		Seats:      func(r *Rules) int { return r.land.table.seats },
		Starts:     func(r *Rules) int64 { return int64(r.land.Starts()) },
		Components: []string{"height"}, Negative: []string{"height"},
		Metrics: []arena.Metric{{Name: "height", Doc: "the truth: strength above the baseline, Elo", Of: "height", Scale: 0.01}},
		Referee: func(r *Rules) (arena.Referee[*Player], error) { return referee{r.land}, nil },
	}, arena.Strategy[Rules, *Player]{
		Name: "at", Doc: "A point, as strong as the landscape is high there.", Source: "ours",
		New: func() arena.Config[Rules, *Player] { return &config{} },
	})}
}

// config is a point as it is declared.
type config struct {
	x     []float64
	whole []int
	c     []string
}

// Declare implements arena.Config.
func (c *config) Declare(f *param.Fields, r *Rules) { c.declare(f, r.land) }

func (c *config) declare(f *param.Fields, l *Land) {
	c.x, c.whole, c.c = make([]float64, len(l.numbers)), make([]int, len(l.numbers)), make([]string, len(l.choices))
	under := func(w when, declare func(f *param.Fields)) {
		if w.choice < 0 {
			declare(f)
		} else {
			f.When("c"+strconv.Itoa(w.choice+1), letter(w.value), declare)
		}
	}
	for j := range l.choices {
		o := &l.choices[j]
		letters := make([]string, o.values)
		for v := range letters {
			letters[v] = letter(v)
		}
		under(o.when, func(f *param.Fields) { f.Choice(&c.c[j], "c"+strconv.Itoa(j+1), letter(o.base), letters, "a choice") })
	}
	for i := range l.numbers {
		n := &l.numbers[i]
		name, opts := "x"+strconv.Itoa(i+1), []param.Option(nil)
		if n.after >= 0 {
			opts = append(opts, param.AtLeast("x"+strconv.Itoa(n.after+1)))
		}
		under(n.when, func(f *param.Fields) {
			if n.whole {
				f.Int(&c.whole[i], name, int(n.base), n.domain, "a number", opts...)
			} else {
				f.Float(&c.x[i], name, n.base, n.domain, "a number", opts...)
			}
		})
	}
}

func letter(v int) string { return string(rune('a' + v)) }

// point is the point that was declared.
func (c *config) point(l *Land) Point {
	p := l.Base()
	for i := range p.X {
		if p.X[i] = c.x[i]; l.numbers[i].whole {
			p.X[i] = float64(c.whole[i])
		}
	}
	for j := range p.C {
		p.C[j] = int(c.c[j][0] - 'a')
	}
	return p
}

// Player implements arena.Config.
func (c *config) Player(r *Rules) (*Player, error) { return r.land.Player(c.point(r.land)), nil }

// Read returns the strength of parameters against the baseline, Elo.
func (l *Land) Read(values param.Values) (float64, error) {
	c := &config{}
	f, err := param.Bind(func(f *param.Fields) { c.declare(f, l) })
	if err != nil {
		return 0, err
	}
	if _, errs := f.Assign(values); len(errs) > 0 {
		return 0, errs[0]
	}
	return l.Truth(l.Player(c.point(l))), nil
}
