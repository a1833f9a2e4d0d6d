package queue

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"sakusen/engines/arena"
	"sakusen/engines/suite"
)

// Whatever one worker sends, signed or not, and wherever it has answers go, another stays at
// work and nothing of its is dropped. The sender is named where the server inside proves who it
// is, and in quarantine where its own signature proves it.
func TestNobodySpeaksForAnother(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0, inHaste)
	stop := make(chan struct{})
	b.start(b.admit("bob"), func(o *WorkOptions) { o.times, o.Catalogue = hasty, gated(func() { <-stop }) })
	b.await("bob", working(1))
	played := make(chan struct{})
	go func() { defer close(played); same(t, b.pool, idles(t, 20)) }()
	b.await("bob's jobs", func(all []Worker, c queueCounts) bool { return c.Waiting > 0 && all[0].Playing > 0 })
	eve := b.admit("eve")
	v, err := newVoice(eve)
	if err != nil {
		t.Fatal(err)
	}
	bobs, err := newVoice(b.admit("another"))
	if err != nil {
		t.Fatal(err)
	}
	b.queue.mu.Lock()
	var id string // of a job that bob has
	for a := range b.queue.registry.asked() {
		id = a.job.ID
	}
	session := b.queue.registry.workers["bob"].hello.Session
	b.queue.mu.Unlock()
	hi, err := json.Marshal(hello{Build: testBuild(), Session: "eve", Cores: 1})
	if err != nil {
		t.Fatal(err)
	}
	replies := []string{"", doneRoot + "bob", helloRoot + "bob", jobsOf("bob", session), inboxRoot + "bob.x", inboxRoot + "eve.x", inboxRoot + "eve", inboxRoot + "evelyn.x",
		doneRoot + "eve", helloRoot + "eve", "$JS.API.STREAM.DELETE.SAKUSEN_WORK", "$JS.API.STREAM.PURGE.SAKUSEN_WORK", "$SYS.REQ.SERVER.PING", "x"}
	texts := map[string]string{
		"nothing": "", "an object": "{}", "nonsense": "{", "a result": fmt.Sprintf(`{"id":%q}`, id), "an error": fmt.Sprintf(`{"id":%q,"error":"x"}`, id),
		"another's run": fmt.Sprintf(`{"id":%q,"run":{"Seats":2}}`, id), "a hello": string(hi), "JetStream's error": `{"type":"x","error":{"code":404}}`, "a job": `{"id":"1","off":true}`,
	}
	subjects := []string{doneRoot + "eve", helloRoot + "eve", doneRoot + "bob", helloRoot + "bob", jobsOf("bob", session), inboxRoot + "bob.x",
		"$JS.API.STREAM.DELETE.SAKUSEN_WORK", "$JS.API.CONSUMER.MSG.NEXT.SAKUSEN_WORK.workers", "$JS.ACK.SAKUSEN_WORK.workers.1.1.1.1.0"}
	inputs := 0
	for _, subject := range subjects {
		c := b.speak(eve)
		for _, reply := range replies {
			for _, text := range texts {
				for _, by := range []string{"", "eve", "another", "eve for bob"} {
					m := &nats.Msg{Subject: subject, Data: []byte(text)}
					switch by {
					case "eve":
						m = v.sign(subject, id, []byte(text))
					case "another":
						m = bobs.sign(subject, id, []byte(text))
					case "eve for bob": // the signature of another message
						signed := v.sign(doneRoot+"bob", id, []byte(text))
						m.Header = signed.Header
					}
					m.Reply = reply
					inputs++
					if c.IsClosed() {
						c = b.speak(eve)
					}
					if err := c.PublishMsg(m); err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
						t.Fatal(err)
					}
				}
			}
			if err := c.FlushTimeout(time.Until(suite.Deadline(t))); err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
				t.Fatal(err)
			}
		}
	}
	t.Logf("%d inputs", inputs)
	close(stop)
	select {
	case <-played:
	case <-suite.Late(t):
		t.Fatal("the study does not go on")
	}
	all, c := b.queue.Workers()
	i := slices.IndexFunc(all, func(w Worker) bool { return w.Name == "bob" })
	if w := all[i]; w.State != "working" || w.Games != 20 || w.Different != 0 || w.Redelivered != 0 {
		t.Errorf("%+v", w)
	}
	if c.Different != 0 || c.Unable != 0 || c.Malformed == 0 || c.Connections == 0 {
		t.Errorf("%+v", c)
	}
}

