import type { Server } from 'node:http';
import { FinClawError } from '#src/kernel/errors.ts';

export const LOOPBACK = '127.0.0.1';

/** Throws `PORT_UNUSABLE`; `advice` tells the operator which setting to change. */
export const listen = async (
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  advice: string,
): Promise<void> => {
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
