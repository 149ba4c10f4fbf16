import { writeMoment } from '#src/kernel/time.ts';
import type { PlatformMarkup } from '#src/platform/text/platform-markup.ts';
import { shownValue, type WriteHint } from '#src/platform/text/command-hints.ts';

/** 9999-12-31. A later second is no date that anybody means. */
const LAST_SECOND = 253_402_300_799;

export const discordMarkup: PlatformMarkup = {
  mention: /<@!?\d+>/g,
  chatMention: /<#(\d+)>/g,
  roleMention: /<@&(\d+)>/g,
  chatId: /^#?(\d{5,25})$/,
  rules: [
    // A role at the very beginning addresses the bot, as its name does: it says nothing else.
    { pattern: /^(?:\s*<@&\d+>)+/g, readable: () => '' },
    {
      pattern: /<t:(\d{1,13})(?::[tTdDfFRsS])?>/g,
      readable: (found, [seconds], timeZone) =>
        Number(seconds) > LAST_SECOND
          ? found
          : writeMoment(Temporal.Instant.fromEpochMilliseconds(Number(seconds) * 1_000), timeZone),
    },
    { pattern: /<a?:(\w{2,32}):\d+>/g, readable: (_found, [name = '']) => `:${name}:` },
    { pattern: /<\/([-_ \p{L}\p{N}]{1,100}):\d+>/gu, readable: (_found, [name = '']) => `/${name}` },
    { pattern: /<@&\d+>/g, readable: () => '@role' },
    { pattern: /<#(\d+)>/g, readable: (_found, [id = '']) => `#${id}` },
  ],
};

/**
 * Writes a command as a clickable mention, if its id is known, followed by the options to fill in.
 * `</alert:123> `condition: AAPL > 200``.
 */
export const discordHint =
  (ids: ReadonlyMap<string, string>): WriteHint =>
  ({ definition, subcommand, values }, locale) => {
    const id = ids.get(definition.name);
    const name = subcommand ? `${definition.name} ${subcommand.name}` : definition.name;
    const filled = values.map((each) => {
      const option = locale === 'ko' ? each.option.nameKo : each.option.name;
      return `\`${option}: ${shownValue(each, locale)}\``;
    });
    return [id === undefined ? `\`/${name}\`` : `</${name}:${id}>`, ...filled].join(' ');
  };
