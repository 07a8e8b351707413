import { language, words } from './language';

/** What became of a verdict. */
export interface Verdict {
  readonly changed: readonly string[];
  readonly stillOpen: number;
  /** Comparisons that somebody has changed since, and that stay as they are. */
  readonly since: number;
  /** Undoes the verdict; null if nothing changed. */
  readonly review: string | null;
}

const header = { 'Content-Type': 'application/json', 'X-Afterimage-Client': 'guest', 'Accept-Language': language };

/** Sends what a guest does. The answer of a refusal says why, in words for the guest: they become the error's message. */
export async function send<T>(address: string, content: object): Promise<T> {
  let response: Response;
  try {
    response = await fetch(address, { method: 'POST', headers: header, body: JSON.stringify(content) });
  } catch {
    throw new Error(words.unreachable);
  }
  const answer = (await response.json().catch(() => ({}))) as T & { message?: string };
  if (!response.ok) {
    throw new Error(answer.message ?? words.notSaved);
  }
  return answer;
}
