package sqlitedb

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// networks are file systems whose files other machines may hold too, by the number that Linux's
// statfs gives (linux/magic.h, and the documentation of Lustre and OCFS2). On them locks and
// the memory that readers and the writer share are this machine's alone, or are as good as the
// server's.
var networks = map[uint32]string{
	0x00006969: "NFS",
	0x0000517b: "SMB",
	0xfe534d42: "SMB (smb2)",
	0xff534d42: "SMB (CIFS)",
	0x0000564c: "NCP",
	fuse:       "FUSE, such as sshfs, a cloud drive or a folder of the host of a virtual machine",
	0x01021997: "9p, such as a folder of the host of a virtual machine",
	0x786f4256: "vboxsf, a folder of the host of a virtual machine",
	0x5346414f: "AFS",
	0x6b414653: "AFS (kAFS)",
	0x73757245: "Coda",
	0x00c36400: "Ceph",
	0x0bd00bd0: "Lustre",
	0x01161970: "GFS2",
	0x7461636f: "OCFS2",
}

// fuse is the number of all file systems that are programs.
const fuse = 0x65735546

// disk reports whether a file system of FUSE is on this machine: its source is a file or a folder
// here, such as the partition of ntfs-3g or the folder of bindfs, or its program is known.
func disk(mount string) bool {
	kind, source, _ := strings.Cut(mount, " ")
	here := false
	if filepath.IsAbs(source) {
		_, err := os.Stat(source)
		here = err == nil
	}
	return here || kind == "fuseblk" || slices.Contains([]string{"fuse-overlayfs", "mergerfs", "unionfs", "encfs", "gocryptfs", "bindfs", "ntfs-3g"}, strings.TrimPrefix(kind, "fuse."))
}

// onNetwork reports what is wrong with the file system of a database's folder; empty where
// nothing is known to be.
func onNetwork(path string, kind func(folder string) (number uint32, mount string, err error)) string {
	folder := filepath.Dir(path)
	number, mount, err := kind(folder)
	name, network := networks[number]
	if err != nil || !network || number == fuse && disk(mount) {
		return "" // what the folder lacks is said when the file is opened
	}
	if mount != "" {
		name = mount
	}
	return fmt.Sprintf("%s is on a network file system (%s): a database there is damaged when two machines use it, and is slow; put it on a disk of this machine (setting database, --db)", folder, name)
}
