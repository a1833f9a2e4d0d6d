// Package web serves the daemon over HTTP: the API under /api/v1, its events, health and
// metrics. A guard stands before them: Host names from a list, a bearer token for programs and
// a cookie for browsers, no writes from other origins, bounded bodies and rates.
//
//	s, err := web.New(web.Options{Service: service, Tokens: api.OnlyToken(token), Hosts: hosts})
//	http.Server{Handler: s}.Serve(listener)
//
// The pages read from a service.Service and write through it; the package itself keeps only
// the watchers. The API takes no command, path or URL: study files are text, and what they
// name is embedded or in the server's own settings. Package api declares and describes the
// operations, and a test holds the answers to it.
//
// Read server.go (the server, and its answers to requests that fail), page.go (its routes, each
// with the role that it needs, and how pages are drawn), gate.go and limits.go (who is admitted).
// Then operations.go (the API), jobs.go and patches.go (tournaments, experiments, tests),
// benchmarks.go (the same of benchmarks), films.go with ticket.go and projector.go (games). Further
// studylogs.go (logs that are read for pages), events.go, meters.go (what Prometheus reads). Then
// the pages: set.go parses the templates in html, and has the functions that they call and the path
// of a proxy. evidence.go draws what a study has found, and compares studies. Then now.go,
// studylist.go (lists), report.go with picture.go (studies as one file). study.go has what the page
// of a study shows, page_study.go its requests, trials.go its trials; newstudy.go, page_new.go and page_file.go
// are the forms, page_film.go shows a film.
package web
