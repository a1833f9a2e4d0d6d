package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"sakusen/cmd/sakusen/clitest"
	"sakusen/engines/suite"
)

// browser is a tab of Chromium, headless, with what its console said.
type browser struct {
	t     *testing.T
	ctx   context.Context
	apart cdp.BrowserContextID
	steps int // through the history

	mu   sync.Mutex
	said []string
}

// shared is the Chromium of all tests; each has a context of its own in it, with cookies and a store of its own.
type shared struct {
	mu    sync.Mutex
	ctx   context.Context
	close context.CancelFunc
}

var chromium shared

// root returns the context of Chromium, which is started where it does not run.
func (s *shared) root(t *testing.T) context.Context {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx != nil && s.ctx.Err() == nil {
		return s.ctx
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("SAKUSEN_BROWSER") == "required" {
			t.Fatal("Chromium is missing (Debian: apt install chromium)")
		}
		t.Skip("Chromium is missing (Debian: apt install chromium)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WindowSize(1440, 1000), chromedp.WSURLReadTimeout(time.Until(suite.Deadline(t))))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, leave := chromedp.NewContext(allocator)
	s.close = func() { leave(); cancel() }
	// The first run starts the browser, which lives as long as its context.
	if err := chromedp.Run(ctx); err != nil {
		s.close()
		t.Fatal("start of Chromium: ", err)
	}
	s.ctx = ctx
	return ctx
}

// end ends Chromium where it runs.
func (s *shared) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx != nil {
		s.close()
	}
}

// openBrowser opens a tab of a width; where Chromium is missing the test is skipped, unless
// SAKUSEN_BROWSER says that it is required.
func openBrowser(t *testing.T, width int) *browser {
	t.Helper()
	root := chromium.root(t)
	executor := cdp.WithExecutor(root, chromedp.FromContext(root).Browser)
	apart, err := target.CreateBrowserContext().Do(executor)
	if err != nil {
		t.Fatal("a context of Chromium: ", err)
	}
	t.Cleanup(func() { _ = target.DisposeBrowserContext(apart).Do(executor) }) // with what is open in it
	return openTab(t, width, apart)
}

// another opens a second tab beside one, with the same cookies.
func (b *browser) another(width int) *browser {
	b.t.Helper()
	return openTab(b.t, width, b.apart)
}

func openTab(t *testing.T, width int, apart cdp.BrowserContextID) *browser {
	t.Helper()
	root := chromium.root(t)
	at, err := target.CreateTarget("about:blank").WithBrowserContextID(apart).WithNewWindow(true).Do(cdp.WithExecutor(root, chromedp.FromContext(root).Browser))
	if err != nil {
		t.Fatal("a tab of Chromium: ", err)
	}
	ctx, leave := chromedp.NewContext(root, chromedp.WithTargetID(at))
	ctx, end := context.WithDeadline(ctx, suite.Deadline(t))
	t.Cleanup(func() { end(); leave() })
	b := &browser{t: t, ctx: ctx, apart: apart}
	note := func(format string, args ...any) {
		b.mu.Lock()
		b.said = append(b.said, fmt.Sprintf(format, args...))
		b.mu.Unlock()
	}
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			note("%v", e.ExceptionDetails)
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError {
				note("%v", e.Args)
			}
		case *log.EventEntryAdded:
			if e.Entry.Level == log.LevelError {
				note("%s %s", e.Entry.Text, e.Entry.URL)
			}
		}
	})
	if err := chromedp.Run(ctx); err != nil {
		t.Fatal("a tab of Chromium: ", err)
	}
	// A window is at least 500 pixels wide, whatever was asked for.
	b.do("screen", emulation.SetDeviceMetricsOverride(int64(width), 1000, 1, width < 600))
	return b
}

// do runs actions and names what they were for.
func (b *browser) do(what string, actions ...chromedp.Action) {
	b.t.Helper()
	ctx, end := context.WithDeadline(b.ctx, suite.Deadline(b.t))
	defer end()
	for _, action := range actions {
		err := chromedp.Run(ctx, action)
		for ; replaced(err); err = chromedp.Run(ctx, action) {
			time.Sleep(50 * time.Millisecond)
		}
		if err != nil {
			b.t.Fatalf("%s: %v, console %q", what, err, b.said)
		}
	}
}

// replaced reports whether an action found its element and then not any more: the page has put
// another in its place before the action had begun.
func replaced(err error) bool {
	var told *cdproto.Error
	return errors.As(err, &told) && strings.Contains(told.Message, "Could not find node")
}

// patience returns the moment until which a text or a state of the page is waited for: a little
// before the test's deadline, so that the page can still be asked what it holds in its place.
func (b *browser) patience() time.Time { return suite.Deadline(b.t).Add(-2 * time.Second) }

// asks evaluates an expression, which changes nothing on the page: where the
// page gives way to another, the other one is asked. An expression that
// throws before the page is complete is evaluated again.
func (b *browser) asks(expression string, into any) {
	b.t.Helper()
	run := func(expression string, into any) error {
		ctx, done := context.WithDeadline(b.ctx, suite.Deadline(b.t))
		defer done()
		return chromedp.Run(ctx, chromedp.Evaluate(expression, into))
	}
	var err error
	loaded := false
	for end := suite.Deadline(b.t); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		err = run(expression, into)
		var told *cdproto.Error
		var thrown *runtime.ExceptionDetails
		switch {
		case errors.As(err, &told) && (strings.Contains(told.Message, "navigated") || strings.Contains(told.Message, "context")):
			continue
		case errors.As(err, &thrown) && !loaded:
			var state string
			loaded = run("document.readyState", &state) == nil && state == "complete"
			continue
		}
		break
	}
	if err != nil {
		b.t.Fatalf("%s: %v, console %q", expression, err, b.said)
	}
}