// The messages by which a worker was framed.
func TestFramer(t *testing.T) {
	b := newBench(t, 0, inHaste)
	b.start(b.admit("bob"), func(o *WorkOptions) { o.times = hasty })
	b.await("bob", working(1))
	eve := b.admit("eve")
	b.await("junk", func(_ []Worker, counts queueCounts) bool {
		if counts.Malformed >= 3 {
			return true
		}
		c := b.speak(eve) // it may be cut, and its message lost with it
		if err := errors.Join(c.PublishRequest(doneRoot+"eve", doneRoot+"bob", []byte(`{"id":"none"}`)), c.FlushTimeout(time.Until(suite.Deadline(t)))); err != nil && !errors.Is(err, nats.ErrConnectionClosed) {
			t.Fatal(err)
		}
		return false
	})
	same(t, b.pool, series(t, 300))
	if all, _ := b.queue.Workers(); all[0].Name != "bob" || all[0].State != "working" || all[0].Games != 600 {
		t.Errorf("%+v", all)
	}
}

// A worker that sends results without being asked beyond all measure is charged with it by its
// own signature; others play on, and results that are merely late are no fault.
func TestFlooder(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0, inHaste)
	b.start(b.admit("bob"), func(o *WorkOptions) { o.times = hasty })
	b.await("bob", working(1))
	eve := b.admit("eve")
	v, err := newVoice(eve)
	if err != nil {
		t.Fatal(err)
	}
	junk := []byte(strings.Repeat(" ", mostPayload-1000))
	c := b.speak(eve)
	quarantined := func(all []Worker) bool {
		b.queue.mu.Lock()
		defer b.queue.mu.Unlock()
		return b.queue.registry.workers["eve"].quarantined
	}
	for i := range 40 {
		patience := time.Second // where it is quarantined nothing answers
		if i < 8 {
			patience = time.Until(suite.Deadline(t))
		}
		if _, err := c.RequestMsg(v.sign(doneRoot+v.name, fmt.Sprint("1-", i), junk), patience); i < 8 && err != nil {
			t.Errorf("message %d: %v", i, err)
		}
		if i == 7 && quarantined(nil) {
			t.Error("a little is taken for a flood")
		}
		if c.IsClosed() {
			break
		}
	}
	b.await("quarantine", func(all []Worker, _ queueCounts) bool { return quarantined(all) })
	same(t, b.pool, series(t, 300))
	if all, _ := b.queue.Workers(); all[0].Name != "bob" || all[0].State != "working" {
		t.Errorf("%+v", all)
	}
}

// The allowance of unasked bytes comes back with time.
func TestAllowance(t *testing.T) {
	now := time.Unix(1e9, 0)
	var a allowance
	for i, c := range []struct {
		after time.Duration
		bytes int
		much  bool
	}{
		{0, 0, false}, {0, unaskedAtOnce, false}, {0, unaskedPerCore * 4, false}, {0, 1, true}, {time.Second, unaskedPerSecond, false}, {0, 1, true},
		{time.Hour, unaskedAtOnce + 4*unaskedPerCore, false}, {0, 1, true}, {time.Hour, unaskedAtOnce + 4*unaskedPerCore + 1, true}, {0, 1, false},
	} {
		now = now.Add(c.after)
		if got := a.exceeded(now, float64(c.bytes), unaskedAtOnce+4*unaskedPerCore, unaskedPerSecond); got != c.much {
			t.Errorf("%d: %v", i, got)
		}
	}
}

// A result that is longer than its job can yield is not unpacked, and counts against its sender.
func TestResultsHaveTheLengthOfTheirJobs(t *testing.T) {
	t.Parallel()
	b := newBench(t, 0, inHaste)
	c := b.admit("eve")
	jobs, _ := b.present(c, 1)
	played := make(chan struct{})
	go func() { defer close(played); same(t, b.pool, idles(t, 1)) }()
	j := <-jobs
	v, err := newVoice(c)
	if err != nil {
		t.Fatal(err)
	}
	conn := b.speak(c)
	m, err := conn.RequestMsg(v.sign(doneRoot+v.name, j.ID, []byte(`{"id":"`+j.ID+`"`+strings.Repeat(" ", 10000)+`}`)), time.Until(suite.Deadline(t)))
	if err != nil || !strings.Contains(string(m.Data), "expected at most 4") {
		t.Errorf("%v %+v", err, m)
	}
	b.silence("eve")
	b.start(b.admit("sound"), func(o *WorkOptions) { o.times, o.Catalogue = hasty, gated(nil) })
	<-played
	for _, s := range []arena.Series{series(t, mostBlocks), idles(t, mostBlocks)} { // the longest that there are
		run := arena.NewRun(s.Ruleset.Seats, len(s.Ruleset.Components), s.Ruleset.Seats, 1<<62, mostBlocks)
		for range mostBlocks * s.Ruleset.Seats {
			run.Digests = append(run.Digests, ^uint64(0))
			for range s.Ruleset.Seats * run.Width() {
				run.Values = append(run.Values, -1<<63)
			}
		}
		text, err := json.Marshal(jobResult{ID: "9999999999-0123456789abcdef", Run: run})
		a := asked{job: &job{Blocks: mostBlocks}, series: &s}
		if err != nil || len(text) > a.longest() {
			t.Errorf("%d bytes, expected at most %d: %v", len(text), a.longest(), err)
		}
	}
}

