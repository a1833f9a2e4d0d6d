package store

import (
	"context"
	"fmt"

	"sakusen/tuner/store/schema"
)

// complaintsMost bounds what Check lists of each kind.
const complaintsMost = 20

// Check reads every log entry, spec, result and run of blocks and lists what
// cannot be read or is not what was written: bytes that changed inside a row,
// where SQLite's own check sees nothing, results that do not follow from their log,
// attempts that are no longer counted, triggers that are gone. Damage is not an
// error; that the check could not be made is.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	complaints, err := schema.Check(ctx, s.db)
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	for _, part := range []func(context.Context, *Store) ([]string, error){checkTexts, checkLogs} {
		found, err := part(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("check: %w", err)
		}
		complaints = append(complaints, found...)
	}
	broken, err := s.blocks.Check(ctx, complaintsMost)
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	return append(complaints, broken...), nil
}

// checkTexts lists the texts that are not JSON.
func checkTexts(ctx context.Context, s *Store) (complaints []string, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT * FROM (
		SELECT 'study ' || s.name || ': log entry ' || e.seq || ' is no JSON' FROM entries e JOIN sakusen_studies s USING (study_id) WHERE NOT json_valid(e.payload)
		UNION ALL SELECT 'study ' || s.name || ': its spec is no JSON' FROM study_records r JOIN sakusen_studies s USING (study_id) WHERE NOT json_valid(r.spec)
		UNION ALL SELECT 'study ' || s.name || ': its result is no JSON' FROM study_records r JOIN sakusen_studies s USING (study_id) WHERE r.result IS NOT NULL AND NOT json_valid(r.result)
		) LIMIT ?`, complaintsMost)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		complaints = append(complaints, text)
	}
	return complaints, rows.Err()
}
