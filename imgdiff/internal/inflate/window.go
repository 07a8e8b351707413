package inflate

// Window is how far back a stream may refer: so much of the output must stay in place (RFC 1951, 2).
const Window = 32 << 10

// ResetWindow begins a stream of size bytes whose output goes through a shorter buffer. The caller decodes no further
// than the buffer is long, less OutputSlack, and makes room with Slide.
func (d *Decoder) ResetWindow(in []byte, n int, buf []byte, size int) {
	_ = in[:n+InputPadding]
	d.in, d.inEnd, d.out, d.size = in, n, buf, size
	d.bits, d.count, d.ip, d.op = 0, 0, 0, 0
	d.block, d.final, d.stored = blockNone, false, 0
}

// Slide forgets the first n bytes of the output and moves the others to the front. At least Window bytes must stay, or
// all when there are fewer.
func (d *Decoder) Slide(n int) {
	copy(d.out, d.out[n:d.op])
	d.op -= n
	d.size -= n
}
