import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';

/** How a terminal is given a picture. */
export type PictureProtocol = 'kitty' | 'iterm';

/** The protocol of this terminal; undefined where it shows none, or a multiplexer stands in between. */
export const pictureProtocolOf = (env: NodeJS.ProcessEnv): PictureProtocol | undefined => {
  const { TERM = '', TERM_PROGRAM = '' } = env;
  if (env['TMUX'] || env['STY'] || /^(?:screen|tmux|dumb|$)/.test(TERM)) return undefined;
  if (
    env['KITTY_WINDOW_ID'] ||
    TERM === 'xterm-kitty' ||
    TERM === 'xterm-ghostty' ||
    TERM_PROGRAM === 'ghostty'
  )
    return 'kitty';
  return TERM_PROGRAM === 'iTerm.app' || TERM_PROGRAM === 'WezTerm' ? 'iterm' : undefined;
};

const MAX_BYTES = 8 * 1024 * 1024;
/** The longest piece of data that kitty takes at once. */
const PIECE_CHARS = 4_096;

const forKitty = (data: string, columns: number): string => {
  let written = '';
  for (let at = 0; at < data.length; at += PIECE_CHARS) {
    const first = at === 0 ? `a=T,f=100,q=2,c=${columns},` : '';
    const hasMore = at + PIECE_CHARS < data.length ? 1 : 0;
    written += `\u001b_G${first}m=${hasMore};${data.slice(at, at + PIECE_CHARS)}\u001b\\`;
  }
  return written;
};

const forIterm = (data: string, bytes: number, columns: number): string =>
  `\u001b]1337;File=inline=1;size=${bytes};width=${columns};preserveAspectRatio=1:${data}\u0007`;

const MAX_COLUMNS = 80;

/** What to write so that the terminal shows the picture. Undefined if it is no PNG of ours, or cannot be read. */
export const drawPicture = async (
  { kind, mimeType, url }: MediaAttachment,
  protocol: PictureProtocol,
  screenColumns: number,
): Promise<string | undefined> => {
  if (kind !== 'image' || mimeType !== 'image/png' || !url.startsWith('file:')) return undefined;
  const path = fileURLToPath(url);
  try {
    if ((await stat(path)).size > MAX_BYTES) return undefined;
    const bytes = await readFile(path);
    const columns = Math.min(MAX_COLUMNS, screenColumns);
    const data = bytes.toString('base64');
    return protocol === 'kitty' ? forKitty(data, columns) : forIterm(data, bytes.length, columns);
  } catch {
    // The path is shown in any case.
    return undefined;
  }
};
