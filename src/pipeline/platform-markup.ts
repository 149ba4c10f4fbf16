import { writeMoment } from '#src/core/moment.ts';

/** What platforms write between `<` and `>`, as a person reads it. None of it can ping anybody any more. */

type Rule = readonly [pattern: RegExp, readable: (...found: string[]) => string];

const TIME = /<t:(\d{1,13})(?::[tTdDfFRsS])?>/g;

/** 9999-12-31; what lies behind it is no date that anybody means. */
const LAST_SECOND = 253_402_300_799;

/** `2026-11-13 15:30 KST`, in the reader's zone. */
const timeIn =
  (timeZone: string) =>
  (found: string, seconds = ''): string =>
    Number(seconds) > LAST_SECOND
      ? found
      : writeMoment(Temporal.Instant.fromEpochMilliseconds(Number(seconds) * 1_000), timeZone);

const withoutScheme = (address: string): string =>
  address.replace(/^(?:https?:\/\/|mailto:|tel:)/i, '').replace(/\/$/, '');

/** Slack puts the bare address behind every address that it found itself: that label says nothing new. */
const labelled = (_found: string, address: string, label: string): string => {
  if (withoutScheme(label.trim()) === withoutScheme(address) || label.trim() === '')
    return address.replace(/^(?:mailto|tel):/i, '');
  return `${label.trim()} (${address})`;
};

const RULES: readonly Rule[] = [
  // Discord
  [/<a?:(\w{2,32}):\d+>/g, (_found, name = '') => `:${name}:`],
  [/<\/([-_ \p{L}\p{N}]{1,100}):\d+>/gu, (_found, name = '') => `/${name}`],
  [/<@&\d+>/g, () => '@role'],
  // Slack
  [/<!subteam\^[A-Z0-9]+(?:\|@?([^<>|]*))?>/g, (_found, name) => `@${name?.trim() || 'group'}`],
  [/<!date\^[^<>|]*\|([^<>|]*)>/g, (_found, fallback = '') => fallback],
  [/<!(here|channel|everyone)(?:\|[^<>]*)?>/g, (_found, whom = '') => whom],
  [
    /<((?:https?:\/\/|mailto:|tel:)[^\s<>|]+)\|([^<>]*)>/gi,
    (found, address = '', label = '') => labelled(found, address, label),
  ],
  // Both
  [/<#([A-Za-z0-9]+)(?:\|([^<>|]*))?>/g, (_found, id = '', name) => `#${name?.trim() || id}`],
];

/** A role at the very beginning addresses the bot, as its name does: it says nothing else. */
const LEADING_ROLES = /^(?:\s*<@&\d+>)+/;

/** Text without the markup of platforms; mentions of people are not touched. */
export const readableMarkup = (text: string, timeZone = 'UTC'): string => {
  if (!text.includes('<')) return text;
  return RULES.reduce(
    (readable, [pattern, replacement]) => readable.replace(pattern, replacement),
    text.replace(LEADING_ROLES, '').replace(TIME, timeIn(timeZone)),
  );
};
