package laboratory_test

import (
	"math"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// bookRules are the rules of the game book, whose players use no random numbers. Start and seats
// decide a game: so few starts make games repeat, and the best of many candidates is the one that
// suits those starts. The truth is that of unlimited starts: gain*x Elo above x = 0, and games
// that are gain*x/40 moves shorter.
type bookRules struct {
	starts   int  // 0: no end of them
	declared bool // the game tells how many there are
	volume   int  // another one has other openings
	players  int
	gain     float64 // Elo
}

type bookPlayer struct{ x, y float64 }

// Declare binds the parameters.
func (p *bookPlayer) Declare(f *param.Fields, _ *bookRules) {
	f.Float(&p.x, "x", 0, param.Range(0, 1), "strength, in shares of the planted gain")
	f.Float(&p.y, "y", 0, param.Range(0, 1), "nothing, but another player")
}

// Player makes the player.
func (p *bookPlayer) Player(*bookRules) (*bookPlayer, error) { return p, nil }

type bookReferee struct{ rules *bookRules }

// Play implements arena.Referee.
func (r bookReferee) Play(fx *arena.Fixture, players []*bookPlayer, out *arena.Outcome) error {
	start := fx.Start()
	if start < 0 {
		chance := fx.Chance(0)
		if start = int64(chance.Uint64() >> 1); r.rules.starts > 0 {
			start %= int64(r.rules.starts)
		}
	}
	key, total := scramble(uint64(start)^uint64(r.rules.volume)<<40), 0.0
	for _, p := range players {
		key = scramble(scramble(key^math.Float64bits(p.x)) ^ math.Float64bits(p.y))
		total += r.weight(p)
	}
	luck := arena.NewStream(key, 0)
	at, winner := luck.Float64()*total, 0
	for winner < len(players)-1 && at >= r.weight(players[winner]) {
		at -= r.weight(players[winner])
		winner++
	}
	for seat, p := range players {
		luck := arena.NewStream(scramble(key^uint64(seat)), 0)
		length := 20 + 20*luck.Float64() - r.rules.gain*p.x/40
		out.Count(seat, 0, int64(1000*length))
	}
	out.Transcript.Add(uint64(start))
	out.Transcript.Add(key)
	out.Win(winner)
	return nil
}

func (r bookReferee) weight(p *bookPlayer) float64 { return math.Pow(10, r.rules.gain*p.x/400) }

// scramble mixes 64 bits (the finaliser of MurmurHash3, Appleby 2011).
func scramble(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}

func book() arena.Catalogue {
	return arena.Catalogue{arena.Enter(arena.Definition[bookRules, *bookPlayer]{
		Name: "book", Doc: "Players without chance begin from a book of starts.", Source: "ours",
		Declare: func(r *bookRules, f *param.Fields) {
			f.Int(&r.starts, "starts", 0, param.Range(0, 1_000_000), "different starts; 0 for no end of them")
			f.Bool(&r.declared, "declared", false, "the game tells how many starts there are")
			f.Int(&r.volume, "volume", 0, param.Range(0, 1_000_000), "which book: another one has other openings")
			f.Int(&r.players, "players", 2, param.Range(2, 6), "seats")
			f.Float(&r.gain, "gain", 0, param.Range(-400, 400), "Elo of x = 1 above x = 0")
		},
		Seats: func(r *bookRules) int { return r.players },
		Starts: func(r *bookRules) int64 {
			if r.declared {
				return int64(r.starts)
			}
			return 0
		},
		Components: []string{"millimoves"},
		Metrics:    []arena.Metric{{Name: "length", Doc: "of the player's own game, moves", Of: "millimoves", Scale: 0.001, Lower: true}},
		Referee:    func(r *bookRules) (arena.Referee[*bookPlayer], error) { return bookReferee{r}, nil },
	}, arena.Strategy[bookRules, *bookPlayer]{Name: "reader", Doc: "Knows its moves by heart.", Source: "ours",
		New: func(f *param.Fields, r *bookRules) arena.Maker[*bookPlayer] {
			c := &bookPlayer{}
			c.Declare(f, r)
			return func() (*bookPlayer, error) { return c.Player(r) }
		}})}
}
