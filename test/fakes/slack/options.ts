import type { Clock } from '#src/platform/concurrency/clock.ts';

export interface FakeSlackOptions {
  /** Deadlines, retries, windows and timestamps follow it. Default: the real time. */
  readonly clock?: Clock;
  readonly botToken?: string;
  readonly appToken?: string;
  readonly signingSecret?: string;
  /** Turns HTTP mode on: events, commands and buttons are sent here, and not over a socket. */
  readonly requestUrl?: string;
  /** Of the bot token. Default: all that the fake knows. */
  readonly scopes?: readonly string[];
  /** How long a command or a press waits for its ack. Default: 3,000. */
  readonly ackTimeoutMs?: number;
  /**
   * From an un-acked delivery of an event to the next one. Default, as Slack: 3 s, 1 min, 5 min. In HTTP mode, the first
   * one follows at once when a request has failed.
   */
  readonly redeliverAfterMs?: readonly number[];
  /**
   * What happens to an event when no connection is open. `keep`: it waits for one. `lose`: the delivery
   * failed and the next one is tried in its time; after the last the event is lost, as with the real one.
   */
  readonly whileDisconnected?: 'keep' | 'lose';
  /** Pings of the server, by the real time. Default: 2,000. */
  readonly pingIntervalMs?: number;
  /** Default: no limit. A burst of `messageBurst` (4) is let through, then it is 429 with Retry-After. */
  readonly messagesPerSecondPerChannel?: number;
  readonly messageBurst?: number;
  /** A stream without an append for so long is over. Default: 300,000. */
  readonly streamExpiresAfterMs?: number;
  /** Subscriptions such as `message.channels`, `app_mention`, `reaction_added`. Default: all. */
  readonly events?: readonly string[];
  /** Every call waits so long before anything is done. Default: 0. */
  readonly callDelayMs?: number;
  readonly onMoment?: OnMoment;
}

/** A point at which a test may step in; `method` of requests and what they did, `ts` of messages. */
export interface Moment {
  readonly name:
    | 'connected'
    | 'delivered'
    | 'acked'
    | 'request'
    | 'posted'
    | 'updated'
    | 'deleted'
    | 'ephemeral'
    | 'stream-started'
    | 'stream-appended'
    | 'stream-stopped'
    | 'reacted'
    | 'unreacted'
    | 'uploaded'
    | 'view-opened'
    | 'view-updated'
    | 'responding';
  readonly method?: string;
  readonly channel?: string;
  readonly ts?: string;
  readonly eventId?: string;
  readonly envelopeId?: string;
}

/**
 * Called before Slack goes on. 'drop' kills the connection: at 'request' nothing was done, later it was done
 * and only the answer is missing; at 'acked' the ack never arrived; at 'connected' there is no hello.
 */
export type OnMoment = (moment: Moment) => 'drop' | void;
