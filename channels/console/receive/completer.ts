import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { displayWidth } from '#src/platform/text/display-width.ts';
import { commonStart, createCompletion } from './completion.ts';
import { LOCAL_SENDER } from './inbound.ts';

interface CompleterDeps {
  readonly host: Pick<ChannelHost, 'commands' | 'suggest'>;
  readonly locale: Locale;
  readonly columns: () => number;
  readonly print: (text: string) => Promise<void>;
}

/** So many are listed with what they are; more than these by their names, side by side. */
const MAX_EXPLAINED = 12;
const GAP = 2;

/** In a block of code, because names may contain signs of Markdown. */
const asCode = (lines: readonly string[]): string => ['```', ...lines, '```'].join('\n');

const sideBySide = (names: readonly string[], columns: number): readonly string[] => {
  const width = Math.max(...names.map((name) => displayWidth(name))) + GAP;
  const perLine = Math.max(1, Math.floor(columns / width));
  return Array.from({ length: Math.ceil(names.length / perLine) }, (_none, line) =>
    names
      .slice(line * perLine, (line + 1) * perLine)
      .map((name) => name + ' '.repeat(width - displayWidth(name)))
      .join('')
      .trimEnd(),
  );
};

/** The effect of Tab: the only possible end of the line, or what all possible ones have in common, or a list of them. */
export const createCompleter = ({ host, locale, columns, print }: CompleterDeps) => {
  const complete = createCompletion(host, { ...LOCAL_SENDER, locale });

  return async (line: string): Promise<{ readonly typed: string; readonly by: string | undefined }> => {
    try {
      const { typed, found } = await complete(line);
      const [first, ...others] = found;
      if (!first) return { typed, by: undefined };
      if (others.length === 0)
        return { typed, by: first.value.endsWith('=') ? first.value : `${first.value} ` };
      const common = commonStart(found.map(({ value }) => value));
      if (common.length > typed.length && common.toLowerCase().startsWith(typed.toLowerCase()))
        return { typed, by: common };
      const lines =
        found.length > MAX_EXPLAINED
          ? sideBySide(
              found.map(({ value }) => value),
              columns(),
            )
          : found.map(({ label }) => label);
      await print(asCode(lines));
      return { typed, by: undefined };
    } catch {
      // The output is closed, which has ended the chat.
      return { typed: line, by: undefined };
    }
  };
};
