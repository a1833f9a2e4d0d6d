package service

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"sakusen/studies"
	"sakusen/tuner"
	"sakusen/tuner/service/daemon"
	"sakusen/tuner/store"
)

// Studies is what can be done with studies.
type Studies struct {
	s *Service
	Logs
	StudyFiles
}

// Logs reads what studies have recorded: their trials and their logs.
type Logs struct{ s *Service }

// StudyFiles takes study files, makes new ones of studies, and exports what studies found.
type StudyFiles struct{ s *Service }

// Studies are the studies of the database.
func (s *Service) Studies() *Studies { return &Studies{s, Logs{s}, StudyFiles{s}} }

// List lists at most limit studies after the one with the given id.
func (t *Studies) List(ctx context.Context, after, limit int) ([]Study, error) {
	page, err := t.s.store.Studies.After(ctx, after, limit)
	if err != nil {
		return nil, err
	}
	return t.lines(ctx, page)
}

// All lists all studies, the oldest first.
func (t *Studies) All(ctx context.Context) iter.Seq2[Study, error] {
	return func(yield func(Study, error) bool) {
		for l, err := range t.s.store.Studies.All(ctx) {
			if err != nil {
				yield(Study{}, err)
				return
			}
			line, err := t.line(ctx, l)
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// lines are studies as they are listed.
func (t *Studies) lines(ctx context.Context, page []store.Listing) ([]Study, error) {
	out := []Study{}
	for _, l := range page {
		line, err := t.line(ctx, l)
		if err != nil {
			return nil, err
		}
		out = append(out, line)
	}
	return out, nil
}

// line is a study as lists show it, with its progress if it runs.
func (t *Studies) line(ctx context.Context, l store.Listing) (line Study, err error) {
	line = t.explained(lineOf(l))
	if l.Foreign {
		if line.Best, err = foreignBest(ctx, t.s.store, l); err != nil {
			return line, fmt.Errorf("study %q: %w", l.Name, err)
		}
		return line, nil
	}
	can := t.s.reach.of(l, t.s.o.Catalogue, t.s.o.Samplers)
	line.Reachable, line.About.Seats = can.trials, can.seats
	if p, ok := t.s.daemon.Progress(daemon.StudyKey(l.Name)); ok {
		line.Progress = ProgressOf(p)
	}
	return line, nil
}

// Show is one study, whole.
func (t *Studies) Show(ctx context.Context, name string) (*StudyDetail, error) {
	d, err := known(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	line, err := t.line(ctx, d.Listing)
	if err != nil {
		return nil, err
	}
	out := &StudyDetail{
		Study: line, SpecSHA256: d.SpecHash, Signature: d.Signatures,
		Entries: d.Entries,
	}
	if !d.Foreign {
		out.Spec = json.RawMessage(d.Spec)
		if spec, err := StoredSpec(d); err == nil {
			out.Takes, _ = t.s.o.Samplers.Takes(spec.Sampler.Name)
		}
	}
	if out.Result, err = storedResult(d); err == nil {
		out.Note, err = t.s.store.Study(d.ID).Note(ctx)
	}
	return out, err
}

// Trials lists at most limit trials from a number on.
func (t Logs) Trials(ctx context.Context, name string, from, limit int) ([]Trial, error) {
	d, space, err := spaced(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	page, err := t.s.store.Study(d.ID).TrialPage(ctx, from, limit)
	if err != nil {
		return nil, err
	}
	return trialsOf(page, space)
}

// AllTrials lists all trials of a study, ascending.
func (t Logs) AllTrials(ctx context.Context, name string) iter.Seq2[Trial, error] {
	return func(yield func(Trial, error) bool) {
		d, space, err := spaced(ctx, t.s.store, name)
		if err != nil {
			yield(Trial{}, err)
			return
		}
		for stored, err := range t.s.store.Study(d.ID).AllTrials(ctx) {
			var line Trial
			if err == nil {
				line, err = trialOf(stored, space)
			}
			if !yield(line, err) || err != nil {
				return
			}
		}
	}
}

// TrialsAt are the trials with the given numbers, at most 1 000, ascending.
func (t Logs) TrialsAt(ctx context.Context, name string, numbers []int) ([]Trial, error) {
	d, space, err := spaced(ctx, t.s.store, name)
	if err != nil {
		return nil, err
	}
	trials, err := t.s.store.Study(d.ID).TrialsAt(ctx, numbers)
	if err != nil {
		return nil, err
	}
	return trialsOf(trials, space)
}

// Files are the embedded study files by name.
func (t StudyFiles) Files() ([]Example, error) {
	var out []Example
	for _, name := range studies.Names() {
		text, err := studies.Read(name)
		if err != nil {
			return nil, err
		}
		out = append(out, Example{Name: name, File: string(text)})
	}
	return out, nil
}

// Pause interrupts a study until it is resumed. It returns when the study no longer runs,
// with the state that it has set; the study's state may be another by then.
func (t *Studies) Pause(ctx context.Context, name string) (state string, err error) {
	return string(tuner.Paused), t.s.daemon.Pause(ctx, daemon.StudyKey(name))
}

// Stop ends a study for good unless it is resumed. It returns as [Studies.Pause] does.
func (t *Studies) Stop(ctx context.Context, name string) (state string, err error) {
	return string(tuner.Stopped), t.s.daemon.Stop(ctx, daemon.StudyKey(name))
}

// Resume puts a study that was paused, stopped or failed back into the queue, and returns
// the state that it has set, or found where the study was queued or ran.
func (t *Studies) Resume(ctx context.Context, name string) (state string, err error) {
	if t.ofFormer(ctx, name) {
		return "", New(Conflict, fmt.Sprintf("study %q is a former log, which nobody resumes", name))
	}
	set, err := t.s.daemon.Resume(ctx, daemon.StudyKey(name))
	return string(set), err
}

// Delete deletes a study with its trials and its log; blocks stay, and attempts
// at validation stay counted.
func (t *Studies) Delete(ctx context.Context, name string) error {
	return t.s.daemon.Delete(ctx, daemon.StudyKey(name))
}

// Prioritise says how urgent a study is, -10 to 10.
func (t *Studies) Prioritise(ctx context.Context, name string, priority int) error {
	return t.s.daemon.Prioritise(ctx, daemon.StudyKey(name), priority)
}

// former tells whether a name is that of a log which was kept when its study began anew.
func former(name string) bool { return strings.Contains(name, "@") }

// ofFormer reports whether a name is that of a former log and not of another program's
// study, which may have any name.
func (t *Studies) ofFormer(ctx context.Context, name string) bool {
	if !former(name) {
		return false
	}
	d, err := known(ctx, t.s.store, name)
	return err != nil || !d.Foreign
}
