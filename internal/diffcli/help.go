package diffcli

// Help follows the flags on the command's help page.
const Help = `Pixels are counted exactly as in pixelmatch 7.2.0. Images of different sizes are
compared where they overlap; pixels outside the overlap count as changed.

Alignment visits each pixel a limited number of times. If that is not enough, the
bands found so far are reported and "alignment_cut" is true.

Folders are compared recursively, by file name. Different pairs are listed first,
then files without a counterpart, then a summary.

Exit codes: 0 everything is equal, 1 something is different, 2 something could not
be compared.

Examples:
  afterimage diff before.png after.png
  afterimage diff --align --compose look.png before.png after.png
  afterimage diff --json before.png after.png | jq .percent
  afterimage diff --mask masks/ release-1/ release-2/
  printf 'a.png\tb.png\n' | afterimage diff --stdin

With --stdin, each line is two paths separated by a tab, or an object:
  {"id":7,"before":"a.png","after":"b.png","align":true}
Only before and after are required. threshold, include_aa, align, mask and compose
apply to this pair, and id is echoed. Each line is answered by one line, immediately
and in order; errors are answered with {"error":…}.
`
