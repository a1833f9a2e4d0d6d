package store

import (
	"context"
	"fmt"
	"strings"
)

// Filter says which studies are looked for, and in which order.
type Filter struct {
	Outcome string // one of [Outcomes]; empty for all
	Text    string // in the name, the question, the game or the strategy
	Game    string
	Sort    string // newest, name, ended or gain; empty for those that run first, then the newest
	Skip    int
	Limit   int
}

// Outcomes are what becomes of studies, in the order of lists.
func Outcomes() []string {
	return []string{"running", "waiting", "paused", "failed", "proved", "worse", "undecided", string(Foreign)}
}

// outcomeSQL is that of a study, in SQL.
const outcomeSQL = `(CASE coalesce(r.state, 'foreign') WHEN 'foreign' THEN 'foreign' WHEN 'running' THEN 'running' WHEN 'queued' THEN 'waiting' WHEN 'failed' THEN 'failed' WHEN 'done' THEN
	CASE CASE WHEN json_valid(r.result) THEN json_extract(r.result, '$.validation.verdict') END WHEN 'pass' THEN 'proved' WHEN 'fail' THEN 'worse' ELSE 'undecided' END
	ELSE 'paused' END)`

// orderSQL is a way to sort, in SQL; empty where there is none of that name.
func orderSQL(by string) string {
	switch by {
	case "":
		return "r.state IS 'running' DESC, r.priority * (r.state IS 'running') DESC, CASE r.state WHEN 'running' THEN s.study_id ELSE -s.study_id END"
	case "newest":
		return "s.study_id DESC"
	case "name":
		return "s.name"
	case "ended":
		return "coalesce(r.updated, s.created) DESC"
	case "gain":
		return "CASE WHEN json_valid(r.result) THEN json_extract(r.result, '$.validation.elo') END DESC NULLS LAST, s.study_id DESC"
	}
	return ""
}

// Sorted tells whether there is such an order.
func Sorted(by string) bool { return orderSQL(by) != "" }

// where is the filter in SQL, but for the outcome.
func (f *Filter) where() (text string, args []any) {
	text = "WHERE 1"
	if f.Game != "" {
		text, args = text+" AND r.game = ?", append(args, f.Game)
	}
	for _, word := range strings.Fields(f.Text) {
		like := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(word) + "%"
		text += ` AND (s.name LIKE ? ESCAPE '\' OR r.game LIKE ? ESCAPE '\' OR r.strategy LIKE ? ESCAPE '\' OR CASE WHEN json_valid(r.spec) THEN json_extract(r.spec, '$.doc') END LIKE ? ESCAPE '\')`
		args = append(args, like, like, like, like)
	}
	return text, args
}

// FindStudies lists the studies that a filter lets through.
func (s *Store) FindStudies(ctx context.Context, f Filter) ([]Listing, error) {
	text, args := f.where()
	if f.Outcome != "" {
		text, args = text+" AND "+outcomeSQL+" = ?", append(args, f.Outcome)
	}
	return listings(ctx, s, text+" ORDER BY "+orderSQL(f.Sort)+" LIMIT ? OFFSET ?", append(args, f.Limit, f.Skip)...)
}

// CountStudies counts the studies of each outcome that a filter lets through, and
// of each game whatever it lets through.
func (s *Store) CountStudies(ctx context.Context, f Filter) (outcomes, games map[string]int, err error) {
	text, args := f.where()
	count := func(of, where string, args ...any) (map[string]int, error) {
		rows, err := s.db.Reader().QueryContext(ctx, "SELECT "+of+", count(*) "+fromStudies+where+" GROUP BY 1", args...)
		if err != nil {
			return nil, fmt.Errorf("count studies: %w", err)
		}
		defer rows.Close()
		out := map[string]int{}
		for rows.Next() {
			var name string
			var n int
			if err := rows.Scan(&name, &n); err != nil {
				return nil, fmt.Errorf("count studies: %w", err)
			}
			out[name] = n
		}
		return out, rows.Err()
	}
	if outcomes, err = count(outcomeSQL, text, args...); err != nil {
		return nil, nil, err
	}
	games, err = count("r.game", "WHERE r.game IS NOT NULL")
	return outcomes, games, err
}
