// Package service is what Sakusen can do, over an open database. The command line
// calls it directly; the daemon's API (tuner/web) offers the same to others.
//
// Whatever goes wrong is an [Error] with one of six codes, or is given one by
// [ErrorOf]; each front end maps the codes once.
package service
