/** How a person's time zone is known, the most reliable source first. */
export type ZoneSource =
  /** Set with `/profile`. */
  | 'profile'
  /** From the platform profile, as on Slack. */
  | 'platform'
  /** The person uses the terminal of the bot's machine. */
  | 'terminal'
  /** Guessed from the person's language on the platform. */
  | 'language'
  /** Set by the server's managers with `/settings`. */
  | 'server'
  /** Guessed from the server's language. */
  | 'server-language'
  /** Configured by the operator. */
  | 'bot'
  /** The zone of the bot's machine: often UTC, wherever people are. */
  | 'machine';

/** Whether the zone is certainly the person's own. An absent source counts as sure. */
export const isSureZone = (source: ZoneSource | undefined): boolean =>
  source === undefined || source === 'profile' || source === 'platform' || source === 'terminal';

/** Whether somebody set the zone, for the person, the server or the bot. Otherwise it is a guess. */
export const isSaidZone = (source: ZoneSource | undefined): boolean =>
  isSureZone(source) || source === 'server' || source === 'bot';

/** The name as Temporal writes it; undefined if it is not a zone. */
export const canonicalZone = (name: string): string | undefined => {
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId;
  } catch {
    return undefined;
  }
};

export const isTimeZone = (zone: string): boolean => canonicalZone(zone) !== undefined;
