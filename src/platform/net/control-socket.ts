import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errorMessage } from '#src/kernel/errors.ts';
import { type Clock, systemClock } from '../concurrency/clock.ts';

/** The longest path of a socket on every system. */
const MAX_PATH_BYTES = 103;
const MAX_LINE_BYTES = 16 * 1_024;
/** A process that lives says at once that it has heard, however long the answer takes. */
const HEARD_WITHIN_MS = 5_000;
const HEARD = JSON.stringify({ heard: true });

/** Not by `userInfo()`, which fails for a user without a name, as in a container. */
const ownUid = (): number | undefined => process.getuid?.();

/** A path that is too long for a socket gets a short one below a directory of this user. */
export const controlSocketPath = (dataDir: string): string => {
  const path = join(dataDir, 'control.sock');
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), `finclaw-${ownUid()}`, `${name}.sock`);
};

/**
 * Others may have made the directory first, in a place that all users may write to. The data directory itself may be a
 * link: systemd makes it one for a dynamic user.
 */
const isOurDirectory = (directory: string, dataDir: string): boolean => {
  const facts = resolve(directory) === resolve(dataDir) ? statSync(directory) : lstatSync(directory);
  return facts.isDirectory() && facts.uid === ownUid();
};

/** Calls `handle` with each line. */
const readLines = (socket: Socket, handle: (line: string) => void): void => {
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    const lines = `${text}${piece}`.split('\n');
    text = lines.pop() ?? '';
    if (text.length > MAX_LINE_BYTES) socket.destroy();
    for (const line of lines) handle(line);
  });
};

/**
 * Lets programs of the same user ask the running process for something. It costs nothing while nobody asks. A socket that
 * a killed process left is replaced, so the caller must know that no other process uses the directory.
 */
export const listenForControl = async (dataDir: string, handle: (request: unknown) => Promise<unknown>) => {
  const path = controlSocketPath(dataDir);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (!isOurDirectory(dirname(path), dataDir)) throw new Error(`${dirname(path)} belongs to somebody else`);
  rmSync(path, { force: true });
  const open = new Set<Socket>();
  const answer = async (socket: Socket, line: string): Promise<void> => {
    let reply: unknown;
    try {
      reply = { answer: await handle(JSON.parse(line)) };
    } catch (error) {
      reply = { error: errorMessage(error) };
    }
    socket.end(`${JSON.stringify(reply)}\n`);
  };
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    let isAsked = false;
    readLines(socket, (line) => {
      if (isAsked) return;
      isAsked = true;
      socket.write(`${HEARD}\n`);
      void answer(socket, line);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
  chmodSync(path, 0o600);
  server.unref();
  return {
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
};

export type ControlReply =
  | { readonly status: 'answered'; readonly answer: unknown }
  | { readonly status: 'failed'; readonly reason: string }
  /** No process listens. */
  | { readonly status: 'absent' };

const ABSENT = new Set(['ENOENT', 'ECONNREFUSED']);

/** Asks the process that uses the data directory. The signal ends the waiting, not what was asked for. */
export const askControl = (
  dataDir: string,
  request: unknown,
  { signal, clock = systemClock }: { readonly signal?: AbortSignal; readonly clock?: Clock } = {},
): Promise<ControlReply> =>
  new Promise((resolve, reject) => {
    const socket = connect(controlSocketPath(dataDir));
    const fail = (reason: string): void => {
      resolve({ status: 'failed', reason });
      socket.destroy();
    };
    const cancel = clock.after(HEARD_WITHIN_MS, () =>
      fail('FinClaw is running but does not answer. If it stays like that, stop it and try again.'),
    );
    const abort = (): void => {
      reject(signal?.reason as Error);
      socket.destroy();
    };
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        ABSENT.has(error.code ?? '')
          ? { status: 'absent' }
          : { status: 'failed', reason: errorMessage(error) },
      ),
    );
    socket.once('close', () => {
      cancel();
      signal?.removeEventListener('abort', abort);
      resolve({ status: 'failed', reason: 'FinClaw ended before it had answered' });
    });
    readLines(socket, (line) => {
      cancel();
      if (line === HEARD) return;
      const { answer, error } = JSON.parse(line) as { readonly answer?: unknown; readonly error?: string };
      resolve(error === undefined ? { status: 'answered', answer } : { status: 'failed', reason: error });
      socket.destroy();
    });
    socket.write(`${JSON.stringify(request)}\n`);
  });
