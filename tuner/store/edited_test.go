package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/c-bata/goptuna"

	"sakusen/tuner"
	"sakusen/tuner/store/goptunadb"
	"sakusen/tuner/store/sqlitedb"
)

// named checks that the check of a database names something.
func named(t *testing.T, s *Store, want string) {
	t.Helper()
	found, err := s.Check(t.Context())
	if err != nil || !strings.Contains(strings.Join(found, "\n"), want) {
		t.Errorf("check: %v %q, want %q", err, found, want)
	}
}

// A row that was edited is changed by no command, which would write a hash that fits what was
// edited. It can be deleted.
func TestEditedRowsAreNotChanged(t *testing.T) {
	grown := header("one")
	grown.BudgetGames += 2
	for name, do := range map[string]func(context.Context, *Store, *Log) error{
		"state":    func(ctx context.Context, _ *Store, l *Log) error { return l.SetState(ctx, tuner.Queued, "") },
		"priority": func(ctx context.Context, _ *Store, l *Log) error { return l.SetPriority(ctx, 3) },
		"result":   func(ctx context.Context, _ *Store, l *Log) error { return l.Finish(ctx, json.RawMessage("{}")) },
		"budget": func(ctx context.Context, s *Store, _ *Log) error {
			_, _, err := s.Studies.Resume(ctx, grown, Source{}, 0)
			return err
		},
		"anew": func(ctx context.Context, s *Store, l *Log) error {
			return s.db.Change(ctx, "", func(c *sqlitedb.Change) error {
				_, err := l.restart(c, "w", Anew{State: tuner.Queued})
				return err
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openNew(t)
			l := mustCreate(t, s, "one")
			tamper(t, s, "UPDATE study_records SET budget_games = budget_games + 1")
			if err := do(t.Context(), s, l); !sqlitedb.Damaged(err) {
				t.Errorf("%v, want a damaged row", err)
			}
			named(t, s, "study one: its row is not what was written")
			if err := s.Studies.Delete(l.ID()); err != nil {
				t.Error(err)
			}
		})
	}
}

// An edited job is changed by no command; a piece of it that is kept leaves the job's hash.
func TestEditedJobsAreNotChanged(t *testing.T) {
	s, ctx := openNew(t), t.Context()
	id, _, err := s.Jobs.Create(ctx, Job{Kind: Tournament, Name: "cup", Request: json.RawMessage(`{"seed":"1"}`)})
	if err != nil {
		t.Fatal(err)
	}
	tamper(t, s, `UPDATE jobs SET request = '{"seed":"2"}'`)
	if err := s.Jobs.AddPiece(ctx, id, "one", json.RawMessage("1")); err != nil {
		t.Error(err)
	}
	for what, err := range map[string]error{
		"state": s.Jobs.SetState(ctx, id, tuner.Running, ""), "priority": s.Jobs.SetPriority(ctx, id, 3),
		"progress": s.Jobs.SetProgress(ctx, id, 1, 2, 3, nil), "result": s.Jobs.Finish(ctx, id, json.RawMessage("{}")),
	} {
		if !sqlitedb.Damaged(err) {
			t.Errorf("%s: %v, want a damaged row", what, err)
		}
	}
	named(t, s, "(cup) is not what was written")
	if err := s.Jobs.Delete(ctx, id); err != nil {
		t.Error(err)
	}
	named(t, s, "")
}

// An edited result is not shown; one that is no JSON hides no other study from lists.
func TestEditedResults(t *testing.T) {
	s, ctx := openNew(t), t.Context()
	l := mustCreate(t, s, "one")
	mustCreate(t, s, "other")
	if err := l.Finish(ctx, json.RawMessage(`{"validation":{"verdict":"fail"}}`)); err != nil {
		t.Fatal(err)
	}
	for _, result := range []string{`{"validation":{"verdict":"pass"}}`, `{"validation":{"verdict":"fail"}`} {
		tamper(t, s, "UPDATE study_records SET result = '"+result+"' WHERE result IS NOT NULL")
		if d, err := s.Studies.Details(ctx, "one"); !sqlitedb.Damaged(err) || d.ID != l.ID() {
			t.Errorf("%d, %v, want a damaged row", d.ID, err)
		}
		named(t, s, "study one: its row is not what was written")
		list, err := s.Studies.Find(ctx, Filter{Both: true, Sort: "oldest", Limit: 9})
		found, err2 := s.Studies.Find(ctx, Filter{Sort: "gain", Limit: 9})
		_, _, err3 := s.Studies.Count(ctx, Filter{})
		if errors.Join(err, err2, err3) != nil || len(list) != 2 || len(found) != 2 {
			t.Errorf("%d and %d studies, %v, %v, %v", len(list), len(found), err, err2, err3)
		}
	}
}

// A study of which the record was deleted is not taken for one of another program.
func TestDeletedRecord(t *testing.T) {
	s, ctx := playedToy(t), t.Context()
	tamper(t, s, "DELETE FROM study_records")
	named(t, s, "study toy: "+noRecord)
	d, err := s.Studies.Details(ctx, "toy")
	if !sqlitedb.Damaged(err) {
		t.Errorf("%v, want a damaged study", err)
	}
	g, err := goptunadb.New(ctx, s.DB())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.CreateNewTrial(d.ID); !errors.Is(err, goptunadb.ErrHasLog) {
		t.Errorf("%v, want ErrHasLog", err)
	}
}

// What decides the trials of a program's own study is checked: when it began, its direction,
// the distributions of its parameters.
func TestEditedForeignStudy(t *testing.T) {
	for edit, want := range map[string]string{
		"UPDATE sakusen_studies SET created = created + 1":                                     "study mine: its row of sakusen_studies",
		"UPDATE sakusen_trials SET started = started + 1":                                      "trial 0 of study 1",
		"UPDATE sakusen_studies SET direction = 'maximize'":                                    "study mine: its row of sakusen_studies",
		`UPDATE sakusen_axes SET distribution = replace(distribution, '"high":1', '"high":2')`: "the distribution of parameter x",
	} {
		s, ctx := openNew(t), t.Context()
		g, err := goptunadb.New(ctx, s.DB())
		if err != nil {
			t.Fatal(err)
		}
		id, err := g.CreateNewStudy("mine")
		trial, err2 := g.CreateNewTrial(id)
		if err := errors.Join(err, err2, g.SetTrialParam(trial, "x", 0.5, goptuna.UniformDistribution{High: 1})); err != nil {
			t.Fatal(err)
		}
		if err := refuseTrials(ctx, s, id); err != nil {
			t.Fatal(err)
		}
		tamper(t, s, edit)
		named(t, s, want)
		if err := g.SetTrialValue(trial, 1); strings.Contains(edit, "started") != sqlitedb.Damaged(err) {
			t.Errorf("%s: a value: %v", edit, err)
		}
		if err := refuseTrials(ctx, s, id); !sqlitedb.Damaged(err) {
			t.Errorf("%s: %v, want a damaged row", edit, err)
		}
		if err := g.SetStudyDirection(id, goptuna.StudyDirectionMinimize); strings.Contains(edit, "direction") && !sqlitedb.Damaged(err) {
			t.Errorf("%s: another direction: %v", edit, err)
		}
	}
}

func refuseTrials(ctx context.Context, s *Store, study int) error {
	return s.db.Read(ctx, func(tx *sql.Tx) error { return goptunadb.Refuse(tx, study) })
}
