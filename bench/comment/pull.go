package comment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Pull is a pull request at GitHub or at something that answers as it does.
type Pull struct {
	API    string // such as https://api.github.com
	Token  string
	Repo   string // OWNER/NAME
	Number int    // 0: the open one whose head is Head at SHA
	Head   string // OWNER:BRANCH
	SHA    string
	Author string // whose comment is edited; comments of others are never changed
	Client *http.Client
}

// ErrNoPull says that no open pull request has the head any more.
var ErrNoPull = errors.New("no such open pull request")

// Post leaves one comment with the mark under the pull request: the body, where
// there is one; else, where a comment is there already, the text that says that
// its reason is gone. It returns a sentence about what it did.
func (p *Pull) Post(ctx context.Context, mark, body, resolved string) (did string, err error) {
	if p.Number == 0 {
		if p.Number, err = p.find(ctx); err != nil {
			return "", err
		}
	}
	id, there, err := p.mine(ctx, mark)
	switch {
	case err != nil:
		return "", err
	case id == 0 && body == "":
		return "nothing to say", nil
	case id == 0:
		err = p.call(ctx, http.MethodPost, fmt.Sprintf("/issues/%d/comments", p.Number), note{Body: body}, nil)
		return fmt.Sprintf("commented on #%d", p.Number), err
	case body == "":
		body = resolved
	}
	if there == body {
		return fmt.Sprintf("the comment on #%d says so already", p.Number), nil
	}
	err = p.call(ctx, http.MethodPatch, fmt.Sprintf("/issues/comments/%d", id), note{Body: body}, nil)
	return fmt.Sprintf("edited the comment on #%d", p.Number), err
}

// note is a comment in the API.
type note struct {
	ID   int64  `json:"id,omitempty"`
	Body string `json:"body"`
	User *struct {
		Login string `json:"login"`
	} `json:"user,omitempty"`
}

// page is the number of things asked for at a time, the most that there may be.
const page = 100

// mine finds the comment with the mark that the author wrote.
func (p *Pull) mine(ctx context.Context, mark string) (id int64, body string, err error) {
	for n, last := 1, int64(0); ; n++ {
		var notes []note
		if err := p.call(ctx, http.MethodGet, fmt.Sprintf("/issues/%d/comments?per_page=%d&page=%d", p.Number, page, n), nil, &notes); err != nil {
			return 0, "", err
		}
		for _, c := range notes {
			if c.User != nil && c.User.Login == p.Author && strings.HasPrefix(c.Body, mark) {
				return c.ID, c.Body, nil
			}
		}
		// Gitea gives all at once, whatever the page.
		if len(notes) != page || notes[page-1].ID == last {
			return 0, "", nil
		}
		last = notes[page-1].ID
	}
}

// find finds the pull request by its head commit: an event about a change from a fork does
// not name it, and the change itself must not be trusted.
func (p *Pull) find(ctx context.Context) (int, error) {
	var pulls []struct {
		Number int `json:"number"`
		Head   struct {
			SHA string `json:"sha"`
		} `json:"head"`
	}
	if err := p.call(ctx, http.MethodGet, fmt.Sprintf("/pulls?state=open&per_page=%d&head=%s", page, url.QueryEscape(p.Head)), nil, &pulls); err != nil {
		return 0, err
	}
	for _, pull := range pulls {
		if p.SHA != "" && pull.Head.SHA == p.SHA {
			return pull.Number, nil
		}
	}
	return 0, fmt.Errorf("%w: %s at %.10s (its head may have changed since)", ErrNoPull, p.Head, p.SHA)
}

// patience is how long one request may take.
const patience = 30 * time.Second

// call asks the API and reads its answer.
func (p *Pull) call(ctx context.Context, method, path string, in, out any) (err error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(p.API, "/")+"/repos/"+p.Repo+path, body)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/vnd.github+json")
	req.Header.Set("Authorization", "Bearer "+p.Token)
	req.Header.Set("Content-Type", "application/json")
	client := p.Client
	if client == nil {
		client = http.DefaultClient
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 16<<20))
	if err != nil {
		return err
	}
	if resp.StatusCode >= 300 {
		var said struct {
			Message string `json:"message"`
		}
		_ = json.Unmarshal(text, &said)
		return fmt.Errorf("%s %s: expected success, got %s %s", method, req.URL.Path, resp.Status, said.Message)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("%s %s: %w", method, req.URL.Path, err)
	}
	return nil
}
