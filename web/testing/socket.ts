import { serving } from './server';

interface Message {
  type: string;
  id?: string;
  payload?: { query: string; variables?: Record<string, unknown> };
}

/** A WebSocket that speaks graphql-transport-ws, the protocol of GraphQL subscriptions, with the server of the test. */
export class Socket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readyState = Socket.CONNECTING;
  onopen: (() => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  readonly #ends = new Map<string, () => void>();

  constructor() {
    queueMicrotask(() => {
      this.readyState = Socket.OPEN;
      this.onopen?.();
    });
  }

  send(text: string): void {
    const { type, id = '', payload } = JSON.parse(text) as Message;
    if (type === 'connection_init') {
      this.#answer({ type: 'connection_ack' });
    } else if (type === 'ping') {
      this.#answer({ type: 'pong' });
    } else if (type === 'subscribe' && payload !== undefined) {
      const send = (result: unknown) => this.#answer({ type: 'next', id, payload: result });
      this.#ends.set(id, serving().follow(id, { body: payload, send, drop: () => this.close(1006) }));
    } else if (type === 'complete') {
      this.#ends.get(id)?.();
    }
  }

  close(code = 1000, reason = ''): void {
    this.readyState = Socket.CLOSED;
    this.#ends.forEach((end) => end());
    queueMicrotask(() => this.onclose?.({ code, reason }));
  }

  #answer(message: object): void {
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(message) }));
  }
}
