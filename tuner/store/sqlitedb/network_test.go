package sqlitedb

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// A database on a file system of the network is opened, and its owner is told; a file system
// of this machine, and one that does not say what it is, is not worth a word.
func TestNetworkFileSystem(t *testing.T) {
	for name, c := range map[string]struct {
		number uint32
		mount  string
		err    error
		want   string // of what is told
	}{
		"ext4": {number: 0xef53}, "tmpfs": {number: 0x01021994}, "btrfs": {number: 0x9123683e}, "overlay": {number: 0x794c7630}, "xfs": {number: 0x58465342}, "zfs": {number: 0x2fc12fc1},
		"nfs": {number: 0x6969, want: "(NFS)"}, "cifs": {number: 0xff534d42, want: "(SMB (CIFS))"}, "smb2": {number: 0xfe534d42, want: "(SMB (smb2))"},
		"sshfs": {number: 0x65735546, mount: "fuse.sshfs host:/data", want: "(fuse.sshfs host:/data)"}, "rclone": {number: 0x65735546, mount: "fuse.rclone cloud:", want: "(fuse.rclone cloud:)"},
		"a FUSE of which nothing more is known": {number: 0x65735546, want: "(FUSE, such as sshfs"}, "a path of elsewhere": {number: 0x65735546, mount: "fuse /no/such/folder", want: "(fuse /no/such/folder)"},
		"ntfs-3g": {number: 0x65735546, mount: "fuseblk /dev/sda1"}, "bindfs": {number: 0x65735546, mount: "fuse " + t.TempDir()}, "fuse-overlayfs": {number: 0x65735546, mount: "fuse.fuse-overlayfs fuse-overlayfs"},
		"9p": {number: 0x01021997, want: "(9p, such as"}, "ceph": {number: 0x00c36400, want: "(Ceph)"},
		"unknown": {number: 0x6969, err: errors.New("no statfs")},
	} {
		path := filepath.Join(t.TempDir(), "x.db")
		var told, asked []string
		db, err := Open(t.Context(), path, Options{
			Note: func(text string) { told = append(told, text) },
			FileSystem: func(folder string) (uint32, string, error) {
				asked = append(asked, folder)
				return c.number, c.mount, c.err
			},
		})
		if err != nil {
			t.Fatal(name, err)
		}
		if err := db.Close(); err != nil {
			t.Error(name, err)
		}
		if len(asked) != 1 || asked[0] != filepath.Dir(db.Path()) {
			t.Errorf("%s: asked of %q", name, asked)
		}
		if text := strings.Join(told, "\n"); (text != "") != (c.want != "") || !strings.Contains(text, c.want) || c.want != "" && !strings.Contains(text, asked[0]) {
			t.Errorf("%s: told %q, expected %q", name, text, c.want)
		}
	}
	if _, _, err := fileSystem(t.TempDir()); err != nil {
		t.Error(err)
	}
}
