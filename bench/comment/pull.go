package comment

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"strconv"
	"strings"
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
		var made note
		err = p.call(ctx, "POST", fmt.Sprintf("/issues/%d/comments", p.Number), note{Body: body}, &made)
		if err == nil && made.ID == 0 {
			err = fmt.Errorf("POST to %s: expected the comment that was made, got something else", p.API)
		}
		return fmt.Sprintf("commented on #%d", p.Number), err
	case body == "":
		body = resolved
	}
	if there == body {
		return fmt.Sprintf("the comment on #%d says so already", p.Number), nil
	}
	err = p.call(ctx, "PATCH", fmt.Sprintf("/issues/comments/%d", id), note{Body: body}, nil)
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
		if err := p.call(ctx, "GET", fmt.Sprintf("/issues/%d/comments?per_page=%d&page=%d", p.Number, page, n), nil, &notes); err != nil {
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
	if err := p.call(ctx, "GET", fmt.Sprintf("/pulls?state=open&per_page=%d&head=%s", page, url.QueryEscape(p.Head)), nil, &pulls); err != nil {
		return 0, err
	}
	for _, pull := range pulls {
		if p.SHA != "" && pull.Head.SHA == p.SHA {
			return pull.Number, nil
		}
	}
	return 0, fmt.Errorf("%w: %s at %.10s (its head may have changed since)", ErrNoPull, p.Head, p.SHA)
}

// patience is how many seconds one request may take.
const patience = 30

// call asks the API by curl and reads its answer. The request goes through curl's standard
// input, so that no list of processes shows the token.
func (p *Pull) call(ctx context.Context, method, path string, in, out any) error {
	setting := []string{
		"silent", "show-error", "location", "max-time = " + strconv.Itoa(patience), `write-out = "\n%{http_code}"`,
		"request = " + method,
		"url = " + quoted(strings.TrimRight(p.API, "/")+"/repos/"+p.Repo+path),
		`header = "Accept: application/vnd.github+json"`,
		`header = "Content-Type: application/json"`,
		"header = " + quoted("Authorization: Bearer "+p.Token),
	}
	if in != nil {
		body, err := json.Marshal(in)
		if err != nil {
			return err
		}
		setting = append(setting, "data-binary = "+quoted(string(body)))
	}
	curl := exec.CommandContext(ctx, "curl", "--disable", "--globoff", "--config", "-")
	curl.Stdin = strings.NewReader(strings.Join(setting, "\n"))
	text, err := curl.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && ctx.Err() == nil {
		return fmt.Errorf("%s %s: %s", method, path, bytes.TrimSpace(failed.Stderr))
	} else if err != nil {
		return fmt.Errorf("a comment is posted by curl: %w", cmp.Or(ctx.Err(), err))
	}
	end := bytes.LastIndexByte(text, '\n')
	text, status := text[:end], string(text[end+1:])
	if !strings.HasPrefix(status, "2") {
		var said struct {
			Message string `json:"message"`
		}
		_ = json.Unmarshal(text, &said)
		return fmt.Errorf("%s %s: expected success, got %s %s", method, path, status, said.Message)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// quoted returns a value as curl's settings hold it.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(s) + `"`
}
