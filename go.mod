module sakusen

go 1.26

// goptuna's own samplers draw from the global math/rand source; the adapter
// in tuner/sampler seeds it under a lock, which Go ignores without this line.
godebug randseednop=0

require (
	github.com/c-bata/goptuna v0.9.0
	github.com/mattn/go-sqlite3 v1.14.17
	go.yaml.in/yaml/v3 v3.0.4
	golang.org/x/sys v0.34.0
	gonum.org/v1/gonum v0.17.0
)

require (
	github.com/kr/pretty v0.3.1 // indirect
	golang.org/x/tools v0.35.0 // indirect
	gopkg.in/check.v1 v1.0.0-20190902080502-41f04d3bba15 // indirect
)
