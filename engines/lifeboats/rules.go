package lifeboats

import (
	"math"
	"math/bits"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Game returns the arena's definition of Lifeboats.
func Game() arena.Definition[Rules, Player] {
	return arena.Definition[Rules, Player]{
		Name:        "lifeboats",
		Doc:         "Votes decide which boat leaks, who leaves it and which boat moves on; most crew saved wins.",
		Source:      "T. Kasuya, R. Suzuki and T. Arita, Evolution of players for a board game based on majority voting, section 2",
		Declare:     func(r *Rules, f *param.Fields) { r.declare(f) },
		Check:       (*Rules).check,
		Seats:       func(r *Rules) int { return r.players },
		SeatsOption: "players",
		Components:  []string{"saved"},
		Metrics: []arena.Metric{
			{Name: "crew", Doc: "crew saved in the game, crew", Of: "saved"},
		},
		Referee: func(r *Rules) (arena.Referee[Player], error) { return newReferee(r), nil },
	}
}

// Rules are the options of the game: the number of players, and what the paper
// leaves open about ties.
type Rules struct {
	players  int
	voteTie  string
	gameTie  string
	breaking tieBreak
}

// tieBreak is voteTie, read.
type tieBreak uint8

const (
	breakRandom tieBreak = iota
	breakStart
	breakLowest
)

func (r *Rules) declare(f *param.Fields) {
	f.Int(&r.players, "players", 5, param.Range(MinPlayers, MaxPlayers), "players; there is one boat more")
	f.Choice(&r.voteTie, "vote_tie", "random", []string{"random", "start_player", "lowest"},
		"which option wins a tied vote: one at random; the first tied one that was voted for, from the start player on, who changes every round; or the lowest index")
	f.Choice(&r.gameTie, "game_tie", "share", []string{"share", "all", "strict"},
		"what players get who save the same number of crew: a share of the win, a win each, or nothing")
}

// check reads the choices.
func (r *Rules) check() error {
	switch r.voteTie {
	case "start_player":
		r.breaking = breakStart
	case "lowest":
		r.breaking = breakLowest
	default:
		r.breaking = breakRandom
	}
	return nil
}

// Players returns the number of players.
func (r *Rules) Players() int { return r.players }

// settle breaks a tie where chance does not.
func (r *Rules) settle(b *Ballot, leaders Set, start int) int {
	if r.breaking == breakStart {
		return b.FirstFrom(start, r.players, leaders)
	}
	return leaders.First()
}

// Set is a set of options: of boats, or of players for an expulsion.
type Set uint8

// Has reports whether option i is in the set.
func (s Set) Has(i int) bool { return uint(i) < 8 && s>>uint(i)&1 == 1 }

// Len returns the number of options.
func (s Set) Len() int { return bits.OnesCount8(uint8(s)) }

// First returns the lowest option of a set that is not empty.
func (s Set) First() int { return bits.TrailingZeros8(uint8(s)) }

// Rest returns the set without its lowest option.
func (s Set) Rest() Set { return s & (s - 1) }

// Nth returns the n-th lowest option, n in [0, Len()). It is a look-up: a loop of
// unknown length costs a random voter a fifth of its time.
func (s Set) Nth(n int) int { return int(members[s][n&7]) }

// members lists every set's options in order; it is filled once and only read.
var members = listMembers()

func listMembers() *[256][8]uint8 {
	var m [256][8]uint8
	for s := range m {
		n := 0
		for i := range 8 {
			if s>>i&1 == 1 {
				m[s][n] = uint8(i)
				n++
			}
		}
	}
	return &m
}

// With returns the set with option i.
func (s Set) With(i int) Set { return s | 1<<uint(i&7) }

// Without returns the set without option i.
func (s Set) Without(i int) Set { return s &^ (1 << uint(i&7)) }

// Ballot counts the votes of one vote. Byte n of levels holds the options with
// more than n votes, so that the leaders are its last byte that is not 0: which
// option leads cannot be foreseen, and no branch depends on it.
type Ballot struct {
	levels uint64
	vote   [MaxPlayers]int8 // by seat, -1 for a seat without a vote
}

// column selects the bits of option 0.
const column = 0x0101010101010101

// Reset empties the ballot.
func (b *Ballot) Reset() {
	*b = Ballot{vote: [MaxPlayers]int8{-1, -1, -1, -1, -1, -1}}
}

// Cast adds a seat's votes for an option, at most eight in all.
func (b *Ballot) Cast(seat, option, votes int) {
	b.vote[seat] = int8(option)
	for range votes {
		b.add(option)
	}
}

// one adds a seat's single vote.
func (b *Ballot) one(seat, option int) {
	b.vote[seat] = int8(option)
	b.add(option)
}

// add adds a vote. Row n of levels has a bit for every option with more than n votes; the
// option's bits move up by one row, and its bit in row 0 is set.
func (b *Ballot) add(option int) {
	lowest := uint64(1) << uint(option&7)
	b.levels |= (b.levels&(column<<uint(option&7)))<<8 | lowest
}

// Withdraw takes a seat's votes back.
func (b *Ballot) Withdraw(seat, votes int) {
	option := int(b.vote[seat])
	if option < 0 {
		return
	}
	for range votes {
		b.levels &^= 1 << uint(8*(b.Count(option)-1)+option&7)
	}
	b.vote[seat] = -1
}

// Count returns the votes for an option.
func (b *Ballot) Count(option int) int {
	return bits.OnesCount64(b.levels & (column << uint(option&7)))
}

// Leaders returns the options with the most votes, none if no vote was cast.
func (b *Ballot) Leaders() Set {
	top := (bits.Len64(b.levels|1) - 1) &^ 7
	return Set(b.levels >> uint(top))
}

// FirstFrom returns the first vote, going round the players from the start player,
// that is among the leaders.
func (b *Ballot) FirstFrom(start, players int, leaders Set) int {
	for i := range players {
		if o := b.vote[(start+i)%players]; o >= 0 && leaders.Has(int(o)) {
			return int(o)
		}
	}
	return leaders.First()
}

// A Player votes. It is used by one goroutine for many games; nothing it keeps
// from one game may change the next.
type Player interface {
	// Vote chooses one of v.Options(); anything else is a fault.
	Vote(v *View) int
	// Model is the judgement by which other players may predict this one; nil if it has
	// none or hides it.
	Model() Model
}

// Values are the worth of options to one player, by option. Those that are no
// option are undefined.
type Values [Slots]float64

// A Model judges, for a seat, each position that may follow the vote on p. Both
// its answers are pure functions of p and seat.
type Model interface {
	// Evaluate writes the worth of every option of p to e.
	Evaluate(p *Position, seat int, e *Values)
	// Favour is Best of what Evaluate writes. Finding the best option is often much less
	// work than evaluating all.
	Favour(p *Position, seat int) Set
}

// A View is what a seat sees when it is asked for its vote: the board, which is
// open, whose turn it is to break ties, and the models that the players
// disclose. Votes that are still open are not in it.
type View struct {
	// Position is kept by the referee and must not be changed.
	*Position
	Rules *Rules
	Seat  int
	Round int // from 1
	Start int // the seat of the start player, for ties
	// Chance is the seat's stream.
	Chance *arena.Stream

	options Set
	models  [MaxPlayers]Model
	judged  Set // seats whose favourites of this vote are known
	best    [MaxPlayers]Set
}

// Ask makes the view that of a new vote on its position, with the players'
// models by seat; without models they stay. The referee calls it, and who tries
// a player outside a game.
func (v *View) Ask(models []Model) {
	copy(v.models[:], models)
	v.options = v.Position.Options()
	v.judged = 0
}

// Options returns what may be voted for.
func (v *View) Options() Set { return v.options }

// HasModel reports whether the player in a seat discloses how it judges.
func (v *View) HasModel(seat int) bool { return v.models[seat] != nil }

// Judge returns the model that the player in a seat discloses, nil where it has none.
func (v *View) Judge(seat int) Model { return v.models[seat] }

// Favourites returns the options that the model in a seat finds best, all that are
// tied. The seat must have a model. They are worked out once a vote, at
// the first call.
func (v *View) Favourites(seat int) Set {
	if !v.judged.Has(seat) {
		v.best[seat] = v.models[seat].Favour(v.Position, seat)
		v.judged = v.judged.With(seat)
	}
	return v.best[seat]
}

// Draw draws one of the options in a set, which must not be empty. Where there
// is no choice nothing is drawn.
func (v *View) Draw(s Set) int {
	if s.Rest() == 0 {
		return s.First()
	}
	return s.Nth(v.Chance.IntN(s.Len()))
}

// MayWin returns the options that may win a vote with the given ballots: all leaders
// where ties are broken at random, else the one that wins.
func (v *View) MayWin(b *Ballot) Set {
	leaders := b.Leaders()
	if leaders.Rest() == 0 || v.Rules.breaking == breakRandom {
		return leaders
	}
	return Set(0).With(v.Rules.settle(b, leaders, v.Start))
}

// Near is the relative difference, above a size of one, within which two values
// are tied.
const Near = 1e-9

// Best returns the options whose value is tied with the largest: within Near times
// its size, or Near where that is below one. No options have no best.
func Best(e *Values, options Set) Set {
	top := math.Inf(-1)
	for s := options; s != 0; s = s.Rest() {
		top = max(top, e[s.First()&(Slots-1)])
	}
	floor := top - Near*max(1, math.Abs(top))
	var best Set
	for s := options; s != 0; s = s.Rest() {
		i := s.First() & (Slots - 1)
		near := Set(0)
		if e[i] >= floor {
			near = 1
		}
		best |= near << i
	}
	return best
}
