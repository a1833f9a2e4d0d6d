// Package rdbcompare reads databases of ours with goptuna's rdb.v2 and its dashboard,
// and runs the same studies on our storage and on rdb.v2, side by side. It is a
// module of its own, so that gorm and its drivers stay out of the main one. The
// dashboard's pages are not part of its module; the tag develop builds it without them:
//
//	cd tuner/store/rdbcompare && go test -mod=mod -tags develop
//	go test -mod=mod -run '^$' -bench . -benchtime 1x
//
// Source: github.com/c-bata/goptuna v0.9.0, package rdb.v2, with the settings
// of its own tests.
package rdbcompare
