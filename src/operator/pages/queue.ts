import { html } from 'hono/html';
import { badge, count, facts, note, table, type BadgeTone } from '../markup.ts';
import type { Page, Section } from '../page.ts';
import { pageTexts } from './texts.ts';

const load: Section = {
  id: 'load',
  isLive: true,
  render: async (view) => {
    const t = pageTexts(view.locale);
    const { queue: own, inbox } = await view.reports.status();
    return facts([
      [t.waiting, count(inbox.pending, view), t.waitingNote],
      [t.suspended, count(inbox.suspended, view), t.allProcesses],
      [t.running, count(own.running, view), t.thisProcess],
      [t.inMemory, count(own.waiting, view), t.thisProcess],
      [t.activeSessions, count(own.sessions, view), t.thisProcess],
    ]);
  },
};

const lanes: Section = {
  id: 'lanes',
  isLive: true,
  isOfThisProcess: true,
  render: async (view) => {
    const t = pageTexts(view.locale);
    const { lanes: list } = await view.reports.status();
    const isNumber = true;
    return table(
      {
        id: 'lanes',
        caption: t.lanesCaption,
        columns: [
          { title: t.lane },
          { title: t.active, isNumber },
          { title: t.queued, isNumber },
          { title: t.slots, isNumber },
        ],
      },
      list.map(({ laneId, active, queued, maxConcurrency }) => [
        laneId,
        count(active, view),
        count(queued, view),
        count(maxConcurrency, view),
      ]),
      view,
    );
  },
};

export const BREAKER_TONES = { closed: 'good', open: 'bad', 'half-open': 'warn' } as const satisfies Record<
  string,
  BadgeTone
>;

const breakers: Section = {
  id: 'breakers',
  isLive: true,
  isOfThisProcess: true,
  render: async (view) => {
    const t = pageTexts(view.locale);
    const { breakers: list } = await view.reports.status();
    return html`${table(
      { id: 'breakers', caption: t.breakersCaption, columns: [{ title: t.breaker }, { title: t.state }] },
      list.map(({ name, state }) => [
        name,
        badge(t.breakerStates[state], state === 'closed' ? 'plain' : BREAKER_TONES[state]),
      ]),
      view,
    )}${note(t.breakerNote)}`;
  },
};

export const queue: Page = { id: 'queue', sections: [load, lanes, breakers] };
