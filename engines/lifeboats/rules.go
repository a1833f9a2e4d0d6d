package lifeboats

import "sakusen/engines/param"

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
