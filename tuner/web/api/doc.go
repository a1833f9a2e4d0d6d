// Package api declares the operations of the HTTP API, each once: what it takes, what it
// answers, which role it needs. The server's reading and checking of requests, the
// description openapi.json, the client and the test of the guard derive from it.
//
// Place in the flow: tuner/web answers the operations, tuner/serve/client asks for them.
//
// Read operation.go (what a declaration is, and all of them; how a request of one is written),
// then the declarations: studies.go, jobs.go (with games, benchmarks and the daemon). decode.go
// reads and checks a request, generate_test.go describes it; roles.go has the roles and the
// tokens; of a token only its hash is kept.
//
// For example
//
//	in, err := api.V1.GetStudy.Decode(request)              // in.Study
//	path := api.V1.GetStudy.Target(&api.OfStudy{Study: "a"}) // /api/v1/studies/a
package api
