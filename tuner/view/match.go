package view

import (
	"fmt"
	"io"

	"sakusen/tuner/contest/match"
)

// Match writes the result of a match: strength, metrics, seats.
func Match(w io.Writer, r *match.Report) error {
	fmt.Fprintf(w, "%s: %d blocks (%d distinct), %d games, seed %s\n\n", r.Game, r.Blocks, r.Distinct, r.Games, r.Seed)
	err := Table(w, func(line func(...any)) {
		line("entrant", "score", "95 %", "Elo", "95 %", "wins", "draws", "losses")
		for _, e := range r.Entrants {
			score, scores := e.CI95.Round(e.Score, 4)
			elo, elos := e.EloCI95.RoundElo(e.Elo)
			line(e.Name, score, scores, elo, elos, e.Wins, e.Draws, e.Losses)
		}
	})
	if err != nil {
		return err
	}
	if p := r.AllPairs; p != nil {
		score, scores := p.CI95.Round(p.Score, 4)
		elo, elos := p.EloCI.RoundElo(p.Elo)
		fmt.Fprintf(w, "\nall pairs of games, as both play alone: %s\nscore %s %s, Elo %s %s; what the played pairs tell in %.2f times the games\n",
			r.Entrants[0].Name, score, scores, elo, elos, p.Saves.Value)
	}
	if len(r.MetricList) > 0 {
		fmt.Fprintln(w)
		err = Table(w, func(line func(...any)) {
			head := []any{"metric"}
			for _, e := range r.Entrants {
				head = append(head, e.Name)
			}
			line(head...)
			for _, m := range r.MetricList {
				cells := []any{m.Name}
				for _, e := range r.Entrants {
					cells = append(cells, e.Metrics[m.Name].Text())
				}
				line(cells...)
			}
		})
		if err != nil {
			return err
		}
	}
	if len(r.BySeat) > 1 {
		fmt.Fprintln(w)
		if err := matchSeats(w, r); err != nil {
			return err
		}
	}
	if s := r.SPRT; s != nil {
		by := ""
		if s.AllPairs {
			by = ", by all pairs of games, as both play alone"
		}
		fmt.Fprintf(w, "\nSPRT of %s, [%g, %g] %s Elo%s: %s: %s\n", r.Entrants[0].Name, s.Elo0, s.Elo1, s.Model, by, s.Verdict, s.Reason)
		if s.Unbiased.Elo.Defined {
			score, scores := s.Unbiased.CI95.Round(s.Unbiased.Score, 4)
			elo, elos := s.Unbiased.EloCI95.RoundElo(s.Unbiased.Elo)
			fmt.Fprintf(w, "allowing for the early stop: score %s %s, Elo %s %s\n", score, scores, elo, elos)
		}
	}
	_, err = fmt.Fprintf(w, "\ndigest %s\n", r.Digest)
	return err
}

// matchSeats writes what each entrant did in each seat.
func matchSeats(w io.Writer, r *match.Report) error {
	return Table(w, func(line func(...any)) {
		head := []any{"seat", "entrant", "games", "score"}
		for _, m := range r.MetricList {
			head = append(head, m.Name)
		}
		line(head...)
		for seat, parts := range r.BySeat {
			for _, e := range r.Entrants {
				p := parts[e.Name]
				cells := []any{seat + 1, e.Name, p.Games, p.Score.Fixed(4)}
				for _, m := range r.MetricList {
					cells = append(cells, p.Metrics[m.Name].Text())
				}
				line(cells...)
			}
		}
	})
}
