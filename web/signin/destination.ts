/** Where to go when the address names no page of ours. */
const home = () => new URL('../', window.location.href);

/** The page to return to: `?next=` if it is on this origin, else the dashboard. */
export function destination(): URL {
  const next = new URLSearchParams(window.location.search).get('next');
  if (next === null || !next.startsWith('/')) {
    return home();
  }
  try {
    // Resolving and comparing origins also catches //host and /\host.
    const url = new URL(next, window.location.origin);
    return url.origin === window.location.origin ? url : home();
  } catch {
    return home();
  }
}
