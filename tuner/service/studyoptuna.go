package service

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"

	"sakusen/tuner"
	"sakusen/tuner/entry"
	"sakusen/tuner/export"
	"sakusen/tuner/store"
)

// OptunaFormats are the forms of all trials for Optuna: JSON, and a database.
func OptunaFormats() []string { return []string{"optuna", "optuna-sqlite"} }

// ForOptuna tells whether a format of an export is all trials for Optuna.
func ForOptuna(format string) bool { return slices.Contains(OptunaFormats(), format) }

// optuna returns a study's trials in one of OptunaFormats.
func (s exporter) optuna(ctx context.Context, spec *tuner.Spec, d store.Details, format string) ([]byte, error) {
	study := export.NewOptunaStudy(spec)
	study.Name = d.Name
	study.Attrs["state"] = string(d.State)
	if err := s.annotate(ctx, spec, d, study); err != nil {
		return nil, err
	}
	return s.trials(ctx, study, d, format)
}

// trials writes all trials of a study.
func (s exporter) trials(ctx context.Context, study *export.OptunaStudy, d store.Details, format string) ([]byte, error) {
	trials := s.store.Study(d.ID).AllTrials(ctx)
	if format == "optuna" {
		var out bytes.Buffer
		err := export.WriteOptunaJSON(&out, study, trials)
		return out.Bytes(), err
	}
	dir, err := os.MkdirTemp("", "sakusen-optuna-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "study.db")
	if err := export.WriteOptunaDatabase(ctx, path, study, trials); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// annotate takes from the log why trials were stopped, and by how much they exceed
// limits; the latter only where the rules count what the log counts.
func (s exporter) annotate(ctx context.Context, spec *tuner.Spec, d store.Details, study *export.OptunaStudy) error {
	study.Reasons, study.Excess = map[int]string{}, map[int][]tuner.Excess{}
	var setup *tuner.Setup
	if study.Limited {
		setup, _ = tuner.PrepareRules(spec, s.o.Catalogue) // without it, what the trials' notes say
	}
	detail := entry.OnlyScores
	if setup != nil {
		detail = entry.AllEvidence
	}
	last := map[int][]entry.Evidence{}
	for e, err := range s.store.Study(d.ID).EntriesAfter(ctx, 0) {
		if err != nil {
			return err
		}
		payload, err := entry.Read(e, detail)
		if err != nil {
			return err
		}
		switch v := payload.(type) {
		case *entry.Rung:
			if setup != nil {
				last[v.Trial] = v.Evidence
			}
		case *entry.Tell:
			if v.Reason != "" {
				study.Reasons[v.Trial] = v.Reason
			}
			if all := last[v.Trial]; setup != nil && setup.Fits(all) {
				estimate := setup.Estimate(all)
				study.Excess[v.Trial] = setup.Excess(&estimate)
			}
			delete(last, v.Trial)
		}
	}
	return nil
}
