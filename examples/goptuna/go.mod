module sakusen/examples/goptuna

go 1.26.0

replace sakusen => ../..

require (
	github.com/c-bata/goptuna v0.9.0
	sakusen v0.0.0
)

require (
	github.com/mattn/go-sqlite3 v1.14.52 // indirect
	golang.org/x/sys v0.49.0 // indirect
	gonum.org/v1/gonum v0.17.0 // indirect
)
