package sqlitedb

import (
	"fmt"
	"path/filepath"
)

// networks are file systems whose files other machines may hold too, by the number that Linux's
// statfs gives (linux/magic.h, and the documentation of Lustre and OCFS2). On them locks and
// the memory that readers and the writer share are this machine's alone, or are as good as the
// server's. FUSE may be a local one as well, which its number does not tell.
var networks = map[uint32]string{
	0x00006969: "NFS",
	0x0000517b: "SMB",
	0xfe534d42: "SMB (smb2)",
	0xff534d42: "SMB (CIFS)",
	0x0000564c: "NCP",
	0x65735546: "FUSE, such as sshfs, a cloud drive or a folder of the host of a virtual machine",
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

// onNetwork reports what is wrong with the file system of a database's folder; empty where
// nothing is known to be.
func onNetwork(path string, kind func(folder string) (uint32, error)) string {
	folder := filepath.Dir(path)
	number, err := kind(folder)
	name, network := networks[number]
	if err != nil || !network {
		return "" // what the folder lacks is said when the file is opened
	}
	return fmt.Sprintf("%s is on a network file system (%s): a database there is damaged when two machines use it, and is slow; put it on a disk of this machine (setting database, --db)", folder, name)
}
