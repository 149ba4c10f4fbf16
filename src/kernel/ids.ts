declare const brand: unique symbol;

/** A string that says what it identifies, so that a chat id is never passed where a user id is due. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** A platform: `console`, `discord`, `slack`. */
export type ChannelId = Brand<string, 'ChannelId'>;
/** The bot's own account on that platform (a Slack team, a Discord application). */
export type AccountId = Brand<string, 'AccountId'>;
/** The conversation on the platform; of a direct chat it is the person's id. */
export type ChatId = Brand<string, 'ChatId'>;
export type ThreadId = Brand<string, 'ThreadId'>;
export type UserId = Brand<string, 'UserId'>;
/** The platform's id of one event; the same event delivered twice carries the same id. */
export type EventId = Brand<string, 'EventId'>;
/** The platform's id of one visible message: what a reply or a reaction points at. */
export type MessageId = Brand<string, 'MessageId'>;
export type AgentId = Brand<string, 'AgentId'>;
/** `agent:{agent}:{channel}:{account}:{chatType}:{chat}[:{thread}]` */
export type SessionKey = Brand<string, 'SessionKey'>;
/** Ours, UUIDv7: sorting by it gives the order of acceptance. */
export type InboxId = Brand<string, 'InboxId'>;
export type TurnId = Brand<string, 'TurnId'>;
export type ApprovalId = Brand<string, 'ApprovalId'>;
export type DeliveryId = Brand<string, 'DeliveryId'>;
/** Whose holdings, alerts and lists: one person, on however many platforms they linked to each other. */
export type OwnerId = Brand<string, 'OwnerId'>;
export type PortfolioId = Brand<string, 'PortfolioId'>;
export type TransactionId = Brand<string, 'TransactionId'>;
/** Six letters and digits that people type and press; unique over all people, so that a button is never another's. */
export type AlertId = Brand<string, 'AlertId'>;
export type BriefingId = Brand<string, 'BriefingId'>;

/** Every point in time is an instant; zones appear only where a person reads it. */
export type Timestamp = Temporal.Instant;

/** The one place where a plain string becomes an id: use it at the edges (platform, database, config). */
export const asId = <Id extends Brand<string, string>>(raw: string): Id => raw as Id;

/** Somebody as their platform vouches for them: the only key to what is theirs. */
export interface PersonRef {
  readonly channelId: ChannelId;
  readonly userId: UserId;
}
