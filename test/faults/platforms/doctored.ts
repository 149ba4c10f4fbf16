import type { InboxRow } from '../facts.ts';
import type { Store } from '../read-store.ts';
import { answerTo } from '../words.ts';
import type { Spoken } from './spoken.ts';

/** What was said as m01 by ann. */
export const said = (more: Partial<Spoken> = {}): Spoken => ({
  number: '01',
  sender: 'ann',
  chat: 'room',
  message: 'message-1',
  event: 'event-1',
  body: 'm01 please',
  isMeant: true,
  isCall: false,
  ...more,
});

export const ANSWER = answerTo(['m01'], false);
/** Nobody was killed. */
export const NO_NOTES = { notes: [], killedAtMs: [], outagesAtMs: [] };

export const row = (event: string): InboxRow => ({
  id: `row-${event}`,
  event,
  session: 'session',
  sender: 'ann',
  status: 'done',
  takenBy: null,
});

export const stored = (...events: readonly string[]): Store => ({ rows: events.map(row), parts: [] });
