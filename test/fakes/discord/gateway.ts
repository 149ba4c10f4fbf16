import type { Server } from 'node:http';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { FakeDiscordGateway } from './controls.ts';
import { dataFor, hasBot, plainData, type Session, type Shard, shardOf } from './session.ts';
import { isDropped, type State } from './state.ts';
import { applicationFlags, wireGuild, wireUser } from './views.ts';
import { asNumber, asText, asWire, INTENT, type Wire } from './wire.ts';

interface Connection {
  readonly number: number;
  readonly socket: WebSocket;
  session?: Session;
  isDeaf: boolean;
  lastBeatMs: number;
  received: number;
  closedBy?: 'fake';
}

const PRIVILEGED = {
  GuildMembers: INTENT.guildMembers,
  GuildPresences: INTENT.guildPresences,
  MessageContent: INTENT.messageContent,
} as const;

/** After these a session is over; everything else can be resumed. */
const FINAL_CODES: ReadonlySet<number> = new Set([1000, 1001, 4004, 4007, 4010, 4011, 4012, 4013, 4014]);
const MAX_ABANDONED = 5;

export interface Gateway extends FakeDiscordGateway {
  readonly close: () => void;
}

const readShard = (value: unknown): Shard | undefined => {
  const [id, count]: readonly unknown[] = Array.isArray(value) ? value : [0, 1];
  if (typeof id !== 'number' || typeof count !== 'number') return undefined;
  return id >= 0 && id < count && Number.isInteger(id) && Number.isInteger(count) ? { id, count } : undefined;
};

