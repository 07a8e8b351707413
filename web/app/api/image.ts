/**
 * The path of a picture on this server. Links are made for mails and other programs, with the address that the operator
 * gave the service; a browser may have come by another one, and loads nothing from elsewhere.
 */
export function ownPath(link: string): string {
  const { pathname, search } = new URL(link, window.location.origin);
  return pathname + search;
}
