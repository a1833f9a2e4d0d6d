package service

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"sakusen/tuner/store"
)

// nameLine is the line of a study file that names it.
var nameLine = regexp.MustCompile(`(?m)^name:[^\n]*$`)

// Again is a study's file under a name that is free, to be changed and run again.
func (t *Studies) Again(ctx context.Context, name string) (string, error) {
	d, err := FindStudy(ctx, t.s.store, name)
	if err != nil {
		return "", err
	}
	src, err := t.s.store.Source(ctx, d.ID)
	if err != nil {
		return "", err
	}
	if src.Text == "" || !nameLine.MatchString(src.Text) {
		return "", &Error{Code: NotFound, Message: fmt.Sprintf("the record of %q keeps no file: an older program began it", name)}
	}
	for n := 2; ; n++ {
		free := fmt.Sprintf("%s-%d", name, n)
		_, err := t.s.store.Details(ctx, free)
		if errors.Is(err, store.ErrStudyNotFound) {
			return nameLine.ReplaceAllLiteralString(src.Text, "name: "+free), nil
		}
		if err != nil {
			return "", err
		}
	}
}
