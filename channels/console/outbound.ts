import { clearLine, cursorTo } from 'node:readline';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import type { ReplyPayload } from '#src/kernel/message.ts';
import { stripControlCharacters } from '#src/kernel/text.ts';
import { withVisibleLinks } from '#src/kernel/visible-links.ts';

export type TerminalOutput = Writable & { readonly isTTY?: boolean };

type Style = 'bold' | 'dim' | 'cyan' | 'italic';

/** Markdown as a terminal can show it: styles on a screen, plain words in a pipe. Code blocks stay as they are. */
export const renderForTerminal = (text: string, hasColour: boolean): string => {
  const style = (name: Style, words: string): string =>
    hasColour ? styleText(name, words, { validateStream: false }) : words;
  let isCode = false;
  // A terminal obeys escape sequences; text from elsewhere must not be able to give it orders.
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
          // Code is set aside first: what looks like a style inside it is none. No NUL is left in the text.
          .replace(/`([^`]+)`/g, (_all, words: string) => {
            spans.push(style('cyan', words));
            return '\u0000';
          })
          .replace(/\*\*(?!\s)([^*]+)(?<!\s)\*\*/g, (_all, words: string) => style('bold', words))
          .replace(/(?<![\w\p{L}])_([^_]+)_(?![\w\p{L}])/gu, (_all, words: string) => style('italic', words))
          .replace(/\u0000/g, () => spans.shift() ?? ''),
      ];
    })
    .join('\n');
};

const placeOf = (url: string): string => (url.startsWith('file:') ? fileURLToPath(url) : url);

/** A terminal cannot be sent a file: it is told where the file lies. */
export const withFiles = ({ text, media = [] }: ReplyPayload): string =>
  [text, ...media.map(({ name, url }) => `📎 ${name}: \`${placeOf(url)}\``)].join('\n');

const write = (output: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Prints below whatever is being typed, and takes a waiting sign away first. */
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
