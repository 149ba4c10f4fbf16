import { clearLine, cursorTo } from 'node:readline';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import type { ReplyPayload } from '#src/kernel/message.ts';
import { stripControlCharacters } from '#src/kernel/text.ts';
import { withVisibleLinks } from '#src/kernel/visible-links.ts';

export type TerminalOutput = Writable & { readonly isTTY?: boolean };

type Style = 'bold' | 'dim' | 'cyan' | 'italic';

/** Renders Markdown as styles on a screen and as plain text in a pipe. Code blocks stay as they are. */
export const renderForTerminal = (text: string, hasColour: boolean): string => {
  const style = (name: Style, shown: string): string =>
    hasColour ? styleText(name, shown, { validateStream: false }) : shown;
  let isCode = false;
  // Control characters are removed, because a terminal obeys escape sequences in untrusted text.
  return withVisibleLinks(stripControlCharacters(text))
    .split('\n')
    .flatMap((line) => {
      if (/^\s*(```|~~~)/.test(line)) {
        isCode = !isCode;
        return [];
      }
      if (isCode) return [style('dim', line)];
      const spans: string[] = [];
      return [
        line
          // Code is replaced by NUL first, because Markdown inside it has no meaning. The text contains no other NUL.
          .replace(/`([^`]+)`/g, (_all, code: string) => {
            spans.push(style('cyan', code));
            return '\u0000';
          })
          .replace(/\*\*(?!\s)([^*]+)(?<!\s)\*\*/g, (_all, inner: string) => style('bold', inner))
          .replace(/(?<![\w\p{L}])_([^_]+)_(?![\w\p{L}])/gu, (_all, inner: string) => style('italic', inner))
          .replace(/\u0000/g, () => spans.shift() ?? ''),
      ];
    })
    .join('\n');
};

const placeOf = (url: string): string => (url.startsWith('file:') ? fileURLToPath(url) : url);

/** Appends the paths of the files, because a terminal cannot receive them. */
export const withFiles = ({ text, media = [] }: ReplyPayload): string =>
  [text, ...media.map(({ name, url }) => `📎 ${name}: \`${placeOf(url)}\``)].join('\n');

const write = (output: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Prints in place of the prompt or the waiting sign. */
export const print = async (output: TerminalOutput, text: string): Promise<void> => {
  if (output.isTTY) {
    cursorTo(output, 0);
    clearLine(output, 0);
  }
  await write(output, `${text}\n`);
};

export const showWaitingSign = (output: TerminalOutput, hasColour: boolean): Promise<void> => {
  const sign = hasColour ? styleText('dim', '…', { validateStream: false }) : '…';
  return output.isTTY ? write(output, `\r${sign}`) : Promise.resolve();
};
