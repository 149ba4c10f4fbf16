import { openConsole, settle } from './support.ts';

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';
export const PROMPT = '› ';
/** Cursor movements and clearing of lines: what a terminal needs even without colour. */
const CURSOR_CONTROL = /\u001b\[(?:\d*[A-K]|\?(?:2004|2026)[hl])/g;

type Console = ReturnType<typeof openConsole>;

export const openTerminal = async (
  options: Partial<Parameters<typeof openConsole>[0]> = {},
): Promise<Console> => {
  const opened = openConsole({ isTTY: true, ...options });
  await opened.channel.start(opened.host);
  await settle();
  return opened;
};

export const startedAndQuiet = async (): Promise<Console> => {
  const opened = await openTerminal();
  opened.screen.take();
  return opened;
};

/** What a person sees of it. */
export const shown = (screen: Console['screen']): string => screen.take().replaceAll(CURSOR_CONTROL, '');
