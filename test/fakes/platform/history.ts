/** Who ended a process, or what it did at its end. */
export type LifeEvent =
  | { readonly type: 'started' | 'connected'; readonly life: number }
  | { readonly type: 'killed'; readonly life: number; readonly signal: string; readonly why: string }
  | { readonly type: 'exited'; readonly life: number; readonly code: number | null };

/** A person wrote something. */
export interface Sent {
  readonly type: 'sent';
  readonly event: string;
  readonly message: string;
  readonly chat: string;
  readonly sender: string;
  readonly body: string;
  /** The platform itself brought it late, after what was said behind it: it has no place in any order. */
  readonly isLate?: true;
}

/** A person changed their mind about something they wrote. */
export interface Changed {
  readonly type: 'changed';
  readonly event: string;
  readonly message: string;
  /** Absent: it was deleted. */
  readonly body?: string;
}

/** The bot took charge of an event: it is not delivered again by itself. */
export interface Acknowledged {
  readonly type: 'acknowledged';
  readonly event: string;
  readonly outcome: string;
  readonly reason?: string;
}

/** The bot wrote something. */
export interface Posted {
  readonly type: 'posted';
  /** The bot's own number of it. */
  readonly nonce: string;
  readonly chat: string;
  readonly replyTo: string;
  readonly text: string;
}

/** The bot wrote something again that the platform had already: nobody saw it twice. */
export interface Refused {
  readonly type: 'refused';
  readonly nonce: string;
}

export interface Reacted {
  readonly type: 'reacted' | 'unreacted';
  readonly message: string;
  readonly emoji: string;
}

/** What a platform knows, in the order in which it came about. */
export type Happening =
  | LifeEvent
  | Sent
  | Changed
  | Acknowledged
  | Posted
  | Refused
  | Reacted
  | { readonly type: 'delivered'; readonly event: string; readonly isRepeated: boolean }
  | { readonly type: 'not taken'; readonly event: string; readonly error: string }
  | { readonly type: 'typing'; readonly chat: string }
  /** Something went wrong between the platform and the bot. */
  | { readonly type: 'trouble'; readonly what: string };

export type HistoryEntry = Happening & { readonly atMs: number };

/** All entries of one kind. */
export const ofType = <Type extends Happening['type']>(
  history: readonly Happening[],
  type: Type,
): readonly Extract<Happening, { readonly type: Type }>[] =>
  history.filter((entry): entry is Extract<Happening, { readonly type: Type }> => entry.type === type);
