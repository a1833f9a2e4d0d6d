package main

import (
	"net/http"

	"sakusen/tuner/sqlitedb"
	"sakusen/tuner/web"
)

// damageIn names the damage of the database at path where an error tells of it,
// and is nil for any other.
func damageIn(path string) func(error) error {
	return func(err error) error {
		if !sqlitedb.Damaged(err) {
			return nil
		}
		return sqlitedb.Damage(path, err)
	}
}

// faultOf is what the API says of an error of the database; nil where it is not
// one that the asker is helped by. Paths stay in the log.
func faultOf(err error) *web.Problem {
	switch {
	case sqlitedb.Damaged(err):
		return web.NewProblem(http.StatusServiceUnavailable, "the database is damaged: no study runs and nothing is written until a backup is put in its place; the server's log names the file and what is wrong")
	case sqlitedb.Full(err):
		return web.NewProblem(http.StatusInsufficientStorage, "the database cannot be written, as when the disk is full; nothing is lost, try again when there is space")
	}
	return nil
}

// fault is faultOf as an error.
func fault(err error) error {
	if p := faultOf(err); p != nil {
		return p
	}
	return nil
}
