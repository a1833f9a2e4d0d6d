package lifeboats

import (
	"math/bits"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// Game is what the arena is told about Lifeboats.
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

// Players is the number of players.
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

// Has tells whether option i is in the set.
func (s Set) Has(i int) bool { return uint(i) < 8 && s>>uint(i)&1 == 1 }

// Len is the number of options.
func (s Set) Len() int { return bits.OnesCount8(uint8(s)) }

// First is the lowest option of a set that is not empty.
func (s Set) First() int { return bits.TrailingZeros8(uint8(s)) }

// Rest is the set without its lowest option.
func (s Set) Rest() Set { return s & (s - 1) }

// Nth is the n-th lowest option, n in [0, Len()). It is a look-up: a loop of
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

// With is the set with option i.
func (s Set) With(i int) Set { return s | 1<<uint(i&7) }

// Without is the set without option i.
func (s Set) Without(i int) Set { return s &^ (1 << uint(i&7)) }
