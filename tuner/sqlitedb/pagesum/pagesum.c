//go:build cgo && !windows

/* A layer between SQLite and its files that writes a checksum at the end of each
** page of a database and compares it when the page is read. What it does not
** replace is the system's own: an opened file begins with what the layer below made
** of it. The layer below is SQLite's default at the time when a file is opened. */
#include <stdint.h>
#include <string.h>
#include "sqlitevfs.h"

#define SUM_BYTES 8
#define BELOW_BYTES 2048 /* room for the file of the layer below */

typedef struct {
	sqlite3_io_methods methods;    /* this file's */
	const sqlite3_io_methods *real;
	int on;                        /* its pages have sums */
	int page;                      /* their size in bytes */
} summed;

static sqlite3_vfs sum_vfs;

static summed *of(sqlite3_file *file) { return (summed *)((char *)file + BELOW_BYTES); }

/* page_sum is Sum in sum.go. */
static uint64_t page_sum(const unsigned char *page, int bytes, uint64_t number) {
	uint64_t h = number * 0x9e3779b97f4a7c15u + 0x53414b55;
	int i;
	for (i = 0; i + 8 <= bytes; i += 8) {
		uint64_t w;
		memcpy(&w, page + i, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		w = __builtin_bswap64(w);
#endif
		h = (h ^ w) * 0x9fb21c651e98df25u;
		h = h << 29 | h >> 35;
	}
	return h;
}

static int all_zero(const unsigned char *page, int bytes) { return page[0] == 0 && memcmp(page, page + 1, bytes - 1) == 0; }

/* look reads in the first bytes of a database whether its pages have sums. */
static void look(summed *s, const unsigned char *head) {
	s->page = head[16] << 8 | head[17];
	if (s->page == 1)
		s->page = 65536;
	s->on = memcmp(head, "SQLite format 3", 16) == 0 && head[20] == SUM_BYTES && s->page >= 512;
}

static int sum_read(sqlite3_file *file, void *into, int n, sqlite3_int64 at) {
	summed *s = of(file);
	unsigned char *page = into;
	uint64_t sum;
	int i, rc = s->real->xRead(file, into, n, at);
	if (rc != SQLITE_OK)
		return rc;
	if (at == 0 && n >= 100)
		look(s, page);
	if (!s->on || n != s->page || at % n != 0)
		return rc;
	sum = page_sum(page, n - SUM_BYTES, at / n + 1);
	for (i = 0; i < SUM_BYTES; i++)
		if (page[n - SUM_BYTES + i] != (unsigned char)(sum >> 8 * i))
			return all_zero(page, n) ? rc : SQLITE_IOERR_DATA;
	return rc;
}

/* The sum is written into SQLite's own page, of which it never uses these bytes. */
static int sum_write(sqlite3_file *file, const void *from, int n, sqlite3_int64 at) {
	summed *s = of(file);
	unsigned char *page = (unsigned char *)from;
	uint64_t sum;
	int i;
	if (at == 0 && n >= 512)
		look(s, page);
	if (s->on && n == s->page && at % n == 0) {
		sum = page_sum(page, n - SUM_BYTES, at / n + 1);
		for (i = 0; i < SUM_BYTES; i++)
			page[n - SUM_BYTES + i] = (unsigned char)(sum >> 8 * i);
	}
	return s->real->xWrite(file, from, n, at);
}

/* Parts of pages cannot be compared, so pages are read whole. */
static int sum_characteristics(sqlite3_file *file) {
	return of(file)->real->xDeviceCharacteristics(file) & ~SQLITE_IOCAP_SUBPAGE_READ;
}

static int sum_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
	sqlite3_vfs *below = sqlite3_vfs_find(0);
	unsigned char head[100];
	summed *s = of(file);
	int rc;
	if (below == 0 || below->szOsFile > BELOW_BYTES) {
		file->pMethods = 0;
		return SQLITE_CANTOPEN;
	}
	rc = below->xOpen(below, name, file, flags, out);
	if (rc != SQLITE_OK || !(flags & SQLITE_OPEN_MAIN_DB))
		return rc;
	memset(s, 0, sizeof *s);
	s->real = file->pMethods;
	s->methods = *file->pMethods;
	if (s->methods.iVersion > 2)
		s->methods.iVersion = 2; /* no mapped memory, which nobody would compare */
	s->methods.xRead = sum_read;
	s->methods.xWrite = sum_write;
	s->methods.xDeviceCharacteristics = sum_characteristics;
	file->pMethods = &s->methods;
	if (s->real->xRead(file, head, sizeof head, 0) == SQLITE_OK)
		look(s, head);
	return rc;
}

static int sum_delete(sqlite3_vfs *vfs, const char *name, int sync) {
	sqlite3_vfs *below = sqlite3_vfs_find(0);
	return below->xDelete(below, name, sync);
}

int pagesum_register(void) {
	sqlite3_vfs *below;
	int rc = sqlite3_initialize();
	if (rc != SQLITE_OK)
		return rc;
	below = sqlite3_vfs_find(0);
	if (below == 0)
		return SQLITE_ERROR;
	sum_vfs = *below;
	sum_vfs.zName = "pagesum";
	sum_vfs.szOsFile = BELOW_BYTES + (int)sizeof(summed);
	sum_vfs.xOpen = sum_open;
	sum_vfs.xDelete = sum_delete;
	return sqlite3_vfs_register(&sum_vfs, 0);
}
