package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"sakusen/engines/lru"
	"sakusen/tuner/web/films"
)

const (
	// filmsAtOnce is the largest number of games played for watchers at the same time.
	filmsAtOnce = 2
	// filmBytes bounds the frames kept of films that were shown, bytes.
	filmBytes = 128 << 20
	// filmsKept bounds their number.
	filmsKept = 64
	// filmTime is the longest that one game is played for watchers.
	filmTime = 10 * time.Minute
	// lingering is how long a game without watchers is played on: pages without scripts
	// come back for every step.
	lingering = 20 * time.Second
	// turnover is how long a request waits for its turn to play a game.
	turnover = 2 * time.Second
)

// projector plays games for watchers and keeps the last films, so that all steps of a film, and
// all watchers of it, see one and the same game, played once. A game without watchers is ended.
type projector struct {
	places chan struct{}
	ctx    context.Context
	close  context.CancelFunc

	mu    sync.Mutex
	reels *lru.Cache[string, *reel] // by the key of what is shown
}

// reel is a film, complete or still being played.
type reel struct {
	key  string
	film films.FilmHeader
	stop context.CancelFunc

	mu       sync.Mutex
	frames   []films.FilmFrame
	bytes    int
	end      *films.FilmEnd
	err      error
	done     bool
	stopped  bool          // it was not watched
	changed  chan struct{} // closed at the next change
	watchers int
	idle     *time.Timer
}

func newProjector() *projector {
	p := &projector{places: make(chan struct{}, filmsAtOnce), reels: lru.New[string, *reel](0)}
	p.ctx, p.close = context.WithCancel(context.Background())
	return p
}

// watch returns the film of a game, which begins if it has no watcher yet; leave must be
// called.
func (p *projector) watch(ctx context.Context, s *films.Showing) (r *reel, leave func(), err error) {
	p.mu.Lock()
	if r, ok := p.reels.Get(s.Key); ok && r.join() {
		p.mu.Unlock()
		return r, r.leave, nil
	}
	p.mu.Unlock()
	if err := p.place(ctx); err != nil {
		return nil, nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if r, ok := p.reels.Get(s.Key); ok && r.join() { // another request was faster
		<-p.places
		return r, r.leave, nil
	}
	playing, stop := context.WithTimeout(p.ctx, filmTime)
	r = &reel{key: s.Key, film: s.Film, stop: stop, changed: make(chan struct{}), watchers: 1}
	p.reels.Put(s.Key, r)
	go func() {
		r.finish(play(playing, s, r))
		stop()
		<-p.places
		p.trim()
	}()
	return r, r.leave, nil
}

// play plays a film. A panic becomes the film's error and does not end the daemon.
func play(ctx context.Context, s *films.Showing, r *reel) (end films.FilmEnd, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return s.Play(ctx, r.add)
}

// place waits until a game can be played; films without watchers are ended for it.
func (p *projector) place(ctx context.Context) error {
	select {
	case p.places <- struct{}{}:
		return nil
	default:
	}
	p.mu.Lock()
	for _, r := range p.reels.All() {
		r.abandon()
	}
	p.mu.Unlock()
	patience := time.NewTimer(turnover)
	defer patience.Stop()
	select {
	case p.places <- struct{}{}:
		return nil
	case <-patience.C:
		return problem(http.StatusTooManyRequests, "the most games that may be shown at once are being played; try again in a while")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// trim forgets films: all that failed, and then those that were not watched for
// longest.
func (p *projector) trim() {
	p.mu.Lock()
	defer p.mu.Unlock()
	bytes, kept := 0, 0
	for key, r := range p.reels.All() {
		r.mu.Lock()
		failed := r.done && r.err != nil
		unwatched := r.done && r.watchers == 0
		size := r.bytes
		r.mu.Unlock()
		if failed || unwatched && (bytes+size > filmBytes || kept >= filmsKept) {
			p.reels.Delete(key)
			continue
		}
		bytes, kept = bytes+size, kept+1
	}
}

// join adds a watcher, unless the film failed or is being ended.
func (r *reel) join() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil || r.stopped {
		return false
	}
	r.watchers++
	if r.idle != nil {
		r.idle.Stop()
	}
	return true
}

// leave removes a watcher; when the last one leaves, the game ends soon after.
func (r *reel) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watchers--
	if r.watchers == 0 && !r.done {
		r.idle = time.AfterFunc(lingering, r.abandon)
	}
}

// abandon ends a game that has no watchers.
func (r *reel) abandon() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.watchers == 0 && !r.done {
		r.stopped = true
		r.stop()
	}
}

// add takes a frame of the film.
func (r *reel) add(f films.FilmFrame) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frames = append(r.frames, f)
	r.bytes += len(f.SVG) + len(f.Text)
	r.change()
	return nil
}

func (r *reel) finish(end films.FilmEnd, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if errors.Is(err, context.DeadlineExceeded) {
		end, err = films.FilmEnd{Cut: fmt.Sprintf("only the beginning is shown: the game takes longer than %v", filmTime)}, nil
	}
	r.done, r.end, r.err = true, &end, err
	r.change()
}

func (r *reel) change() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// seen returns the film so far, and a channel that is closed when it has grown. The frames
// must not be changed.
func (r *reel) seen() (frames []films.FilmFrame, done bool, more <-chan struct{}, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.frames[:len(r.frames):len(r.frames)], r.done, r.changed, r.err
}

// wait waits until the film is whole, a while at most.
func (r *reel) wait(ctx context.Context, most time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for {
		_, done, more, _ := r.seen()
		if done {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			return
		}
	}
}
