-- From here on the pages of the file end with checksums, which are written when it
-- is migrated (tuner/sqlitedb/sums.go). No table changes: this number keeps programs
-- that know nothing of them from writing the file.
SELECT 9;
