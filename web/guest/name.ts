const key = 'afterimage.guestName';

/** The longest name that the service takes, in characters. */
export const longestName = 60;

let known = '';

/** The name that the guest gave in this browser; '' before. A browser may refuse to keep it: it is kept for this page then. */
export function guestName(): string {
  try {
    return localStorage.getItem(key) ?? known;
  } catch {
    return known;
  }
}

export function keepGuestName(name: string): void {
  known = name;
  try {
    localStorage.setItem(key, name);
  } catch {
    // Kept for this page.
  }
}
