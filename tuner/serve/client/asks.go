package client

import (
	"context"
	"net/http"

	"sakusen/tuner/service"
)

// Ask hands out games of a study that are played elsewhere.
func (s *Studies) Ask(ctx context.Context, name string, r service.AskRequest) (*service.Asked, error) {
	out := &service.Asked{}
	return out, s.c.act(ctx, http.MethodPost, studyPath(name)+"/asks", r, out)
}

// Tell takes results of such games.
func (s *Studies) Tell(ctx context.Context, name string, given service.Tellings) (*service.Accepted, error) {
	out := &service.Accepted{}
	return out, s.c.act(ctx, http.MethodPost, studyPath(name)+"/results", given, out)
}
