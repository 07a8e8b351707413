package compare

import (
	"fmt"
	"hash/crc32"
	"strings"

	"afterimage/capture"
)

// maxStem is the length of a file's name in bytes, without what distinguishes files of one page.
const maxStem = 80

// FileStem is what the names of the files of a page begin with. Paths that differ have different ones: what is replaced or cut is made
// up for by a checksum.
func FileStem(path string, device capture.Device) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.' {
			return r
		}
		return '_'
	}, strings.Trim(path, "/"))
	if name == "" {
		name = "root"
	}
	if "/"+name != path || len(name) > maxStem {
		name = strings.Trim(name[:min(len(name), maxStem)], "._") + "~" + fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(path)))
	}
	return strings.TrimLeft(name, ".") + "-" + string(device)
}
