// Package web serves the daemon over HTTP: the API under /api/v1, its events,
// health and metrics, behind a guard that trusts nobody: Host names from a
// list, a bearer token for programs and a cookie for browsers, no writes from
// other origins, bounded bodies and rates.
//
//	s, err := web.New(web.Options{Service: service, Tokens: role.Only(token), Hosts: hosts})
//	http.Server{Handler: s}.Serve(listener)
//
// What is served comes from a service.Service, and what is done goes to it; the
// package itself keeps only who watches. The API takes no command, path or URL:
// study files are text, and what they name is embedded or in the server's own
// settings. openapi.json describes it, and a test holds the two together.
package web
