package store

import (
	"context"
	"fmt"
)

// complaintsMost bounds what Check lists of each kind.
const complaintsMost = 20

// Check reads every log entry, spec, result and run of blocks and lists what
// cannot be read: bytes that changed inside a row, where SQLite's own check sees
// nothing. Damage is not an error; that the check could not be made is.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	complaints, err := s.checkTexts(ctx)
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	rows, err := s.db.Reader().QueryContext(ctx, "SELECT run_id, first, blocks, packed FROM block_runs ORDER BY run_id")
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	defer rows.Close()
	bad := 0
	for rows.Next() {
		var id, first int64
		var blocks int
		var packed []byte
		if err := rows.Scan(&id, &first, &blocks, &packed); err != nil {
			return nil, fmt.Errorf("check: %w", err)
		}
		if _, err := unpackRun(packed, first, blocks); err != nil {
			if bad++; bad <= complaintsMost {
				complaints = append(complaints, fmt.Sprintf("blocks: run %d: %v", id, err))
			}
		}
	}
	if bad > complaintsMost {
		complaints = append(complaints, fmt.Sprintf("blocks: %d runs in all cannot be read", bad))
	}
	return complaints, rows.Err()
}

// checkTexts lists the texts that are no JSON.
func (s *Store) checkTexts(ctx context.Context) (complaints []string, err error) {
	rows, err := s.db.Reader().QueryContext(ctx, `SELECT * FROM (
		SELECT 'study ' || s.name || ': log entry ' || e.seq || ' is no JSON' FROM entries e JOIN studies s USING (study_id) WHERE NOT json_valid(e.payload)
		UNION ALL SELECT 'study ' || s.name || ': its spec is no JSON' FROM study_records r JOIN studies s USING (study_id) WHERE NOT json_valid(r.spec)
		UNION ALL SELECT 'study ' || s.name || ': its result is no JSON' FROM study_records r JOIN studies s USING (study_id) WHERE r.result IS NOT NULL AND NOT json_valid(r.result)
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
