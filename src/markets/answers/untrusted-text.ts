import { graphemes, visibleLine } from '#src/kernel/text.ts';

const MAX_READ = 2_000;
/** Not seen, and whatever it stands in is no markup and no address any more. */
const SEAM = '\u2060';
const ELLIPSIS = '…';

/** One short line of what somebody outside wrote, to the letter but for its length. */
export const untrustedLine = (text: string, maxCharacters: number): string => {
  const line = visibleLine(text.slice(0, MAX_READ).toWellFormed()).replaceAll(/\s+/gu, ' ').trim();
  const characters = Array.from(graphemes().segment(line), ({ segment }) => segment);
  return characters.length <= maxCharacters
    ? line
    : `${characters
        .slice(0, maxCharacters - 1)
        .join('')
        .trimEnd()}${ELLIPSIS}`;
};

/**
 * The same inside Markdown of ours. It cannot format, link or mention, on any platform: `<…>` calls people in
 * Discord and Slack whatever stands before it, so those signs become others; `[단독]` stays as it is read.
 */
export const inMarkdown = (line: string): string =>
  line
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replaceAll('`', 'ˋ')
    .replaceAll('|', '¦')
    .replaceAll(/[\\*_~]/g, String.raw`\$&`)
    .replaceAll(/\](?=[([:])/g, `]${SEAM}`)
    .replaceAll(/:(?=\/\/)/g, `:${SEAM}`)
    .replaceAll(/[@＠](?=[\p{L}\p{N}])/gu, (sign) => sign + SEAM);

const MAX_ADDRESS = 500;

/** An address that may be shown as a link, in full; undefined for all else. */
export const webAddress = (text: string): string | undefined => {
  const url = URL.parse(text.trim());
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  // `https://bank.example@evil.example` is read as the wrong place.
  if (url.username !== '' || url.password !== '') return undefined;
  const address = url.href.replaceAll(
    /[<>|`"\\\s]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return address.length <= MAX_ADDRESS ? address : undefined;
};
