/** How a person's zone is known, the surest first. */
export type ZoneSource =
  /** They set it with `/profile`. */
  | 'profile'
  /** Their profile on the platform tells it, as Slack's does. */
  | 'platform'
  /** They sit at the machine that the bot runs on. */
  | 'terminal'
  /** A guess from the language in which they use the platform. */
  | 'language'
  /** Those who run the server set it with `/settings`. */
  | 'server'
  /** A guess from the language of the server. */
  | 'server-language'
  /** The operator configured it. */
  | 'bot'
  /** The machine that the bot runs on has it: often UTC, wherever people are. */
  | 'machine';

/** Only where it is the person's own for certain is nothing asked. Absent: the caller vouches for it. */
export const isSureZone = (source: ZoneSource | undefined): boolean =>
  source === undefined || source === 'profile' || source === 'platform' || source === 'terminal';

/** Whether somebody said it: the person, their platform, or those who run the server or the bot. Else it is a guess. */
export const isSaidZone = (source: ZoneSource | undefined): boolean =>
  isSureZone(source) || source === 'server' || source === 'bot';

/** As Temporal writes it; undefined for what is no zone. */
export const canonicalZone = (name: string): string | undefined => {
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId;
  } catch {
    return undefined;
  }
};

/** Whether a name of the configuration, the database or a platform is a zone as it stands. */
export const isTimeZone = (zone: string): boolean => canonicalZone(zone) !== undefined;
