import type { Uses } from '#src/platform/services.ts';
import type { Envelope } from '../bolt-app.ts';

export interface SlackConnectionDeps extends Uses<'clock' | 'logger'> {
  /** Resolves when the envelope is handled, acknowledged or not. Never rejects. */
  readonly onEnvelope: (envelope: Envelope) => Promise<void>;
  /** Something that Slack sent could not be read. */
  readonly onFailed: (what: string, error: unknown) => void;
  /** Called before the first event of a new connection. */
  readonly onConnecting: () => void;
  /**
   * `isSeamless`: Slack asked for a new connection and got it at once. Otherwise events may have been missed. `isOnly`:
   * no other connection of this app gets a part of the events.
   */
  readonly onConnected: (how: { readonly isSeamless: boolean; readonly isOnly: boolean }) => void;
}

/** How events, commands and buttons reach the bot: over a socket, or as HTTP requests. */
export interface SlackConnection {
  /** Returns at once. A socket is retried until it is open. */
  readonly open: () => void;
  readonly isConnected: () => boolean;
  /** Resolves when the connection is closed and no attempt is left. */
  readonly close: () => Promise<void>;
}
