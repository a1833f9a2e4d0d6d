package view

import (
	"fmt"
	"io"

	"sakusen/tuner/stats"
	"sakusen/tuner/stats/pgn"
)

// Rated is how two players of a file of games have met.
type Rated struct {
	Players    [2]string    `json:"players"`
	Games      int64        `json:"games"`
	WDL        [3]int64     `json:"wdl"` // of the first player
	Unfinished int64        `json:"unfinished"`
	Penta      *[5]int64    `json:"penta"` // null where not all games pair up
	Score      stats.Number `json:"score"`
	Elo        stats.Number `json:"elo"`
	EloCI      *[2]float64  `json:"elo_ci95"`
	NElo       stats.Number `json:"nelo"`
	LOS        stats.Number `json:"los"`
	Reason     string       `json:"reason,omitempty"`
}

// RatedOf is meetings as they are told.
func RatedOf(all []pgn.Meeting) []Rated {
	out := []Rated{}
	for i := range all {
		m := &all[i]
		r := Rated{
			Players: m.Players, Games: m.Wins + m.Draws + m.Losses, WDL: [3]int64{m.Wins, m.Draws, m.Losses}, Unfinished: m.Unfinished,
			Score: m.Estimate.Score, Elo: m.Estimate.Elo, EloCI: m.Estimate.EloCI.Ends(), NElo: m.Estimate.NElo, LOS: m.Estimate.LOS, Reason: m.Estimate.Reason,
		}
		if m.Paired {
			r.Penta = &m.Penta
		}
		out = append(out, r)
	}
	return out
}

// Ratings writes meetings for people, one line each.
func Ratings(w io.Writer, all []Rated) error {
	for _, r := range all {
		by := "by games"
		if r.Penta != nil {
			by = fmt.Sprintf("by pairs %v", *r.Penta)
		}
		elo := "no Elo: " + r.Reason
		if r.EloCI != nil {
			elo = fmt.Sprintf("%s Elo [%.0f, %.0f]", r.Elo.Fixed(0), r.EloCI[0], r.EloCI[1])
		}
		if _, err := fmt.Fprintf(w, "%s against %s: %s at 95 %%, %d games, +%d =%d -%d, %s, superior with a chance of %s\n",
			r.Players[0], r.Players[1], elo, r.Games, r.WDL[0], r.WDL[1], r.WDL[2], by, r.LOS.Fixed(3)); err != nil {
			return err
		}
	}
	return nil
}
