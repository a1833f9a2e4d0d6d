package main

import (
	"fmt"
	"io"
	"strconv"

	"sakusen/tuner/rating"
)

// print writes the report for people: strength, metrics, seats.
func (r *matchReport) print(w io.Writer) error {
	fmt.Fprintf(w, "%s: %d blocks, %d games, seed %s\n\n", r.Game, r.Blocks, r.Games, r.Seed)
	err := table(w, func(line func(...any)) {
		line("entrant", "score", "95 %", "Elo", "95 %", "wins", "draws", "losses")
		for _, e := range r.Entrants {
			line(e.Name, fixed(e.Score, 4), e.CI95.text(4), signed(e.Elo), e.EloCI95.text(1), e.Wins, e.Draws, e.Losses)
		}
	})
	if err != nil {
		return err
	}
	if len(r.metrics) > 0 {
		fmt.Fprintln(w)
		err = table(w, func(line func(...any)) {
			head := []any{"metric"}
			for _, e := range r.Entrants {
				head = append(head, e.Name)
			}
			line(head...)
			for _, m := range r.metrics {
				cells := []any{m.Name}
				for _, e := range r.Entrants {
					cells = append(cells, e.Metrics[m.Name].text())
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
		if err := r.printSeats(w); err != nil {
			return err
		}
	}
	if s := r.SPRT; s != nil {
		fmt.Fprintf(w, "\nSPRT of %s, [%g, %g] %s Elo: %s: %s\n", r.Entrants[0].Name, s.Elo0, s.Elo1, s.Model, s.Verdict, s.Reason)
		if s.Unbiased.Elo.Defined {
			fmt.Fprintf(w, "allowing for the early stop: score %s %s, Elo %s %s\n",
				fixed(s.Unbiased.Score, 4), s.Unbiased.CI95.text(4), signed(s.Unbiased.Elo), s.Unbiased.EloCI95.text(1))
		}
	}
	_, err = fmt.Fprintf(w, "\ndigest %s\n", r.Digest)
	return err
}

// printSeats writes what each entrant did in each seat.
func (r *matchReport) printSeats(w io.Writer) error {
	return table(w, func(line func(...any)) {
		head := []any{"seat", "entrant", "games", "score"}
		for _, m := range r.metrics {
			head = append(head, m.Name)
		}
		line(head...)
		for seat, parts := range r.BySeat {
			for _, e := range r.Entrants {
				p := parts[e.Name]
				cells := []any{seat + 1, e.Name, p.Games, fixed(p.Score, 4)}
				for _, m := range r.metrics {
					cells = append(cells, p.Metrics[m.Name].text())
				}
				line(cells...)
			}
		}
	})
}

// text is "36.65 +- 0.25", or "36.65" without an interval, or "-".
func (m metricPart) text() string {
	if !m.Mean.Defined {
		return "-"
	}
	if !m.CI95.Lo.Defined {
		return strconv.FormatFloat(m.Mean.Value, 'g', 5, 64)
	}
	half := (m.CI95.Hi.Value - m.CI95.Lo.Value) / 2
	if half == 0 {
		return strconv.FormatFloat(m.Mean.Value, 'g', 5, 64)
	}
	return strconv.FormatFloat(m.Mean.Value, 'g', 5, 64) + " +- " + strconv.FormatFloat(half, 'g', 2, 64)
}

// text is "[0.49, 0.51]", or "-".
func (s span) text(digits int) string {
	if !s.Lo.Defined || !s.Hi.Defined {
		return "-"
	}
	return "[" + fixed(s.Lo, digits) + ", " + fixed(s.Hi, digits) + "]"
}

// fixed is a number with so many digits behind the point, or "-".
func fixed(n rating.Number, digits int) string {
	if !n.Defined {
		return "-"
	}
	return strconv.FormatFloat(n.Value, 'f', digits, 64)
}

// signed is an Elo with its sign and one digit, or "-".
func signed(n rating.Number) string {
	if !n.Defined {
		return "-"
	}
	return fmt.Sprintf("%+.1f", n.Value)
}
