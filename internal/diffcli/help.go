package diffcli

// Help follows the flags on the command's help page.
const Help = `Pixels are counted exactly as pixelmatch 7.2.0 counts them. Pictures of unequal
size are compared where they overlap; what lies outside counts as changed.

Alignment may look at each pixel a bounded number of times. Where that does not
suffice, the bands are what it had found, and "alignment_cut" is true.

Folders are compared by file name, with everything below them. Only pairs that
are not the same are listed, then files without a counterpart, then a summary.

The exit code is 0 when everything is the same, 1 when something is different
and 2 when something could not be compared.

Examples:
  afterimage diff before.png after.png
  afterimage diff --align --compose look.png before.png after.png
  afterimage diff --json before.png after.png | jq .percent
  afterimage diff --mask masks/ release-1/ release-2/
  printf 'a.png\tb.png\n' | afterimage diff --stdin

With --stdin a line is two paths with a tab between them, or an object:
  {"id":7,"before":"a.png","after":"b.png","align":true}
Only before and after are needed; threshold, include_aa, align, mask and compose
hold for the one pair, and id comes back. Each line is answered by one line, at
once and in order; what cannot be compared is answered by {"error":…}.
`
