package sitemap

import (
	"net/url"
	"path"
	"strings"
)

// files are the endings of names whose files are no pages: pictures, sounds, films, fonts, documents, archives, programs, data.
// The list is ours rather than the machine's, which may call a page written in PHP a program.
var files = wordSet(`
	apng avif bmp gif heic heif ico jfif jpeg jpg jxl png psd svg svgz tif tiff webp
	3gp aac avi flac flv m3u8 m4a m4v mkv mov mp3 mp4 mpeg mpg oga ogg ogv opus wav weba webm wma wmv
	eot otf ttc ttf woff woff2
	doc docm docx dotx epub ics key mobi numbers odp ods odt pages pdf pot potx pps ppsx ppt pptx ps rtf vcf xls xlsm xlsx
	7z apk bz2 cab deb dmg exe gz img iso jar msi pkg rar rpm tar tgz war xz zip zst
	atom bin css csv dat geojson gpx js json jsonld kml kmz log map md mjs ndjson rdf rss sql tsv txt wasm webmanifest xml xsd xsl yaml yml
`)

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// isPage reports whether the name of a file leaves open that it is a page: a picture or a document to download is none.
func isPage(u *url.URL) bool {
	return !files[strings.ToLower(strings.TrimPrefix(path.Ext(u.Path), "."))]
}
