package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/config"
	"sakusen/tuner/serve/webhook"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
)

// leastSecret is the least length of a webhook's secret, bytes.
const leastSecret = 16

// openHook opens the webhook of the settings, nil where they name none.
func openHook(settings *config.Config, log *slog.Logger) (*webhook.Hook, error) {
	address, file := settings.Text("webhook_url"), settings.Text("webhook_secret_file")
	if address == "" {
		if file != "" {
			return nil, errors.New("webhook_url: expected an address, as webhook_secret_file names a secret")
		}
		return nil, nil
	}
	if err := webhook.Check(address); err != nil {
		return nil, fmt.Errorf("webhook_url: %w", err)
	}
	var secret []byte
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("webhook_secret_file: %w", err)
		}
		if secret = bytes.TrimSpace(text); len(secret) < leastSecret {
			return nil, fmt.Errorf("webhook_secret_file: expected a secret of at least %d bytes in %s, got %d", leastSecret, file, len(secret))
		}
	}
	return webhook.New(address, secret, log)
}

// ended is what a webhook is told.
type ended struct {
	Event   string             `json:"event"` // ended
	Kind    string             `json:"kind"`  // study, tournament or experiment
	Name    string             `json:"name"`
	ID      int                `json:"id,omitempty"` // of a job
	State   string             `json:"state"`        // done or failed
	Message string             `json:"message,omitempty"`
	Verdict string             `json:"verdict,omitempty"` // pass, fail or inconclusive
	Best    *service.StudyBest `json:"best,omitempty"`
	Games   int64              `json:"games"`
	Path    string             `json:"path"` // of its page
	At      string             `json:"at"`   // RFC 3339
}

// tellHook tells a webhook of what has ended. It returns at once.
func tellHook(h *webhook.Hook, s *service.Service, e daemon.Event) {
	if h == nil || e.Kind != "state" || e.State != tuner.Done && e.State != tuner.Failed {
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		h.Tell(endOf(ctx, s, e))
	}()
}

// endOf is what is told of an end.
func endOf(ctx context.Context, s *service.Service, e daemon.Event) ended {
	m := ended{Event: "ended", Kind: string(e.Key.Kind), Name: e.Key.Name, ID: e.Key.ID, State: string(e.State), Message: e.Why, At: time.Now().UTC().Format(time.RFC3339)}
	if e.Key.Kind == daemon.Study {
		m.Path = "/studies/" + e.Key.Name
		if d, err := s.Studies().Show(ctx, e.Key.Name); err == nil {
			m.Best, m.Games = d.Best, d.Games
			if d.Best != nil {
				m.Verdict = d.Best.Verdict
			}
		}
		return m
	}
	m.Path = fmt.Sprintf("/tournaments/%d", e.Key.ID)
	if e.Key.Kind == daemon.Experiment {
		m.Path = fmt.Sprintf("/experiments/runs/%d", e.Key.ID)
	}
	if j, err := s.Jobs(e.Key.Kind).Show(ctx, e.Key.ID); err == nil {
		m.Name, m.Games = j.Name, j.Games
	}
	return m
}
