import { createServer, type Server } from 'node:net';
import { FinClawError } from '#src/kernel/errors.ts';

export const LOOPBACK = '127.0.0.1';

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Throws `PORT_UNUSABLE`; `advice` tells the operator which setting to change. */
export const listen = async (server: Server, { host, port }: Place, advice: string): Promise<void> => {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const why = code === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${code})`;
    throw new FinClawError(`Port ${port} ${why}. ${advice}`, 'PORT_UNUSABLE', { cause });
  }
};

/** Throws `PORT_UNUSABLE` where a server could not listen now. */
export const requireFreePort = async (place: Place, advice: string): Promise<void> => {
  const server = createServer();
  await listen(server, place, advice);
  await new Promise<void>((resolve) => void server.close(() => resolve()));
};
