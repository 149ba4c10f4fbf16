import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { FakeProxy } from '#test/fakes/proxy.ts';

interface Accepted {
  /** The port of the server that accepted the connection. */
  readonly server: number;
  /** The port at the other end. */
  readonly from: number;
}

const ACCEPTED = 'net.server.socket';

/** Every connection that a server of this process accepts until the test ends. */
export const watchAccepted = (): readonly Accepted[] => {
  const accepted: Accepted[] = [];
  const note = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    // Sockets of files have no ports.
    if (socket.localPort !== undefined && socket.remotePort !== undefined)
      accepted.push({ server: socket.localPort, from: socket.remotePort });
  };
  subscribe(ACCEPTED, note);
  onTestFinished(() => void unsubscribe(ACCEPTED, note));
  return accepted;
};

/** Those of other servers than the proxy: the ones that it made, and the ones that went past it. */
export const sortByProxy = (
  accepted: readonly Accepted[],
  { port, ownPorts }: Pick<FakeProxy, 'port' | 'ownPorts'>,
): { readonly through: readonly Accepted[]; readonly past: readonly Accepted[] } => {
  const { through = [], past = [] } = Object.groupBy(
    accepted.filter(({ server }) => server !== port),
    ({ from }) => (ownPorts.has(from) ? 'through' : 'past'),
  );
  return { through, past };
};
