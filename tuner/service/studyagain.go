package service

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"sakusen/tuner/sampler"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
)

// nameLine is the line of a study file that names it.
var nameLine = regexp.MustCompile(`(?m)^name:[^\n]*$`)

// Again is a study's file under a name that is free, to be changed and run again: with a
// wider range, for instance. It begins with the games of the study where its sampler
// learns from them.
func (t StudyFiles) Again(ctx context.Context, name string) (string, error) {
	d, err := FindStudy(ctx, t.s.store, name)
	if err != nil {
		return "", err
	}
	src, err := t.s.store.Study(d.ID).Source(ctx)
	if err != nil {
		return "", err
	}
	if src.Text == "" || !nameLine.MatchString(src.Text) {
		return "", &Error{Code: NotFound, Message: fmt.Sprintf("the record of %q keeps no file to run again", name)}
	}
	for n := 2; ; n++ {
		free := fmt.Sprintf("%s-%d", name, n)
		_, err := t.s.store.Studies.Details(ctx, free)
		if errors.Is(err, store.ErrStudyNotFound) {
			return begunAgain(d, t.s.o.Samplers, nameLine.ReplaceAllLiteralString(src.Text, "name: "+free))
		}
		if err != nil {
			return "", err
		}
	}
}

// begunAgain is the file with what it begins with: the games of the study, where they are
// of use; points that were to be tried first are among them then.
func begunAgain(d store.Details, samplers sampler.Kinds, file string) (string, error) {
	spec, err := StoredSpec(d)
	if err != nil {
		return "", err
	}
	if _, learns := samplers.Takes(spec.Sampler.Name); !learns || spec.Evaluate != nil || spec.Pareto() {
		return file, nil
	}
	return studyfile.BeginWith(file, nil, d.Name)
}
