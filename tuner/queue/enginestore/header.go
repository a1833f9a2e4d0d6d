package enginestore

import (
	"debug/buildinfo"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"io"
	"os"
	"strings"
)

// SystemOf returns GOOS and GOARCH of the system for which a file is a program, by its header;
// false where it is no program. A program of Apple's for several processors counts as none.
func SystemOf(file io.ReaderAt) (system, arch string, ok bool) {
	if f, err := elf.NewFile(file); err == nil {
		defer f.Close()
		if f.Type != elf.ET_EXEC && f.Type != elf.ET_DYN || f.Type == elf.ET_DYN && f.Entry == 0 {
			return "", "", false // a library, or a part of one
		}
		return elfSystem(f), elfArch(f), elfArch(f) != ""
	}
	if f, err := macho.NewFile(file); err == nil {
		defer f.Close()
		arch := map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[f.Cpu]
		return "darwin", arch, arch != "" && f.Type == macho.TypeExec
	}
	if f, err := pe.NewFile(file); err == nil {
		defer f.Close()
		arch := map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_I386: "386", pe.IMAGE_FILE_MACHINE_ARM64: "arm64"}[f.Machine]
		program := f.Characteristics&pe.IMAGE_FILE_EXECUTABLE_IMAGE != 0 && f.Characteristics&pe.IMAGE_FILE_DLL == 0
		return "windows", arch, arch != "" && program
	}
	return "", "", false
}

func elfSystem(f *elf.File) string {
	switch f.OSABI {
	case elf.ELFOSABI_FREEBSD:
		return "freebsd"
	case elf.ELFOSABI_NETBSD:
		return "netbsd"
	case elf.ELFOSABI_OPENBSD:
		return "openbsd"
	}
	for note, system := range map[string]string{".note.netbsd.ident": "netbsd", ".note.openbsd.ident": "openbsd"} {
		if f.Section(note) != nil {
			return system
		}
	}
	return "linux"
}

func elfArch(f *elf.File) string {
	little := f.Data == elf.ELFDATA2LSB
	switch f.Machine {
	case elf.EM_X86_64:
		if f.Class == elf.ELFCLASS64 {
			return "amd64"
		}
	case elf.EM_386:
		return "386"
	case elf.EM_AARCH64:
		if little {
			return "arm64"
		}
	case elf.EM_ARM:
		return "arm"
	case elf.EM_RISCV:
		if f.Class == elf.ELFCLASS64 {
			return "riscv64"
		}
	case elf.EM_PPC64:
		if little {
			return "ppc64le"
		}
		return "ppc64"
	case elf.EM_S390:
		return "s390x"
	case elf.EM_LOONGARCH:
		return "loong64"
	}
	return ""
}

// compilerOf returns the version line that the compiler of a program has left in it, empty where
// there is none.
func compilerOf(path string) string {
	if info, err := buildinfo.ReadFile(path); err == nil {
		return info.GoVersion
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	f, err := elf.NewFile(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	comment := f.Section(".comment")
	if comment == nil || comment.Size > 64<<10 {
		return ""
	}
	text, err := comment.Data()
	if err != nil {
		return ""
	}
	var lines []string
	for line := range strings.SplitSeq(string(text), "\x00") {
		if line = strings.Join(strings.Fields(strings.ToValidUTF8(line, "?")), " "); line != "" {
			lines = append(lines, line[:min(len(line), 200)])
		}
	}
	return strings.Join(lines[:min(len(lines), 4)], "; ")
}