// says waits until the page holds a text.
func (b *browser) says(text string) {
	b.t.Helper()
	var body string
	for end := b.patience(); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		b.asks("document.body ? document.body.innerText : ''", &body)
		if strings.Contains(body, text) {
			return
		}
	}
	b.t.Fatalf("the page does not come to say %q:\n%s", text, body)
}

// A study is submitted through the form, watched as it runs without a reload,
// paused, resumed and stopped; another is watched to its verdict; at two widths, once below a path of a proxy; the console stays
// silent. SAKUSEN_SCREENSHOTS names a folder for pictures.
func TestBrowser(t *testing.T) {
	suite.All(t)
	for _, width := range []int{375, 1440} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := openBrowser(t, width)
			dir := t.TempDir()
			clitest.ServedStudies(t, dir)
			var env []string
			if width < 1000 { // the narrow one is below a path of a proxy, which takes it off
				env = []string{"SAKUSEN_BASE_PATH=/up/here"}
			}
			s := clitest.ServeWith(t, dir, env)
			at := s.URL
			if len(env) > 0 {
				at = below(t, s.URL, "/up/here")
			}
			shot := func(name string) {
				if folder := os.Getenv("SAKUSEN_SCREENSHOTS"); folder != "" {
					var picture []byte
					b.do("picture", chromedp.FullScreenshot(&picture, 100))
					if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d.png", name, width)), picture, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			b.do("form", chromedp.Navigate(at+"/new?game=battleship&strategy=mp"),
				chromedp.SetValue(`[name="name"]`, "typed", chromedp.ByQuery),
				chromedp.Evaluate("window.form = true; document.getElementById('parameters').open = true", nil),
				chromedp.Click(`[id="tune.start_squares"]`, chromedp.ByQuery))
			b.says("Nothing is wrong with it. Tunes start_squares.") // the baseline is the strategy as it is now
			b.do("a mistake", chromedp.SendKeys(`[name="baseline"]`, "nobody", chromedp.ByQuery))
			b.waits("it is told at its field", `window.form && document.querySelector("#check [data-field=baseline]") && document.querySelector("[name=baseline][aria-invalid]") && !document.body.innerText.includes("Nothing is wrong with it.")`)
			b.says("expected")
			b.do("baseline", chromedp.Evaluate(`document.querySelector("[name=baseline]").select(); true`, nil), chromedp.KeyEvent("CB"), chromedp.SendKeys(`[name="games"]`, "9000000", chromedp.ByQuery))
			b.says("Nothing is wrong with it.")
			b.waits("the mistake is gone, on the same page", `window.form && !document.querySelector("#check [data-field]") && !document.querySelector("[aria-invalid]")`)
			shot("new")
			b.do("submit", chromedp.Submit(`[name="baseline"]`, chromedp.ByQuery))
			b.do("running", chromedp.WaitVisible(".state.running", chromedp.ByQuery)) // a list of the page has the word too
			var began string
			b.do("progress", chromedp.Evaluate("window.same = true; document.getElementById('progress').innerText", &began))
			for end := suite.Deadline(t); ; time.Sleep(100 * time.Millisecond) {
				var now struct {
					Text string
					Same bool
				}
				b.do("progress", chromedp.Evaluate("({Text: document.getElementById('progress').innerText, Same: !!window.same})", &now))
				if now.Text != began && now.Same {
					break
				}
				if time.Now().After(end) {
					t.Fatalf("the page does not follow the study: %q, then %q, reloaded %v", began, now.Text, !now.Same)
				}
			}
			b.do("pause", chromedp.Click(`form[action$="/pause"] button`, chromedp.ByQuery))
			b.do("paused", chromedp.WaitVisible(".state.paused", chromedp.ByQuery)) // a list of the page has the word too
			shot("paused")
			b.do("resume", chromedp.Click(`form[action$="/resume"] button`, chromedp.ByQuery))
			b.do("running", chromedp.WaitVisible(".state.running", chromedp.ByQuery)) // a list of the page has the word too
			b.do("stop", chromedp.Click(`form[action$="/stop"] button`, chromedp.ByQuery))
			b.do("stopped", chromedp.WaitVisible(".state.stopped", chromedp.ByQuery)) // a list of the page has the word too
			if _, errs, code := s.Run("study", "submit", "served-0.yaml"); code != 0 {
				t.Fatal(errs)
			}
			b.do("another study", chromedp.Navigate(at+"/studies/served-0"))
			b.says("The answer: trial ")
			b.says("How it was tested")
			shot("verdict")
			var wide bool
			b.do("width", chromedp.Evaluate("document.documentElement.scrollWidth > window.innerWidth", &wide))
			if wide {
				t.Error("the page is wider than the window")
			}
			var focus string
			b.do("keyboard", chromedp.Navigate(at+"/"), chromedp.KeyEvent("\t"), chromedp.Evaluate("document.activeElement.className", &focus))
			if focus != "skip" {
				t.Errorf("the first tab leads to %q, not to the skip link", focus)
			}
			b.says("typed")
			shot("studies")
			if len(b.said) > 0 {
				t.Errorf("the console says %q", b.said)
			}
		})
	}
}

// below serves what is at an address below a path, which it takes off, and nothing beside it.
func below(t *testing.T, address, path string) string {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(http.StripPrefix(path, &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(at) }, FlushInterval: -1}))
	t.Cleanup(func() { proxy.CloseClientConnections(); proxy.Close() }) // a stream of events does not end by itself
	return proxy.URL + path
}
