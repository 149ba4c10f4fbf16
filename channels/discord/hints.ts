import { type WriteHint, shownValue } from '#src/kernel/command-hints.ts';

/**
 * Writes a command as a clickable mention, if its id is known, followed by the options to fill in.
 * `</alert:123> `condition: AAPL > 200``.
 */
export const discordHint =
  (ids: ReadonlyMap<string, string>): WriteHint =>
  ({ definition: { name }, values }, locale) => {
    const id = ids.get(name);
    const filled = values.map((each) => {
      const option = locale === 'ko' ? each.option.nameKo : each.option.name;
      return `\`${option}: ${shownValue(each, locale)}\``;
    });
    return [id === undefined ? `\`/${name}\`` : `</${name}:${id}>`, ...filled].join(' ');
  };
