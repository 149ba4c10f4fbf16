import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { FakeSockets, Json } from './api.ts';
import type { Core } from './core.ts';
import { ConnectionDropped, SlackRefusal } from './errors.ts';
import type { Moment } from './options.ts';
import { APP_ID, secretOf } from './world.ts';

/** Slack closes a connection itself so long after it asked the client to go. */
const CLOSE_AFTER_MS = 100;

interface Connection {
  readonly number: number;
  readonly socket: WebSocket;
  readonly stopPings: () => void;
  isDeaf: boolean;
  /** It was told to go: nothing new comes through it. */
  isLeaving: boolean;
  isClosedBySlack: boolean;
}

export interface SocketDeps {
  readonly core: Core;
  readonly onOpen: () => void;
  readonly onFrame: (envelopeId: string, payload: Json) => void;
}

const textOf = (data: RawData): string =>
  Buffer.isBuffer(data)
    ? data.toString()
    : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]).toString();

export const momentOf = (frame: Json | null): Moment => {
  const { envelope_id: envelopeId, payload } = frame ?? {};
  const eventId = (payload as Json | undefined)?.['event_id'];
  return {
    name: 'delivered',
    ...(typeof envelopeId === 'string' ? { envelopeId } : {}),
    ...(typeof eventId === 'string' ? { eventId } : {}),
  };
};

/** The websockets of Socket Mode, any number at once. An envelope goes to one of them, in turn. */
export class Sockets {
  readonly #deps: SocketDeps;
  readonly #server = new WebSocketServer({ noServer: true, autoPong: false });
  readonly #tickets = new Set<string>();
  readonly #connections = new Set<Connection>();
  #refusal: string | undefined;
  #lastNumber = 0;
  #turn = 0;

  constructor(deps: SocketDeps) {
    this.#deps = deps;
  }

  get control(): FakeSockets {
    const numbers = (): readonly number[] => [...this.#connections].map(({ number }) => number);
    return {
      get open() {
        return numbers();
      },
      disconnect: (reason) => this.#disconnect(reason),
      cut: () => {
        for (const connection of this.#connections) this.#cut(connection);
      },
      deafen: () => {
        for (const connection of this.#connections) this.#deafen(connection);
      },
      refuse: (error) => {
        this.#refusal = error;
      },
    };
  }

  /** `apps.connections.open`: the address of a connection, good for one. */
  invite(): string {
    if (this.#refusal !== undefined) {
      this.#deps.core.chronicle.note({ type: 'connection-refused', error: this.#refusal });
      throw new SlackRefusal(this.#refusal);
    }
    const ticket = secretOf('ticket', String(this.#tickets.size), this.#deps.core.world.newId('K'));
    this.#tickets.add(ticket);
    const url = this.#deps.core.url.replace('http:', 'ws:');
    return `${url}/link/?ticket=${ticket}&app_id=${APP_ID}`;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const ticket = new URL(request.url ?? '', this.#deps.core.url).searchParams.get('ticket') ?? '';
    if (!this.#tickets.delete(ticket)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (websocket) => this.#welcome(websocket));
  }

  /** The number of the connection that took it. */
  carry(frame: Json): number | undefined {
    const open = [...this.#connections].filter(({ isLeaving }) => !isLeaving);
    const hearing = open.filter(({ isDeaf }) => !isDeaf);
    const candidates = hearing.length > 0 ? hearing : open;
    if (candidates.length === 0) return undefined;
    this.#turn += 1;
    const chosen = candidates[this.#turn % candidates.length];
    if (chosen && !chosen.isDeaf) {
      chosen.socket.send(JSON.stringify(frame));
      this.#guarded(chosen, () => this.#deps.core.chronicle.moment(momentOf(frame)));
    }
    return chosen?.number;
  }

  close(): void {
    for (const connection of this.#connections) this.#cut(connection);
    this.#server.close();
  }

  #welcome(socket: WebSocket): void {
    const { core, onOpen } = this.#deps;
    this.#lastNumber += 1;
    const pings = setInterval(() => {
      if (!connection.isDeaf) socket.ping('Ping from applink');
    }, core.settings.pingIntervalMs);
    const connection: Connection = {
      number: this.#lastNumber,
      socket,
      stopPings: () => clearInterval(pings),
      isDeaf: false,
      isLeaving: false,
      isClosedBySlack: false,
    };
    socket.on('error', () => undefined);
    socket.on('ping', (data) => socket.pong(data));
    socket.on('message', (data) => this.#guarded(connection, () => this.#hear(textOf(data))));
    socket.on('close', () => this.#gone(connection));
    this.#connections.add(connection);
    core.chronicle.note({ type: 'connected', connection: connection.number });
    this.#guarded(connection, () => {
      core.chronicle.moment({ name: 'connected' });
      socket.send(
        JSON.stringify({
          type: 'hello',
          num_connections: this.#connections.size,
          connection_info: { app_id: APP_ID },
          debug_info: { host: 'applink-fake', build_number: 1, approximate_connection_time: 18_060 },
        }),
      );
      onOpen();
    });
  }

  #hear(data: string): void {
    const { envelope_id: envelopeId, payload } = JSON.parse(data) as Json;
    this.#deps.onFrame(String(envelopeId), (payload ?? {}) as Json);
  }

  #guarded(connection: Connection, action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof ConnectionDropped)) throw error;
      this.#cut(connection);
    }
  }

  #gone(connection: Connection): void {
    connection.stopPings();
    if (!this.#connections.delete(connection)) return;
    const by = connection.isClosedBySlack ? 'slack' : 'bot';
    this.#deps.core.chronicle.note({ type: 'disconnected', connection: connection.number, by });
  }

  #cut(connection: Connection): void {
    connection.isClosedBySlack = true;
    connection.socket.terminate();
    // A socket that nobody reads from does not tell of its end.
    this.#gone(connection);
  }

  #deafen(connection: Connection): void {
    connection.isDeaf = true;
    connection.socket.pause();
  }

  #disconnect(reason: 'warning' | 'refresh_requested' | 'link_disabled'): void {
    for (const connection of this.#connections) {
      connection.socket.send(
        JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'applink-fake' } }),
      );
      if (reason === 'warning') continue;
      connection.isLeaving = true;
      setTimeout(() => {
        if (!this.#connections.has(connection)) return;
        connection.isClosedBySlack = true;
        connection.socket.close(1000);
      }, CLOSE_AFTER_MS).unref();
    }
  }
}
