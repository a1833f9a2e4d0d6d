// Package pagesum gives every page of a database a checksum: the last 8 bytes of
// a page, which SQLite leaves alone where the file's header says so (byte 20, the
// reserved space). They are written with the page and compared whenever it is
// read, so that a bit that turned over anywhere in the file is an error
// ([SQLite's code] SQLITE_IOERR_DATA) and never an answer. The page's number is
// part of its sum: a page that was written to another one's place is found too.
//
// Flow: tuner/sqlitedb opens its files through the [Layer], and reads all pages by
// itself, with [Fits], when a database is checked.
//
// A file stays a database that any program with SQLite can read. One that writes
// it without this layer leaves sums that do not fit.
//
// Source: SQLite documentation, "The Checksum VFS Shim" (sqlite.org/cksumvfs.html),
// which has the idea and is no part of the library; the layout here is our own.
//
// [SQLite's code]: https://sqlite.org/rescode.html#ioerr_data
package pagesum
