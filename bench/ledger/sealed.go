package ledger

import (
	"context"

	"sakusen/tuner/store/sqlitedb"
)

// The tables whose rows carry a hash; the raw text of a run has its own,
// and its values are compared with it.
var (
	runRows = sqlitedb.Sealed{
		Table: "bench_runs", Columns: "run_id, sha256, commit_id, branch, dirty, machine, go_version, name, samples, recorded",
		Name: "'benchmarks: run ' || run_id",
	}
	baselineRows = sqlitedb.Sealed{Table: "bench_baselines", Columns: "name, run_id, updated", Name: "'benchmarks: baseline ' || name"}
	acceptRows   = sqlitedb.Sealed{
		Table: "bench_accepts", Columns: "accept_id, pkg, name, unit, run_id, reason, accepted",
		Name: "'benchmarks: accepted change ' || accept_id",
	}
	causeRows = sqlitedb.Sealed{
		Table: "bench_causes", Columns: "run_id, position, against, pkg, name, kind, old_file, new_file, functions",
		Name: "'benchmarks: cause ' || position || ' of run ' || run_id",
	}
)

// complaintsMost bounds what Check lists of each table.
const complaintsMost = 20

// checkRows lists the tables that were changed and the rows that are not what was written.
func (l *Ledger) checkRows(ctx context.Context) (complaints []string, err error) {
	if complaints, err = l.db.CheckSchema(ctx, SeriesName, schema); err != nil {
		return nil, err
	}
	for _, table := range []sqlitedb.Sealed{runRows, baselineRows, acceptRows, causeRows} {
		found, err := table.Check(ctx, l.db, complaintsMost, "TRUE")
		if err != nil {
			return nil, err
		}
		complaints = append(complaints, found...)
	}
	return complaints, nil
}
