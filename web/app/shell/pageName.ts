const flowMark = '/#flow:';

/** How people are told of a page: of a checkpoint, the flow and its name; of others, the address. */
export function pageName(address: string): string {
  const [, names] = address.split(flowMark);
  return names === undefined ? address : names.split('/').map(plain).join(' › ');
}

/** What stands in an address, as people wrote it. */
function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
