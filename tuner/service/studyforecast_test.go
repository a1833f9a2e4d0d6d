package service_test

import (
	"strings"
	"testing"

	"sakusen/tuner/service"
)

// A forecast stores nothing, counts the attempts that there were, and refuses what a
// submission refuses.
func TestForecast(t *testing.T) {
	s, ctx := open(t).Studies(), t.Context()
	f, err := s.Forecast(ctx, service.Submission{Spec: small})
	if err != nil {
		t.Fatal(err)
	}
	if f.Proof.Attempt != 1 || f.Seconds == nil || f.Proof.Supposed || f.Proof.Gain == nil || f.Games.Most > 4000 {
		t.Errorf("%+v", f)
	}
	if list, err := s.List(ctx, 0, 10); err != nil || len(list) > 0 {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := s.Submit(ctx, service.Submission{Spec: small}); err != nil {
		t.Fatal(err)
	}
	f, err = s.Forecast(ctx, service.Submission{Spec: strings.Replace(small, "name: small", "name: other", 1)})
	if err != nil || f.Proof.Attempt != 2 {
		t.Errorf("%+v, %v", f, err)
	}
	_, err = s.Forecast(ctx, service.Submission{Spec: "name: x\ngame: chess\n"})
	refuses(t, err, service.Invalid)
}
