package stats

import (
	"fmt"
	"io"
	"strings"

	"sakusen/engines/lines"
)

// PGNGame is a game of a file in Portable Game Notation: who met whom with which result.
// Moves are passed over.
type PGNGame struct {
	Players [2]string // White, Black
	Round   string
	Result  string // 1-0, 0-1, 1/2-1/2, or * for a game without one
	Line    int    // of its first tag
}

// ReadPGN reads the games of a file, which may be compressed. A game whose players or result
// cannot be read is left out; where the tag Result says nothing, the end of the moves does.
func ReadPGN(r io.Reader, left *lines.LeftOut) ([]PGNGame, error) {
	in, err := lines.Decoded(r)
	if err != nil {
		return nil, err
	}
	var games []PGNGame
	for read := range lines.PGN(in, left, false) {
		g := PGNGame{Line: read.Line}
		g.Players[0], _ = read.Tag("White")
		g.Players[1], _ = read.Tag("Black")
		g.Round, _ = read.Tag("Round")
		said, _ := read.Tag("Result")
		var known bool
		if g.Result, known = lines.PGNResult(said); !known {
			g.Result = read.Result
		}
		switch {
		case byes[strings.ToLower(g.Players[0])] || byes[strings.ToLower(g.Players[1])]:
			left.Add(g.Line, "game", "the tags White and Black", fmt.Sprintf("%.40q and %.40q", g.Players[0], g.Players[1]))
		case g.Players[0] == g.Players[1]:
			left.Add(g.Line, "Black", "another player than White", fmt.Sprintf("%.40q", g.Players[1]))
		case g.Result == "":
			left.Add(g.Line, "Result", "1-0, 0-1, 1/2-1/2 or *", fmt.Sprintf("%.40q", said))
		case known && read.Result != "" && read.Result != g.Result:
			left.Add(g.Line, "Result", read.Result+", with which its moves end", fmt.Sprintf("%.40q", said))
		default:
			games = append(games, g)
		}
	}
	return games, nil
}

// byes are names of no player.
var byes = map[string]bool{"": true, "?": true, "-": true, "bye": true, "(bye)": true}

// Meeting is what two players' games say of the first.
type Meeting struct {
	Players    [2]string // in the order of the file
	Wins       int64     // of the first
	Draws      int64     //
	Losses     int64     //
	Unfinished int64     // games without a result
	Pairs      int64     // rounds in which the players changed sides
	Penta      [5]int64  // of the pairs: LL, LD, DD and WL, WD, WW
	Estimate   Estimate  // by pairs where all games pair up, else by games
	Paired     bool      // it is by pairs
}

// half returns the first player's half points of a game: 0, 1 or 2.
func (m *Meeting) half(g *PGNGame) int {
	switch {
	case g.Result == "1/2-1/2":
		return 1
	case (g.Result == "1-0") == (g.Players[0] == m.Players[0]):
		return 2
	}
	return 0
}

// RatePGN rates the players of all games, two and two. The two games of a round in which
// the players changed sides are a pair.
func RatePGN(games []PGNGame) []Meeting {
	var all []Meeting
	rounds := map[int]map[string]*PGNGame{} // of a meeting, the game that waits for its other
	at := map[[2]string]int{}
	for i := range games {
		g := &games[i]
		n, ok := at[g.Players]
		if !ok {
			n = len(all)
			at[g.Players], at[[2]string{g.Players[1], g.Players[0]}] = n, n
			all = append(all, Meeting{Players: g.Players})
			rounds[n] = map[string]*PGNGame{}
		}
		m := &all[n]
		if g.Result == "*" {
			m.Unfinished++
			continue
		}
		half := m.half(g)
		switch half {
		case 2:
			m.Wins++
		case 1:
			m.Draws++
		default:
			m.Losses++
		}
		round := g.Round
		if dot := strings.LastIndexByte(round, '.'); dot >= 0 {
			round = round[:dot]
		}
		if round == "" || round == "?" || round == "-" {
			continue
		}
		if other := rounds[n][round]; other != nil && other.Players != g.Players {
			m.Pairs++
			m.Penta[half+m.half(other)]++
			delete(rounds[n], round)
		} else {
			rounds[n][round] = g
		}
	}
	for i := range all {
		m := &all[i]
		if m.Paired = m.Pairs > 0 && 2*m.Pairs == m.Wins+m.Draws+m.Losses; m.Paired {
			m.Estimate = Pentanomial(m.Penta).Estimate()
		} else {
			m.Estimate = Trinomial(m.Wins, m.Draws, m.Losses).Estimate()
		}
	}
	return all
}