export const createGateway = (state: State, server: Server): Gateway => {
  const sockets = new WebSocketServer({ noServer: true });
  const connections = new Set<Connection>();
  const sessions = new Map<string, Session>();
  /** When a bot last identified itself, for each of the shards that may do so at a time. */
  const identifiedMs = new Map<number, number>();
  let lastNumber = 0;
  let intents = 0;
  let isRefusing = false;

  const send = (connection: Connection, payload: Wire): void => {
    if (!connection.isDeaf) connection.socket.send(JSON.stringify({ t: null, s: null, ...payload }));
  };

  const end = (connection: Connection, code: number, reason = ''): void => {
    connection.closedBy = 'fake';
    if (FINAL_CODES.has(code) && connection.session) sessions.delete(connection.session.id);
    connection.socket.close(code, reason);
  };

  const cut = (connection: Connection): void => {
    connection.closedBy = 'fake';
    connection.socket.terminate();
  };

  const identified = (): Connection[] =>
    [...connections].filter(({ session, closedBy }) => session !== undefined && closedBy === undefined);

  /** Keeps it for a resume, and sends it if somebody is there. True: it was sent. */
  const queue = (session: Session, event: string, data: unknown, channelId?: string): boolean => {
    session.sequence += 1;
    const payload = { op: 0, t: event, s: session.sequence, d: data } as const;
    session.events.push(payload);
    const connection = identified().find((candidate) => candidate.session === session);
    if (!connection || connection.isDeaf) return false;
    if (
      isDropped(state, { kind: 'dispatched', what: event, ...(channelId === undefined ? {} : { channelId }) })
    ) {
      cut(connection);
      return false;
    }
    send(connection, payload);
    return true;
  };

  state.onDispatch = (event, data, channelId) => {
    const reached = [...sessions.values()].map((session) => {
      const visible = dataFor(state, session, event, data, channelId);
      // A session that is only kept for a resume gets the event as it was, whatever happens to it later.
      return visible !== undefined && queue(session, event, structuredClone(visible.data), channelId);
    });
    state.record({
      type: 'dispatched',
      event,
      data: plainData(state, data),
      reached: reached.includes(true),
    });
  };

  /** Those that nobody came back for. */
  const forgetAbandoned = (): void => {
    const live = new Set(identified().map(({ session }) => session));
    const abandoned = [...sessions.values()].filter((session) => !live.has(session));
    for (const session of abandoned.slice(0, -MAX_ABANDONED)) sessions.delete(session.id);
  };

  const welcome = (connection: Connection, session: Session): void => {
    const { id: shardId, count } = session.shard;
    const guilds = [...state.guilds.values()].filter(
      (guild) => hasBot(state, guild) && shardOf(guild.id, count) === shardId,
    );
    queue(session, 'READY', {
      v: 10,
      user: { ...wireUser(state.bot), verified: true, mfa_enabled: true, email: null, flags: 0 },
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      session_type: 'normal',
      resume_gateway_url: state.origin.replace('http', 'ws'),
      shard: [shardId, count],
      application: { id: state.applicationId, flags: applicationFlags(state) },
      private_channels: [],
      relationships: [],
      presences: [],
    });
    if ((session.intents & INTENT.guilds) === 0) return;
    const hasMembers = (session.intents & INTENT.guildMembers) !== 0;
    for (const guild of guilds)
      if (connections.has(connection)) queue(session, 'GUILD_CREATE', wireGuild(state, guild, hasMembers));
  };

  /** Whether so many identify themselves at a time, and so often a day. Counts this time. */
  const mayIdentify = ({ id }: Shard): boolean => {
    const bucket = id % state.options.maxConcurrency;
    const sinceMs = performance.now() - (identifiedMs.get(bucket) ?? -Infinity);
    if (sinceMs < state.options.identifyPauseMs || state.sessionStarts.left() === 0) return false;
    identifiedMs.set(bucket, performance.now());
    state.sessionStarts.use();
    return true;
  };

  const identify = (connection: Connection, data: Wire): void => {
    if (connection.session) return end(connection, 4005, 'Already authenticated.');
    if (data['token'] !== state.options.token) return end(connection, 4004, 'Authentication failed.');
    if (typeof data['intents'] !== 'number') return end(connection, 4013, 'Invalid intent(s).');
    intents = data['intents'];
    const granted = state.options.grantedIntents.reduce((sum, name) => sum | PRIVILEGED[name], 0);
    const privileged = Object.values(PRIVILEGED).reduce((sum, bit) => sum | bit, 0);
    if ((intents & privileged & ~granted) !== 0) return end(connection, 4014, 'Disallowed intent(s).');
    const shard = readShard(data['shard']);
    if (!shard) return end(connection, 4010, 'Invalid shard.');
    if (!mayIdentify(shard)) {
      state.record({ type: 'identifyRefused', shard: shard.id });
      return send(connection, { op: 9, d: false });
    }
    const session: Session = { id: `session-${state.nextId()}`, intents, shard, sequence: 0, events: [] };
    state.record({ type: 'identified', sessionId: session.id, intents, shard: shard.id });
    if (isDropped(state, { kind: 'identified', what: 'IDENTIFY' })) return cut(connection);
    sessions.set(session.id, session);
    connection.session = session;
    forgetAbandoned();
    return welcome(connection, session);
  };

  const resume = (connection: Connection, data: Wire): void => {
    if (connection.session) return end(connection, 4005, 'Already authenticated.');
    if (data['token'] !== state.options.token) return end(connection, 4004, 'Authentication failed.');
    const session = sessions.get(asText(data['session_id']));
    if (!session) {
      state.record({ type: 'resumeRefused', sessionId: asText(data['session_id']) });
      return send(connection, { op: 9, d: false });
    }
    const since = asNumber(data['seq']);
    if (since > session.sequence) return end(connection, 4007, 'Invalid seq.');
    for (const older of identified().filter((candidate) => candidate.session === session)) {
      delete older.session;
      if (older.isDeaf) cut(older);
      else end(older, 4000, 'Resumed elsewhere');
    }
    const missed = session.events.filter(({ s }) => s > since);
    const { id: sessionId, shard } = session;
    state.record({ type: 'resumed', sessionId, replayed: missed.length, shard: shard.id });
    if (isDropped(state, { kind: 'resumed', what: 'RESUME' })) return cut(connection);
    for (const payload of missed) send(connection, payload);
    connection.session = session;
    queue(session, 'RESUMED', { _trace: [] });
    return undefined;
  };

  const receive = (connection: Connection, raw: RawData): void => {
    if (connection.isDeaf || connection.closedBy) return;
    connection.received += 1;
    if (connection.received > 120) return end(connection, 4008, 'Rate limited.');
    let payload: Wire;
    try {
      // oxlint-disable-next-line typescript/no-base-to-string -- text frames come as one buffer
      payload = asWire(JSON.parse(raw.toString()));
    } catch {
      return end(connection, 4002, 'Error while decoding payload.');
    }
    switch (payload['op']) {
      case 1:
        connection.lastBeatMs = performance.now();
        state.record({ type: 'heartbeat', connection: connection.number });
        return send(connection, { op: 11 });
      case 2:
        return identify(connection, asWire(payload['d']));
      case 6:
        return resume(connection, asWire(payload['d']));
      case 3:
      case 4:
      case 8:
        return connection.session ? undefined : end(connection, 4003, 'Not authenticated.');
      default:
        return end(connection, 4001, 'Unknown opcode.');
    }
  };

  const open = (socket: WebSocket): void => {
    lastNumber += 1;
    const connection: Connection = {
      number: lastNumber,
      socket,
      isDeaf: false,
      lastBeatMs: performance.now(),
      received: 0,
    };
    const { heartbeatIntervalMs, heartbeatGraceMs } = state.options;
    connections.add(connection);
    state.record({ type: 'connected', connection: connection.number });
    const watch = setInterval(() => {
      connection.received = 0;
      const silentMs = performance.now() - connection.lastBeatMs;
      if (!connection.isDeaf && silentMs > 2 * heartbeatIntervalMs + heartbeatGraceMs)
        end(connection, 4009, 'Session timed out.');
    }, heartbeatIntervalMs / 2);
    watch.unref();
    socket.on('message', (raw) => receive(connection, raw));
    socket.on('error', () => {});
    socket.on('close', (code) => {
      clearInterval(watch);
      connections.delete(connection);
      if (FINAL_CODES.has(code) && connection.session) sessions.delete(connection.session.id);
      state.record({
        type: 'closed',
        connection: connection.number,
        code,
        by: connection.closedBy ?? 'client',
      });
    });
    if (isDropped(state, { kind: 'connected', what: 'HELLO' })) return cut(connection);
    return send(connection, { op: 10, d: { heartbeat_interval: heartbeatIntervalMs, _trace: [] } });
  };

  server.on('upgrade', (request, socket, head) => {
    if (isRefusing) {
      // The client may hang up first.
      socket.on('error', () => {});
      socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, open);
  });

  return {
    get connections() {
      return identified().length;
    },
    get shards() {
      return identified()
        .flatMap(({ session }) => session?.shard.id ?? [])
        .toSorted((a, b) => a - b);
    },
    get isReady() {
      return identified().some(({ isDeaf }) => !isDeaf);
    },
    get intents() {
      return intents;
    },
    askToReconnect: () => {
      for (const connection of identified()) send(connection, { op: 7, d: null });
    },
    invalidate: (isResumable) => {
      for (const connection of identified()) {
        const { session } = connection;
        if (!isResumable && session) sessions.delete(session.id);
        // It has to be resumed or identified anew on the same socket or another one.
        delete connection.session;
        send(connection, { op: 9, d: isResumable });
      }
    },
    sendFrame: (frame) => {
      for (const { socket } of identified()) socket.send(frame);
    },
    closeWith: (code, reason) => {
      for (const connection of connections) end(connection, code, reason);
    },
    cut: () => {
      for (const connection of connections) cut(connection);
    },
    deafen: ({ isDead = false } = {}) => {
      for (const connection of connections) {
        connection.isDeaf = true;
        if (isDead) connection.socket.pause();
      }
    },
    setRefusing: (value) => {
      isRefusing = value;
    },
    forgetSessions: () => sessions.clear(),
    close: () => {
      for (const { socket } of connections) socket.terminate();
      sockets.close();
    },
  };
};
