declare const brand: unique symbol;

/** A string type per kind of id, so that a chat id cannot be passed as a user id. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** A platform: `console`, `discord`, `slack`. */
export type ChannelId = Brand<string, 'ChannelId'>;
/** The bot's own account on that platform (a Slack team, a Discord application). */
export type AccountId = Brand<string, 'AccountId'>;
/** The conversation on the platform; in a direct chat, the person's id. */
export type ChatId = Brand<string, 'ChatId'>;
export type ThreadId = Brand<string, 'ThreadId'>;
export type UserId = Brand<string, 'UserId'>;
/** The platform's id of an event. An event that is delivered twice has the same id. */
export type EventId = Brand<string, 'EventId'>;
/** The platform's id of a visible message, as used by replies and reactions. */
export type MessageId = Brand<string, 'MessageId'>;
export type AgentId = Brand<string, 'AgentId'>;
/** `agent:{agent}:{channel}:{account}:{chatType}:{chat}[:{thread}]` */
export type SessionKey = Brand<string, 'SessionKey'>;
/** A UUIDv7 of ours: sorting by it gives the order of acceptance. */
export type InboxId = Brand<string, 'InboxId'>;
export type TurnId = Brand<string, 'TurnId'>;
export type ApprovalId = Brand<string, 'ApprovalId'>;
export type DeliveryId = Brand<string, 'DeliveryId'>;
/** The owner of account data: one person with all their linked identities. */
export type OwnerId = Brand<string, 'OwnerId'>;
export type PortfolioId = Brand<string, 'PortfolioId'>;
export type TransactionId = Brand<string, 'TransactionId'>;
/** Six letters and digits that people can type; unique across all people, so that no button acts on another's alert. */
export type AlertId = Brand<string, 'AlertId'>;
export type BriefingId = Brand<string, 'BriefingId'>;

/** Points in time are instants. Time zones matter only where people read or write a time. */
export type Timestamp = Temporal.Instant;

/** Brands a plain string. Use it only at the edges (platform, database, configuration). */
export const asId = <Id extends Brand<string, string>>(raw: string): Id => raw as Id;

/** Escapes the separator of keys, so that a platform id cannot produce the key of another person or conversation; and back. */
export const keyPart = (raw: string): string => raw.replaceAll('%', '%25').replaceAll(':', '%3A');
export const fromKeyPart = (part: string): string => part.replaceAll('%3A', ':').replaceAll('%25', '%');

/** An identity authenticated by its platform: the only key to account data. */
export interface PersonRef {
  readonly channelId: ChannelId;
  readonly userId: UserId;
}

/** An identity with the name that its platform shows. The name is untrusted input: anybody chooses their own. */
export interface NamedIdentity extends PersonRef {
  readonly name?: string;
}

/** A map key for a person. */
export const personKey = ({ channelId, userId }: PersonRef): string => [channelId, userId].join('\0');