// A queue is not opened over a server that lets workers speak or hear in another's name, and a
// worker does not work there; over the server that is printed they play.
func TestServerOfOnesOwn(t *testing.T) {
	t.Parallel()
	register := RegisterOf(filepath.Join(t.TempDir(), "s.db"))
	var keys []Credentials
	for _, name := range []string{"bob", "eve"} {
		c, err := register.Add(name, false)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, c)
	}
	open := func(change func(string) string) (*Queue, string, error) {
		s := standing(t, register, change)
		o := Options{Pool: arena.NewOpenPool(0), Build: testBuild(), Replay: -1}
		outside(register, s)(&o)
		q, err := Open(o)
		if err == nil {
			t.Cleanup(q.Close)
		}
		return q, s.ClientURL(), err
	}
	each := func(old, new string) func(string) string {
		return func(text string) string { return strings.ReplaceAll(text, old, new) }
	}
	without := func(part string) func(string) string {
		return func(text string) string {
			var out []string
			for line := range strings.Lines(text) {
				if i := strings.Index(line, ", permissions"); i >= 0 && (part == "" || strings.Contains(line, part)) {
					line = line[:i] + "}\n"
				}
				out = append(out, line)
			}
			return strings.Join(out, "")
		}
	}
	for what, c := range map[string]struct {
		change func(string) string
		want   string
	}{
		"keys alone":             {without(""), "may publish in another's name"},
		"a permission for all":   {each(`"sakusen.hello.-probe"`, `"sakusen.hello.*"`), "may publish in another's name"},
		"results of all":         {each(`"sakusen.done.-probe"`, `"sakusen.done.>"`), "may publish in another's name"},
		"any inbox":              {each(`publish: ["sakusen.hello.-probe"`, `publish: ["_INBOX_SAKUSEN_bob.>"`), "may publish in another's name"},
		"everything":             {each(`publish: ["sakusen.hello.-probe"`, `publish: [">"`), "may publish in another's name"},
		"everything of ours":     {each(`publish: ["sakusen.hello.-probe"`, `publish: ["sakusen.>"`), "may publish in another's name"},
		"hearing everything":     {each(`subscribe: ["_INBOX_SAKUSEN_-probe.>"`, `subscribe: [">"`), "may hear what is for others"},
		"hearing results":        {each(`subscribe: ["_INBOX_SAKUSEN_-probe.>"`, `subscribe: ["sakusen.>"`), "may hear what is for others"},
		"hearing another":        {each(`subscribe: ["_INBOX_SAKUSEN_-probe.>"`, `subscribe: ["_INBOX_SAKUSEN_somebody-else.>"`), "may hear what is for others"},
		"without the daemon's":   {func(text string) string { return drop(text, "-probe") }, "does not know the key"},
		"a password for workers": {func(string) string { return "authorization {users: [{user: daemon, password: secret}]}\n" }, "does not know the key"},
	} {
		if _, _, err := open(c.change); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "sakusen worker list --nats-config") {
			t.Errorf("%s: %v", what, err)
		}
	}
	// A worker tries by itself, since the daemon cannot by its key.
	_, address, err := open(without("hello.eve"))
	if err != nil {
		t.Fatal(err)
	}
	work := func(c Credentials) error {
		return Work(t.Context(), WorkOptions{Server: address, Credentials: c, Catalogue: gated(nil), Build: testBuild(), Cores: 1, times: hasty})
	}
	if err := work(keys[1]); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "may publish in another's name") {
		t.Error(err)
	}
	q, address, err := open(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, queue: q, pool: q.o.Pool, register: register}
	b.start(keys[0], func(o *WorkOptions) { o.Server, o.times = address, hasty })
	same(t, b.pool, series(t, 300))
	// Who is not in the register does not play, whatever the server says.
	if err := register.Remove("bob"); err != nil {
		t.Fatal(err)
	}
	b.reload()
	b.await("its absence", func(all []Worker, _ queueCounts) bool { return all[0].State == "gone" })
}

// drop leaves the lines of a worker out.
func drop(text, name string) string {
	var out []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, name+`"`) && !strings.Contains(line, name+".") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// A result of a job that was given back does not count, and is no fault.
func TestGivenBackIsLate(t *testing.T) {
	s := series(t, 1)
	run, err := playAll(t.Context(), arena.NewPool(1), s, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	q := claims(t, Options{})
	w := q.registry.worker("one")
	a := &asked{job: &job{ID: "x", Blocks: 1}, series: &s, answered: make(chan outcome, 1), worker: w}
	w.jobs["x"] = a
	for range 3 {
		q.giveBack(a)
	}
	text, err := json.Marshal(jobResult{ID: "x", Run: run})
	if err != nil {
		t.Fatal(err)
	}
	if said := q.take("one", "x", text); said != replyLate {
		t.Error(said)
	}
	if _, c := q.Workers(); c.Redelivered != 1 || c.Late != 1 || c.Results != 0 {
		t.Errorf("%+v", c)
	}
}
