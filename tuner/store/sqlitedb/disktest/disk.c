//go:build cgo && unix

/* A layer between SQLite and its files that asks Go before every access. It
** becomes SQLite's default layer; files that Go does not watch it leaves alone.
** A watched file begins with what the system's layer made of it, so that all
** methods which are not replaced here are the system's own. */
#include "sqlitevfs.h"
#include "_cgo_export.h"

typedef struct {
	sqlite3_io_methods methods;    /* this file's */
	const sqlite3_io_methods *real;
	int id;                        /* Go's number of the opened file */
} watched;

static sqlite3_vfs *real_vfs;
static sqlite3_vfs disk_vfs;

static watched *of(sqlite3_file *file) { return (watched *)((char *)file + ((real_vfs->szOsFile + 7) & ~7)); }

static int watched_read(sqlite3_file *file, void *into, int n, sqlite3_int64 at) {
	int rc = diskRead(of(file)->id, n, at);
	return rc == SQLITE_OK ? of(file)->real->xRead(file, into, n, at) : rc;
}

static int watched_write(sqlite3_file *file, const void *from, int n, sqlite3_int64 at) {
	int kept = n;
	int rc = diskWrite(of(file)->id, (void *)from, n, at, &kept);
	int done = kept > 0 ? of(file)->real->xWrite(file, from, kept, at) : SQLITE_OK;
	return rc == SQLITE_OK ? done : rc;
}

static int watched_truncate(sqlite3_file *file, sqlite3_int64 size) {
	int rc = diskTruncate(of(file)->id, size);
	return rc == SQLITE_OK ? of(file)->real->xTruncate(file, size) : rc;
}

/* Nothing is brought to the real disk: what would be there is worked out. */
static int watched_sync(sqlite3_file *file, int flags) { return diskSync(of(file)->id); }

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
	int rc = real_vfs->xOpen(real_vfs, name, file, flags, out);
	int id;
	if (rc != SQLITE_OK || name == 0 || !(flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)))
		return rc;
	id = diskOpen((char *)name, flags);
	if (id == 0)
		return rc;
	watched *w = of(file);
	w->id = id;
	w->real = file->pMethods;
	w->methods = *file->pMethods;
	w->methods.xRead = watched_read;
	w->methods.xWrite = watched_write;
	w->methods.xTruncate = watched_truncate;
	w->methods.xSync = watched_sync;
	file->pMethods = &w->methods;
	return rc;
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int sync) {
	int rc = diskDelete((char *)name, sync);
	return rc == SQLITE_OK ? real_vfs->xDelete(real_vfs, name, 0) : rc;
}

int disk_register(void) {
	int rc = sqlite3_initialize();
	if (rc != SQLITE_OK)
		return rc;
	real_vfs = sqlite3_vfs_find(0);
	if (real_vfs == 0)
		return SQLITE_ERROR;
	disk_vfs = *real_vfs;
	disk_vfs.zName = "disktest";
	disk_vfs.szOsFile = ((real_vfs->szOsFile + 7) & ~7) + (int)sizeof(watched);
	disk_vfs.xOpen = disk_open;
	disk_vfs.xDelete = disk_delete;
	return sqlite3_vfs_register(&disk_vfs, 1);
}
