package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"sakusen/tuner/web"
	"sakusen/tuner/web/api"
)

// Logging out ends the login on the server too, and no other one.
func TestLogoutEndsTheCookie(t *testing.T) {
	s := newServer(t, web.Options{Tokens: api.OnlyToken(token)})
	send := func(method, path, body string, cookie *http.Cookie) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Host = "localhost"
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if cookie != nil {
			r.AddCookie(cookie)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	login := func() *http.Cookie {
		t.Helper()
		cookies := send("POST", "/login", "token="+token, nil).Result().Cookies()
		if len(cookies) != 1 {
			t.Fatalf("cookies %v", cookies)
		}
		return cookies[0]
	}
	one, other := login(), login()
	if one.Value == other.Value {
		t.Error("two logins have one cookie")
	}
	status := func(c *http.Cookie) int { return send("GET", "/api/v1", "", c).Code }
	if status(one) != 200 || status(other) != 200 {
		t.Fatalf("logged in: %d %d", status(one), status(other))
	}
	send("POST", "/logout", "", one)
	if status(one) != 401 || status(other) != 200 {
		t.Errorf("after one has logged out: %d %d, want 401 and 200", status(one), status(other))
	}
	// An end that is changed does not fit its signature.
	_, rest, _ := strings.Cut(other.Value, "-")
	forged := *other
	forged.Value = "99999999999-" + rest
	if status(&forged) != 401 {
		t.Error("a login was made longer")
	}
}

// A client without a token cannot take the places of large requests.
func TestLoginTakesNoPlace(t *testing.T) {
	s := newServer(t, web.Options{Tokens: api.OnlyToken(token)})
	for name, length := range map[string]int64{"large": 70000, "of no length": -1} {
		for _, path := range []string{"/login", "/logout"} {
			r := httptest.NewRequest("POST", path, strings.NewReader("token="))
			r.Host, r.ContentLength = "localhost", length
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if path == "/login" && w.Code != http.StatusRequestEntityTooLarge || w.Code == http.StatusOK {
				t.Errorf("%s %s: %d", name, path, w.Code)
			}
		}
	}
	// After too many wrong ones the right token still opens the door.
	for range 30 {
		r := httptest.NewRequest("POST", "/login", strings.NewReader("token=wrong"))
		r.Host = "localhost"
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		s.ServeHTTP(httptest.NewRecorder(), r)
	}
	r := httptest.NewRequest("POST", "/login", strings.NewReader("token="+token))
	r.Host = "localhost"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusSeeOther {
		t.Errorf("the right token after wrong ones: %d", w.Code)
	}
}

// A user who has to log in comes to the wanted page, and nowhere else.
func TestLoginLeadsOn(t *testing.T) {
	_, h := serve(t, newTestService(t), token)
	status, _, header := ask(t, "GET", h.URL+"/studies/first?order=best", "", "Accept: text/html")
	if to := header.Get("Location"); status != 303 || to != "/login?next=%2Fstudies%2Ffirst%3Forder%3Dbest" {
		t.Fatalf("%d to %q", status, to)
	}
	if _, text, _ := ask(t, "GET", h.URL+"/login?next=%2Fstudies%2Ffirst%3Forder%3Dbest", ""); !strings.Contains(text, `name="next" value="/studies/first?order=best"`) || !strings.Contains(text, "<h1>") {
		t.Errorf("the login is\n%s", text)
	}
	for next, want := range map[string]string{
		"/studies/first?order=best": "/studies/first?order=best", "": "/", "//evil.example/": "/", "https://evil.example/": "/", "/\\evil.example": "/", "studies": "/",
	} {
		body := url.Values{"token": {token}, "next": {next}}.Encode()
		if status, _, header := ask(t, "POST", h.URL+"/login", body, asForm); status != 303 || header.Get("Location") != want {
			t.Errorf("next %q: %d to %q, want %q", next, status, header.Get("Location"), want)
		}
	}
}

// A form that is sent when the login has ended leads to the login, and from there back to its page.
func TestFormsLeadBack(t *testing.T) {
	_, h := serve(t, newTestService(t), token)
	for from, want := range map[string]string{
		h.URL + "/new?game=dice": "/login?next=%2Fnew%3Fgame%3Ddice", h.URL + "/": "/login", "": "/login", "http://evil.example/new": "/login", "http://evil.example//x": "/login", "::": "/login",
	} {
		status, _, header := ask(t, "POST", h.URL+"/new", "name=x", asForm, "Accept: text/html", "Referer: "+from)
		if to := header.Get("Location"); status != 303 || to != want {
			t.Errorf("from %q: %d to %q, expected %q", from, status, to, want)
		}
	}
	for _, headers := range [][]string{{asForm}, {asForm, "Accept: text/html", "HX-Request: true"}} { // a program, a part of a page
		if status, _, _ := ask(t, "POST", h.URL+"/new", "name=x", headers...); status != 401 {
			t.Errorf("%v: %d", headers, status)
		}
	}
}
