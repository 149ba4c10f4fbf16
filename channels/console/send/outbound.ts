import { clearLine, cursorTo } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { numberedChoices, type OutboundMessage, type ReplyPayload } from '#src/kernel/chat/message.ts';
import { stripControlCharacters } from '#src/kernel/text.ts';
import { withVisibleLinks } from '#src/platform/text/visible-links.ts';
import { type TerminalOutput, write } from './screen.ts';
import { HARD_SPACE } from './spans.ts';

type Style = 'bold' | 'dim' | 'cyan' | 'italic';

/** Renders Markdown for an output that nobody types into: its lines stay as they are, and so do code blocks. */
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

/** Prints for somebody who does not type here. On a screen it takes the place of the waiting sign. */
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

/** Signs that Markdown would take for its own. */
const plain = (text: string): string => text.replaceAll(/[\\`*_~<]/g, '\\$&');

/** Whether the text is a list that numbers this many things from 1. */
const isNumbered = (text: string, count: number): boolean =>
  count > 0 &&
  [...text.matchAll(/^(\d{1,3})\. /gm)].map(([, number]) => Number(number)).join() ===
    Array.from({ length: count }, (_none, index) => index + 1).join();

/**
 * The choices with the numbers that pick them. Only an answer can be picked from: what comes by itself, such as an alert,
 * names the command to type.
 */
const choicesOf = ({ target, payload: { text, choices = [] } }: OutboundMessage): readonly string[] => {
  if (target.replyToMessageId === undefined) {
    const untold = choices.filter(({ command }) => !text.includes(command));
    return untold.map(({ label, command }) => `- ${plain(label)}: \`${command}\``);
  }
  const listed = numberedChoices(choices).map(({ label, isCurrent }, index) =>
    `**${index + 1})** ${plain(label)}${isCurrent ? ' ✓' : ''}`.replaceAll(' ', HARD_SPACE),
  );
  const picks = choices.filter(({ answers }) => answers === 'pick').length;
  const shown = isNumbered(text, picks) ? listed.slice(picks) : listed;
  return shown.length === 0 ? [] : ['', shown.join('   ')];
};

/** An answer for a person at the keyboard, with its files and what can be picked. */
export const withChoices = (message: OutboundMessage): string =>
  [withFiles(message.payload), ...choicesOf(message)].join('\n');
