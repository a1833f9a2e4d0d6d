package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/store/sqlitedb"
)

// checkLogs checks the chain of every log, compares each result with its log, and checks
// that every attempt opened in a log was counted.
func checkLogs(ctx context.Context, s *Store) (complaints []string, err error) {
	more := 0
	for l, err := range s.AllStudies(ctx) {
		if err != nil {
			return complaints, err
		}
		found, err := checkLog(ctx, s, l)
		if err != nil {
			return append(complaints, found...), err
		}
		if room := complaintsMost - len(complaints); len(found) > room {
			found, more = found[:room], more+len(found)-room
		}
		complaints = append(complaints, found...)
	}
	if more > 0 {
		complaints = append(complaints, fmt.Sprintf("studies: %d complaints more", more))
	}
	return complaints, nil
}

func checkLog(ctx context.Context, s *Store, l Listing) (complaints []string, err error) {
	complain := func(format string, args ...any) {
		complaints = append(complaints, "study "+l.Name+": "+fmt.Sprintf(format, args...))
	}
	if l.Foreign {
		lost, err := recordLost(ctx, s.db.Reader(), l.ID)
		if lost {
			complain(noRecord)
		}
		return complaints, err
	}
	var all []entry.Entry
	_, err = readChain(ctx, s, l.ID, l.SpecHash, l.Signatures, func(e entry.Entry) { all = append(all, e) })
	if damage, ok := errors.AsType[*sqlitedb.DamagedError](err); ok {
		complain("%s", damage.What)
		return complaints, nil
	}
	if err != nil {
		return complaints, err
	}
	var stored sql.NullString
	if err := s.db.Reader().QueryRowContext(ctx, "SELECT result FROM study_records WHERE study_id = ?", l.ID).Scan(&stored); err != nil {
		return complaints, err
	}
	if stored.Valid {
		var r tuner.Result
		if err := json.Unmarshal([]byte(stored.String), &r); err != nil {
			complain("its result: %v", err)
		} else if forged, ok := errors.AsType[*tuner.ForgedError](r.Agrees(all)); ok {
			complain("its result does not follow from its log: %s", forged.What)
		}
	}
	for _, e := range all {
		var opened entry.Attempt
		if e.Kind != entry.KindAttempt || json.Unmarshal(e.Payload, &opened) != nil || opened.Attempt == 0 {
			continue
		}
		var counted bool
		err := s.db.Reader().QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM validation_attempts WHERE game = ? AND strategy = ? AND baseline = ? AND attempt = ?)",
			l.Game, l.Strategy, l.Baseline, opened.Attempt).Scan(&counted)
		if err != nil {
			return complaints, err
		}
		if !counted {
			complain("its validation is attempt %d on %s, %s and %s, which is no longer counted", opened.Attempt, l.Game, l.Strategy, strings.TrimSpace(l.Baseline))
		}
	}
	return complaints, nil
}
