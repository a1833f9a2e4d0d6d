package serve

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"sakusen/engines/plain"
	"sakusen/tuner"
	"sakusen/tuner/config"
	"sakusen/tuner/service"
	"sakusen/tuner/service/daemon"
)

// HookHeader carries the signature of a message: "t=SECONDS,sha256=HEX", the HMAC of
// "SECONDS.BODY" under the secret, SECONDS since 1970.
const HookHeader = "Sakusen-Signature"

const (
	// room is how many messages wait; more are dropped, and the log says so.
	room = 100
	// patience bounds one attempt.
	patience = 10 * time.Second
	// mostAnswer is what is read of an answer.
	mostAnswer = 4096
)

// pauses are between attempts; there is one attempt more.
var pauses = []time.Duration{time.Second, 5 * time.Second, 25 * time.Second}

// Hook sends messages to one address.
type Hook struct {
	address string
	secret  []byte
	log     *slog.Logger
	client  *http.Client
	queue   chan []byte
	ended   chan struct{}
	ctx     context.Context
	cancel  context.CancelFunc
	mu      sync.Mutex
	closed  bool
	// Pauses are between attempts; tests shorten them.
	Pauses []time.Duration
	now    func() time.Time
}

// CheckHook returns an error that says what is wrong with an address: it takes https, or
// http on the loopback interface, without a name and password in it.
func CheckHook(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return errors.New("expected an address such as https://example.org/hook")
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	loopback := host == "localhost" || ip != nil && ip.IsLoopback()
	switch {
	case u.User != nil:
		return errors.New("expected an address without a name and password in it: messages are signed instead")
	case host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("expected an address such as https://example.org/hook, got %.80q", address)
	case u.Scheme == "http" && !loopback:
		return fmt.Errorf("expected https, as http is for the loopback interface alone, got %.80q", address)
	}
	return nil
}

// NewHook makes a hook and begins to send. An empty secret signs nothing.
func NewHook(address string, secret []byte, log *slog.Logger) (*Hook, error) {
	if err := CheckHook(address); err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	h := &Hook{
		address: address, secret: secret, log: log, queue: make(chan []byte, room), ended: make(chan struct{}), ctx: ctx, cancel: cancel, now: time.Now, Pauses: pauses,
		client: &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
	go h.work()
	return h, nil
}

// Tell queues a message and returns at once.
func (h *Hook) Tell(message any) {
	body, err := json.Marshal(message)
	if err != nil {
		h.log.Error("a message of the webhook cannot be written", "error", err)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return
	}
	select {
	case h.queue <- body:
	default:
		h.log.Warn("the webhook is too slow: a message was dropped", "host", h.host())
	}
}

// Close sends what waits, as far as the context lasts, and ends.
func (h *Hook) Close(ctx context.Context) {
	h.mu.Lock()
	if !h.closed {
		h.closed = true
		close(h.queue)
	}
	h.mu.Unlock()
	select {
	case <-h.ended:
	case <-ctx.Done():
	}
	h.cancel()
}

func (h *Hook) work() {
	defer close(h.ended)
	for body := range h.queue {
		if err := h.send(body); err != nil && h.ctx.Err() == nil {
			h.log.Warn("the webhook did not take a message", "host", h.host(), "error", err)
		}
	}
}

// send sends a message until it is taken, refused for good, or was tried often enough.
func (h *Hook) send(body []byte) error {
	for n := 0; ; n++ {
		again, err := h.attempt(body)
		if err == nil || !again || n >= len(h.Pauses) {
			return err
		}
		select {
		case <-time.After(h.Pauses[n]):
		case <-h.ctx.Done():
			return err
		}
	}
}

// attempt sends a message once, and says whether to try again where it failed.
func (h *Hook) attempt(body []byte) (again bool, err error) {
	r, err := http.NewRequestWithContext(h.ctx, http.MethodPost, h.address, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "sakusen")
	if len(h.secret) > 0 {
		r.Header.Set(HookHeader, SignHook(h.secret, h.now(), body))
	}
	answer, err := h.client.Do(r)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // the address may hold a secret
		}
		return true, err
	}
	defer answer.Body.Close()
	io.CopyN(io.Discard, answer.Body, mostAnswer)
	if answer.StatusCode >= 200 && answer.StatusCode < 300 {
		return false, nil
	}
	return answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests, fmt.Errorf("it answered %s", answer.Status)
}

// host returns where messages go, without what may be secret of the address.
func (h *Hook) host() string {
	u, _ := url.Parse(h.address)
	return u.Host
}

// SignHook returns the signature of a message that is sent at a time.
func SignHook(secret []byte, at time.Time, body []byte) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	m := hmac.New(sha256.New, secret)
	m.Write([]byte(seconds + "."))
	m.Write(body)
	return "t=" + seconds + ",sha256=" + hex.EncodeToString(m.Sum(nil))
}

// leastSecret is the least length of a webhook's secret, bytes.
const leastSecret = 16

// openHook opens the webhook of the settings, nil where they name none.
func openHook(settings *config.Config, log *slog.Logger) (*Hook, error) {
	address, file := settings.Text("webhook_url"), settings.Text("webhook_secret_file")
	if address == "" {
		if file != "" {
			return nil, errors.New("webhook_url: expected an address, as webhook_secret_file names a secret")
		}
		return nil, nil
	}
	if err := CheckHook(address); err != nil {
		return nil, fmt.Errorf("webhook_url: %w", err)
	}
	var secret []byte
	if file != "" {
		text, err := plain.ReadFile(file, 64<<10)
		if err != nil {
			return nil, fmt.Errorf("webhook_secret_file: %w", err)
		}
		if secret = bytes.TrimSpace(text); len(secret) < leastSecret {
			return nil, fmt.Errorf("webhook_secret_file: expected a secret of at least %d bytes in %s, got %d", leastSecret, file, len(secret))
		}
	}
	return NewHook(address, secret, log)
}

// ended is what a webhook is told.
type ended struct {
	Event   string             `json:"event"` // ended
	Kind    string             `json:"kind"`  // study, tournament, experiment or test
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

// tellHook sends a webhook the jobs that have ended. It returns at once.
func tellHook(h *Hook, s *service.Service, e daemon.Event) {
	if h == nil || e.Kind != "state" || e.State != tuner.Done && e.State != tuner.Failed {
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		h.Tell(endOf(ctx, s, e))
	}()
}

// endOf returns what is told of an end.
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
	m.Path = service.JobPath(e.Key.Kind, e.Key.ID)
	if e.Key.Kind == daemon.Test && e.State == tuner.Done {
		if r, err := s.Patches().Report(ctx, e.Key.ID); err == nil && r != nil {
			m.Verdict = r.Verdict
		}
	}
	if j, err := s.Jobs(e.Key.Kind).Show(ctx, e.Key.ID); err == nil {
		m.Name, m.Games = j.Name, j.Games
	}
	return m
}
