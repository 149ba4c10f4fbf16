/** Things as people see them, and the platform vouches for them. */
export interface FakeUser {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly isBot: boolean;
}

export interface FakeGuild {
  readonly id: string;
  readonly name: string;
}

export interface FakeRole {
  readonly id: string;
  readonly name: string;
}

export type ChannelKind =
  | 'text'
  | 'announcement'
  | 'forum'
  | 'thread'
  | 'private-thread'
  | 'announcement-thread'
  | 'direct';

export interface FakeChannel {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
  /** Absent: a direct chat. */
  readonly guildId?: string;
  /** Of a thread. */
  readonly parentId?: string;
}

/** What a message would have notified, by its content and `allowed_mentions`. */
export interface Pinged {
  readonly everyone: boolean;
  readonly users: readonly string[];
  readonly roles: readonly string[];
}

export interface SeenAttachment {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly contentType?: string;
  readonly sizeBytes: number;
  readonly url: string;
}

export interface SeenReaction {
  readonly emoji: string;
  readonly userIds: readonly string[];
}

/** One message, as it is now. */
export interface SeenMessage {
  readonly id: string;
  readonly channelId: string;
  readonly author: FakeUser;
  readonly content: string;
  readonly embeds: readonly Readonly<Record<string, unknown>>[];
  /** Action rows as they were sent. */
  readonly components: readonly Readonly<Record<string, unknown>>[];
  /** Everything in them that can be pressed or chosen from, in order. */
  readonly buttons: readonly SeenButton[];
  readonly attachments: readonly SeenAttachment[];
  readonly replyTo?: string;
  readonly reactions: readonly SeenReaction[];
  /** Only this person sees it. */
  readonly ephemeralFor?: string;
  /** It says "… is thinking" still. */
  readonly isThinking: boolean;
  readonly pinged: Pinged;
  /** As it was sent last; undefined: nothing was said about it. */
  readonly allowedMentions?: Readonly<Record<string, unknown>>;
  readonly nonce?: string;
  readonly interactionId?: string;
  readonly type: number;
  readonly flags: number;
  readonly atMs: number;
  readonly editedAtMs?: number;
}

export interface SeenButton {
  readonly customId?: string;
  readonly label: string;
  readonly style: number;
  readonly isDisabled: boolean;
}
