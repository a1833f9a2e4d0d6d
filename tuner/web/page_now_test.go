package web_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"sakusen/tuner/web"
)

// The front page counts a visit as ended after a quarter of an hour in which no one
// looked, and tells what ended since; a new user sees a day.
func TestVisits(t *testing.T) {
	s := newServer(t, web.Options{})
	look := func(cookie string) (text, set string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = "localhost"
		if cookie != "" {
			r.AddCookie(&http.Cookie{Name: "sakusen_visit", Value: cookie})
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		for _, c := range w.Result().Cookies() {
			if c.Name == "sakusen_visit" {
				set = c.Value
				if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode {
					t.Errorf("%+v", c)
				}
			}
		}
		return w.Body.String(), set
	}
	text, first := look("")
	if !strings.Contains(text, "In the last 24 hours") || !strings.HasPrefix(first, "0.") {
		t.Errorf("%q %.2000s", first, text)
	}
	if text, again := look(first); !strings.Contains(text, "In the last 24 hours") || !strings.HasPrefix(again, "0.") {
		t.Errorf("a second look of the first visit: %q", again)
	}
	hour := time.Now().Add(-time.Hour)
	before := hour.UTC().Format("2006-01-02T15:04")
	text, set := look("0." + stamp(hour))
	if !strings.Contains(text, `Since <time datetime="`+before) || !strings.HasPrefix(set, stamp(hour)+".") {
		t.Errorf("a second visit: %q", set)
	}
	if text, kept := look(stamp(hour) + "." + stamp(time.Now().Add(-time.Minute))); !strings.Contains(text, `Since <time datetime="`+before) || !strings.HasPrefix(kept, stamp(hour)+".") {
		t.Errorf("a look within a visit: %q", kept)
	}
	for _, bad := range []string{"x", "5.3", "1.99999999999999", "-1.2", "."} {
		if text, _ := look(bad); !strings.Contains(text, "In the last 24 hours") {
			t.Errorf("%q is believed", bad)
		}
	}
}

func stamp(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }
