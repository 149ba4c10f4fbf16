import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errorMessage } from '#src/kernel/errors.ts';

/** The longest path of a socket on every system. */
const MAX_PATH_BYTES = 103;
const MAX_REQUEST_BYTES = 16 * 1_024;

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

/** Calls `handle` with the first line. */
const readLine = (socket: Socket, handle: (line: string) => void): void => {
  let text = '';
  const onData = (piece: string): void => {
    text += piece;
    const end = text.indexOf('\n');
    if (end < 0) {
      if (text.length > MAX_REQUEST_BYTES) socket.destroy();
      return;
    }
    socket.off('data', onData);
    handle(text.slice(0, end));
  };
  socket.setEncoding('utf8').on('data', onData);
};

export interface ControlServer {
  readonly close: () => Promise<void>;
}

/**
 * Lets programs of the same user ask the running process for something. It costs nothing while nobody asks. A socket that
 * a killed process left is replaced, so the caller must know that no other process uses the directory.
 */
export const listenForControl = async (
  dataDir: string,
  handle: (request: unknown) => Promise<unknown>,
): Promise<ControlServer> => {
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
    readLine(socket, (line) => void answer(socket, line));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
  chmodSync(path, 0o600);
  server.unref();
  return {
    close: () =>
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

/** Asks the process that uses the data directory. */
export const askControl = (dataDir: string, request: unknown): Promise<ControlReply> =>
  new Promise((resolve) => {
    const socket = connect(controlSocketPath(dataDir));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        ABSENT.has(error.code ?? '')
          ? { status: 'absent' }
          : { status: 'failed', reason: errorMessage(error) },
      ),
    );
    socket.once('close', () => resolve({ status: 'failed', reason: 'FinClaw ended before it had answered' }));
    readLine(socket, (line) => {
      const { answer, error } = JSON.parse(line) as { readonly answer?: unknown; readonly error?: string };
      resolve(error === undefined ? { status: 'answered', answer } : { status: 'failed', reason: error });
      socket.destroy();
    });
    socket.write(`${JSON.stringify(request)}\n`);
  });
