package stats

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// PGNGame is a game of a file in Portable Game Notation: who met whom with which result.
// Moves are passed over.
type PGNGame struct {
	Players [2]string // White, Black
	Round   string
	Result  string // 1-0, 0-1, 1/2-1/2, or * for a game without one
	Line    int    // of its first tag
}

// ReadPGN reads the tags of all games.
func ReadPGN(r io.Reader) ([]PGNGame, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	var games []PGNGame
	tags := false // the line before was a tag
	for n := 1; in.Scan(); n++ {
		line := strings.TrimPrefix(strings.TrimSpace(in.Text()), "\ufeff")
		name, value, ok := pgnTag(line)
		if !ok {
			tags = false
			continue
		}
		if !tags {
			games = append(games, PGNGame{Result: "*", Line: n})
		}
		tags = true
		g := &games[len(games)-1]
		switch name {
		case "White":
			g.Players[0] = value
		case "Black":
			g.Players[1] = value
		case "Round":
			g.Round = value
		case "Result":
			g.Result = value
		}
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	for _, g := range games {
		switch {
		case g.Players[0] == "" || g.Players[1] == "":
			return nil, fmt.Errorf("line %d: a game: expected the tags White and Black, got %q and %q", g.Line, g.Players[0], g.Players[1])
		case g.Result != "1-0" && g.Result != "0-1" && g.Result != "1/2-1/2" && g.Result != "*":
			return nil, fmt.Errorf("line %d: a game: Result: expected 1-0, 0-1, 1/2-1/2 or *, got %q", g.Line, g.Result)
		}
	}
	return games, nil
}

// pgnTag reads `[Name "value"]`.
func pgnTag(line string) (name, value string, ok bool) {
	if !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, `"]`) {
		return "", "", false
	}
	name, value, ok = strings.Cut(line[1:len(line)-2], ` "`)
	if !ok || strings.ContainsAny(name, ` "[]{}`) {
		return "", "", false
	}
	return name, strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(value), true
}

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

// half is the first player's half points of a game: 0, 1 or 2.
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
		if g.Players[0] == g.Players[1] {
			continue
		}
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
