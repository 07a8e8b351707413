package chrome

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"
)

// bringUp switches a network device on.
func bringUp(device string) (err error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("switch %s on: %w", device, err)
	}
	defer func() { err = errors.Join(err, unix.Close(fd)) }()
	request, err := unix.NewIfreq(device)
	if err != nil {
		return err
	}
	request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request); err != nil {
		return fmt.Errorf("switch %s on: %w", device, err)
	}
	return nil
}

// routeAll gives a device addresses and makes it the default route for their kinds.
func routeAll(device string, addrs ...netip.Addr) error {
	link, err := net.InterfaceByName(device)
	if err != nil {
		return err
	}
	index := uint32(link.Index)
	for _, addr := range addrs {
		family := byte(unix.AF_INET)
		if addr.Is6() {
			family = unix.AF_INET6
		}
		// struct ifaddrmsg: family, prefix length, flags, scope, index; IFA_F_NODAD saves a second of asking whose it is.
		message := []byte{family, byte(addr.BitLen()), unix.IFA_F_NODAD, unix.RT_SCOPE_UNIVERSE}
		message = binary.NativeEndian.AppendUint32(message, index)
		message = append(message, attribute(unix.IFA_LOCAL, addr.AsSlice())...)
		message = append(message, attribute(unix.IFA_ADDRESS, addr.AsSlice())...)
		if err := netlink(unix.RTM_NEWADDR, message); err != nil {
			return fmt.Errorf("give %s to %s: %w", addr, device, err)
		}
		// struct rtmsg: family, two prefix lengths, type of service, table, protocol, scope, type, flags.
		message = []byte{family, 0, 0, 0, unix.RT_TABLE_MAIN, unix.RTPROT_STATIC, unix.RT_SCOPE_UNIVERSE, unix.RTN_UNICAST, 0, 0, 0, 0}
		message = append(message, attribute(unix.RTA_OIF, binary.NativeEndian.AppendUint32(nil, index))...)
		if err := netlink(unix.RTM_NEWROUTE, message); err != nil {
			return fmt.Errorf("route everything to %s: %w", device, err)
		}
	}
	return nil
}

// attribute is a struct rtattr with its value, padded to four bytes.
func attribute(kind uint16, value []byte) []byte {
	a := binary.NativeEndian.AppendUint16(nil, uint16(4+len(value)))
	a = append(binary.NativeEndian.AppendUint16(a, kind), value...)
	return append(a, make([]byte, -len(a)&3)...)
}

// netlink sends one request to the kernel and waits for its acknowledgement (rtnetlink(7)).
func netlink(kind uint16, message []byte) (err error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unix.Close(fd)) }()
	request := binary.NativeEndian.AppendUint32(nil, uint32(unix.NLMSG_HDRLEN+len(message)))
	request = binary.NativeEndian.AppendUint16(request, kind)
	request = binary.NativeEndian.AppendUint16(request, unix.NLM_F_REQUEST|unix.NLM_F_ACK|unix.NLM_F_CREATE)
	request = append(append(request, make([]byte, 8)...), message...) // sequence and sender: none
	if err := unix.Sendto(fd, request, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return err
	}
	answer := make([]byte, 4096)
	n, _, err := unix.Recvfrom(fd, answer, 0)
	if err != nil {
		return err
	}
	if n < unix.NLMSG_HDRLEN+4 {
		return fmt.Errorf("the kernel's answer has %d bytes", n)
	}
	if code := int32(binary.NativeEndian.Uint32(answer[unix.NLMSG_HDRLEN:])); code != 0 {
		return syscall.Errno(-code)
	}
	return nil
}
