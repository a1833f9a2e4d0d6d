// Package client asks a daemon to do what package service does over an open
// database: the operations of package api, over HTTP.
//
// Place in the flow: one process writes a database at a time. A command that
// finds it held by a daemon (sqlitedb.LockedError names the address) writes
// through this package.
//
// For example
//
//	daemon, err := client.New("http://127.0.0.1:7171", client.Options{})
//	detail, err := client.Call(ctx, daemon, api.V1.GetStudy, &api.OfStudy{Study: "first"})
//	detail, err = daemon.AwaitStudy(ctx, "first", func(*service.StudyDetail) {})
//
// Errors that the daemon tells are [service.Error] values, with the code that
// they had there.
package client
