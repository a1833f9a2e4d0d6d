// Package rdbcompare runs the same studies on our storage and on goptuna's
// rdb.v2, side by side. It is a module of its own, so that gorm and its
// drivers stay out of the main one:
//
//	cd tuner/store/rdbcompare && go test -mod=mod -run '^$' -bench . -benchtime 1x
//
// Source: github.com/c-bata/goptuna v0.9.0, package rdb.v2, with the settings
// of its own tests.
package rdbcompare
