// Package webhook tells another program over HTTP when something has ended: each
// message is a POST of JSON, signed where there is a secret, and sent again a few
// times where it was not taken.
//
//	h, err := webhook.New("https://chat.example/hooks/1", secret, log)
//	h.Tell(map[string]any{"event": "ended", "study": "one"})
//	h.Close(ctx)
package webhook

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
)

// Header carries the signature of a message: "t=SECONDS,sha256=HEX", the HMAC of
// "SECONDS.BODY" under the secret, SECONDS since 1970.
const Header = "Sakusen-Signature"

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

// Check says what is wrong with an address: it takes https, or http on the loopback
// interface, without a name and password in it.
func Check(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return errors.New("expected an address such as https://example.org/hook")
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	loopback := host == "localhost" || ip != nil && ip.IsLoopback()
	switch {
	case u.User != nil:
		return errors.New("expected an address without a name and password in it: messages are signed in place of that")
	case host == "" || u.Scheme != "https" && u.Scheme != "http":
		return fmt.Errorf("expected an address such as https://example.org/hook, got %.80q", address)
	case u.Scheme == "http" && !loopback:
		return fmt.Errorf("expected https, as http is for the loopback interface alone, got %.80q", address)
	}
	return nil
}

// New makes a hook and begins to send. An empty secret signs nothing.
func New(address string, secret []byte, log *slog.Logger) (*Hook, error) {
	if err := Check(address); err != nil {
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
		r.Header.Set(Header, Sign(h.secret, h.now(), body))
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

// host is where messages go, without what may be secret of the address.
func (h *Hook) host() string {
	u, _ := url.Parse(h.address)
	return u.Host
}

// Sign is the signature of a message that is sent at a time.
func Sign(secret []byte, at time.Time, body []byte) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	m := hmac.New(sha256.New, secret)
	m.Write([]byte(seconds + "."))
	m.Write(body)
	return "t=" + seconds + ",sha256=" + hex.EncodeToString(m.Sum(nil))
}
