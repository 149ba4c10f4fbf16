/** Which requests are meant. Everything that is said must fit. */
export interface RequestFilter {
  readonly method?: string;
  /** With placeholders, as in the history: `/channels/:channel/messages`. */
  readonly route?: string;
  readonly channelId?: string;
}

export interface FakeDiscordGateway {
  /** How many are connected and identified. */
  readonly connections: number;
  /** The shards that are connected and identified. One that two are connected to is there twice. */
  readonly shards: readonly number[];
  readonly isReady: boolean;
  /** Those of the last IDENTIFY. */
  readonly intents: number;
  /** Op 7: "reconnect, please". */
  readonly askToReconnect: () => void;
  /** Op 9. */
  readonly invalidate: (isResumable: boolean) => void;
  /** Sends a frame as it is. */
  readonly sendFrame: (frame: string) => void;
  /** 1000 and 1001 end the session for good, as do 4004 and the like. */
  readonly closeWith: (code: number, reason?: string) => void;
  /** The wire is cut: no close frame. */
  readonly cut: () => void;
  /**
   * The sockets of now stay open for good; nothing on them is acknowledged or sent. New sockets work. `isDead`: not
   * even a close is answered, for which the client waits 30 s.
   */
  readonly deafen: (how?: { readonly isDead?: boolean }) => void;
  /** New sockets are refused (503) until it is turned off. */
  readonly setRefusing: (isRefusing: boolean) => void;
  /** Sessions that could be resumed are forgotten. */
  readonly forgetSessions: () => void;
}

export interface FakeDiscordFaults {
  /** 429 for whatever fits, for so long. Without a filter of channel or route and `isGlobal`: the global limit. */
  readonly storm: (storm: {
    readonly forMs: number;
    readonly channelId?: string;
    readonly route?: string;
    readonly isGlobal?: boolean;
  }) => void;
  /** The next n are answered with this status (500, 502, 503…) and nothing is done. */
  readonly failNext: (times: number, status: number, filter?: RequestFilter) => void;
  /**
   * Refuses, from now on, whatever fits and has this in it. `status`: as Discord answers with, 403 unless it is said. A
   * path of a field, such as `message_reference`, says what of an invalid form (50035) is wrong.
   */
  readonly refuse: (
    code: number,
    filter?: RequestFilter & {
      readonly has?: 'reference' | 'files' | 'embeds' | 'link';
      readonly status?: number;
      readonly path?: string;
    },
  ) => void;
  /** The next n are done, and their connection dies before the response. */
  readonly loseResponses: (times: number, filter?: RequestFilter) => void;
  /** The connection of the next n dies before anything is done. */
  readonly loseRequests: (times: number, filter?: RequestFilter) => void;
  /** The responses of the next n wait. */
  readonly slowDown: (times: number, delayMs: number, filter?: RequestFilter) => void;
  /** The next n are done, and answered when the promise resolves. */
  readonly hold: (times: number, until: Promise<void>, filter?: RequestFilter) => void;
  /** All of REST answers 503 until it is turned off. */
  readonly setDown: (isDown: boolean) => void;
  /** None of the above any more. */
  readonly clear: () => void;
}
