package pages

import (
	"html/template"
	"net/url"
	"strings"
)

// forges are the sites whose repositories are known from the paths of their packages, with
// what stands before a commit's hash in an address.
var forges = map[string]string{"github.com": "/commit/", "gitlab.com": "/-/commit/", "codeberg.org": "/commit/", "bitbucket.org": "/commits/"}

// commit is a commit that a benchmark was measured at, shortened: a link where the package
// belongs to a site that shows commits, such as github.com/owner/name/pkg.
func commit(pkg, hash string) template.HTML {
	short := hash
	if len(short) > 12 {
		short = short[:12]
	}
	text := `<code title="` + template.HTMLEscapeString(hash) + `">` + template.HTMLEscapeString(short) + `</code>`
	parts := strings.Split(pkg, "/")
	if len(parts) < 3 || forges[parts[0]] == "" || hash == "" || strings.Trim(hash, "0123456789abcdef") != "" {
		return template.HTML(text)
	}
	at := url.URL{Scheme: "https", Host: parts[0], Path: "/" + parts[1] + "/" + parts[2] + forges[parts[0]] + hash}
	return template.HTML(`<a href="` + template.HTMLEscapeString(at.String()) + `" rel="noreferrer">` + text + `</a>`)
}
