package web

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"sakusen/tuner/web/api"
	"sakusen/tuner/web/pages"
)

const (
	cookieName = "sakusen_session"
	// securePrefix makes browsers keep a cookie to this host, path / and TLS.
	securePrefix = "__Host-"
	// sessionTime is how long a login lasts.
	sessionTime = 30 * 24 * time.Hour
)

// loginPages log people in and out.
type loginPages struct{ *Server }

// loginView is the page at which the token is typed.
type loginView struct {
	pages.Frame
	Text, Next string
	Wrong      bool
}

func (s loginPages) loginPage(w http.ResponseWriter, r *http.Request) error {
	s.ask(w, r, http.StatusOK, "The token is in the file that the server's setting token_file names.")
	return nil
}

// askToken shows the page of the login.
func (s loginPages) ask(w http.ResponseWriter, r *http.Request, status int, text string) {
	v := loginView{Frame: s.frame("Log in", ""), Text: text, Next: wanted(r), Wrong: status != http.StatusOK}
	v.Locked, v.Outside = false, true
	s.render(w, r, status, "login", v)
}

// loginAt is the address of the login that leads on to where a request wanted to go.
func loginAt(r *http.Request) string {
	to := r.URL.RequestURI()
	if r.Method != http.MethodGet || to == "/" || r.URL.Query().Has("part") {
		return "/login"
	}
	return "/login?next=" + url.QueryEscape(to)
}

// wanted is where a login is to lead: a page of this server, else nothing.
func wanted(r *http.Request) string {
	to := r.FormValue("next")
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
		return ""
	}
	return to
}

// login exchanges the token for a cookie, which contains its end and a signature that this
// process makes for the token. Another token, another role of it or another process ends
// all logins, and logging out ends this one.
func (s loginPages) login(w http.ResponseWriter, r *http.Request) error {
	given := r.PostFormValue("token")
	tokens := s.gate.access.Load().Tokens
	if len(tokens) == 0 {
		http.Redirect(w, r, "/", http.StatusSeeOther) // there is nothing to log in to
		return nil
	}
	found := tokens.Find(given)
	if found == nil {
		if !s.gate.logins.take(s.gate.asker(r)) {
			w.Header().Set("Retry-After", "5")
			s.ask(w, r, http.StatusTooManyRequests, "Too many attempts; try again in a few seconds.")
			return nil
		}
		s.ask(w, r, http.StatusUnauthorized, "That is not the token.")
		return nil
	}
	end := strconv.FormatInt(time.Now().Add(sessionTime).Unix(), 10) + "-" + rand.Text() // each login is one of its own
	s.gate.setCookie(w, end+"."+found.Sign(sessionText+end), int(sessionTime.Seconds()))
	http.Redirect(w, r, cmp.Or(wanted(r), "/"), http.StatusSeeOther)
	return nil
}

func (s loginPages) logout(w http.ResponseWriter, r *http.Request) error {
	if c, err := r.Cookie(s.gate.cookieName()); err == nil && s.gate.loggedIn(r) != nil {
		s.gate.ended.add(c.Value)
	}
	s.gate.setCookie(w, "", -1)
	http.Redirect(w, r, "/login", http.StatusSeeOther)
	return nil
}

func (s *gate) cookieName() string {
	if s.o.Secure {
		return securePrefix + cookieName
	}
	return cookieName
}

func (s *gate) setCookie(w http.ResponseWriter, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(), Value: value, Path: "/", MaxAge: age,
		HttpOnly: true, Secure: s.o.Secure, SameSite: http.SameSiteStrictMode,
	})
}

// sessionText heads what a cookie's signature is of.
const sessionText = "sakusen session\n"

// loggedIn is the token with which whoever sends a request has logged in; nil where
// it carries no cookie that holds.
func (s *gate) loggedIn(r *http.Request) *api.Token {
	c, err := r.Cookie(s.cookieName())
	if err != nil {
		return nil
	}
	end, signature, ok := strings.Cut(c.Value, ".")
	if !ok || s.ended.has(c.Value) {
		return nil
	}
	found := s.access.Load().Tokens.Signer(sessionText+end, signature)
	end, _, _ = strings.Cut(end, "-")
	if at, err := strconv.ParseInt(end, 10, 64); err != nil || time.Now().Unix() >= at {
		return nil
	}
	return found
}
