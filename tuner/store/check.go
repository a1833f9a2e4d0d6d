package store

import (
	"context"
	"fmt"

	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// complaintsMost bounds what Check lists of each kind.
const complaintsMost = 20

// Check reads every log entry, spec, result and run of blocks and lists what is not
// what was written: bytes that changed inside a row, where SQLite's own check sees
// nothing, results that do not follow from their log,
// attempts that are no longer counted, triggers that are gone. Damage is not an
// error; that the check could not be made is, beside what was found before.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	complaints, err := goptunadb.CheckSchema(ctx, s.db)
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	for _, part := range []func(context.Context, *Store) ([]string, error){checkRows, checkLogs} {
		found, err := part(ctx, s)
		complaints = append(complaints, found...)
		if err != nil {
			return complaints, fmt.Errorf("check: %w", err)
		}
	}
	broken, err := s.blocks.Check(ctx, complaintsMost)
	complaints = append(complaints, broken...)
	if err != nil {
		return complaints, fmt.Errorf("check: %w", err)
	}
	return complaints, nil
}

// checkRows lists the rows that are not what was written.
func checkRows(ctx context.Context, s *Store) (complaints []string, err error) {
	tables := []sqlitedb.Sealed{studyRows, attemptRows, jobRows, pieceRows}
	if n, err := s.db.Version(ctx, AsksName); err != nil {
		return complaints, err
	} else if n > 0 {
		tables = append(tables, askRows)
		if complaints, err = s.db.CheckSchema(ctx, AsksName, asksSchema); err != nil {
			return complaints, err
		}
	}
	found, err := goptunadb.Check(ctx, s.db, complaintsMost)
	if err != nil {
		return complaints, err
	}
	complaints = append(complaints, found...)
	for _, table := range tables {
		found, err := table.Check(ctx, s.db, complaintsMost, "TRUE")
		if err != nil {
			return complaints, err
		}
		complaints = append(complaints, found...)
	}
	return complaints, nil
}
