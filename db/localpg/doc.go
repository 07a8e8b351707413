// Package localpg runs a private PostgreSQL cluster for a program that was given no database.
//
// The cluster lives in one folder, listens on a Unix socket in a folder that only its owner (and root) can enter,
// and is reached as a role that is not a superuser, so that row level security binds the application.
//
// # Life of a cluster
//
//   - [Start] creates the cluster when the folder has none. It is made in a sibling folder and renamed into place, so a
//     process killed in the middle leaves nothing half done.
//   - A killed process leaves its server running. The next [Start] finds it through postmaster.pid and adopts it.
//   - Several processes may use one folder at the same time: the first starts the server, the others join it, and the
//     last one to call [Server.Stop] shuts it down. Users are counted by a shared file lock, which the kernel releases
//     when a process dies, so a kill -9 never leaves a wrong count.
//   - A server that dies while it is in use is started again by the processes that use it.
//   - A folder written by another major version is refused and left exactly as it is.
//
// # Who owns the files
//
// PostgreSQL refuses to run as root. Started by root, the server runs as the owner of the existing data, else as the
// system user postgres, else as afterimage, which `make setup` creates where there is no postgres, else, with a warning,
// as nobody. Everybody else runs it as themselves.
//
// # Layout of the folder
//
//	data/           the cluster (owned by the server's account, 0700)
//	data.new/       a cluster being made; removed by the next start when its maker was killed
//	socket/         the Unix socket (server's account, 0700); a folder in the temporary directory when the path is too long
//	postgres.log    what the server said; postgres.log.1 is the one before
//	start.lock      held while the server is started, adopted or stopped
//	users.lock      held in shared mode by every process that uses the server
package localpg
