import { describe, expect, it } from 'vitest';
import { ManualClock } from '#test/support/manual-clock.ts';
import { fakeReports } from './fake-operator.ts';
import { ADMIN_PERSON, startOperatorPage, visitor } from './running-page.ts';

interface LiveEvent {
  readonly event: string;
  readonly data: { readonly id: string; readonly html: string };
}

/** Reads events as a browser does. */
const listenTo = (response: Response) => {
  const events: LiveEvent[] = [];
  let isOpen = true;
  const read = async (): Promise<void> => {
    let text = '';
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString();
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, event = '', data = '{}'] = /^event: (.+)\ndata: (.+)$/.exec(block) ?? [];
        if (event !== '') events.push({ event, data: JSON.parse(data) as LiveEvent['data'] });
      }
    }
  };
  const ended = read()
    .catch(() => undefined)
    .finally(() => {
      isOpen = false;
    });
  return { events, ended, isOpen: () => isOpen };
};

/** Lets what was sent arrive. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

const setUp = async () => {
  const clock = new ManualClock();
  let waiting = 3;
  let asked = 0;
  const { status } = fakeReports();
  const page = await startOperatorPage({
    clock,
    reports: {
      status: async () => {
        asked += 1;
        return { ...(await status()), inbox: { pending: waiting, suspended: 0 } };
      },
    },
  });
  const me = visitor(page);
  await me.logIn((await page.access.issueCode(ADMIN_PERSON, []))?.code);
  const listen = async (path = '/operator/events?page=queue') => listenTo(await me.get(path));
  /** Moves the clock, and lets what was sent arrive. */
  const pass = async (ms: number): Promise<void> => {
    await clock.advance(ms);
    await turn();
  };
  return {
    clock,
    page,
    me,
    listen,
    pass,
    asked: () => asked,
    setWaiting: (count: number) => {
      waiting = count;
    },
  };
};

describe('live updates of the operator page', () => {
  it('are for sessions only', async () => {
    const { page } = await setUp();
    const response = await visitor(page).get('/operator/events?page=queue');
    expect([response.status, await response.text()]).toEqual([200, 'event: ended\ndata: {}\n\n']);
  });

  it('send the same markup as the page every two seconds, with the time of its numbers', async () => {
    const { me, listen, pass, setWaiting } = await setUp();
    const { events } = await listen();
    await pass(2_000);
    expect(events.map(({ event, data }) => [event, data.id])).toEqual([
      ['part', 'load'],
      ['part', 'lanes'],
      ['part', 'breakers'],
    ]);
    const page = await me.text('/operator/queue');
    const sent = events.find(({ data }) => data.id === 'load')?.data.html ?? '-';
    expect(page).toContain(sent);
    setWaiting(77);
    await pass(2_000);
    const newest = events.findLast(({ data }) => data.id === 'load');
    expect(newest?.data.html).toContain('77');
  });

  it('ask each report once for all who listen, and nothing when nobody does', async () => {
    const { clock, asked, listen, pass } = await setUp();
    await pass(60_000);
    expect([asked(), clock.pendingTimers]).toEqual([0, 0]);
    await listen();
    await listen();
    await pass(2_000);
    expect(asked()).toBe(1);
  });

  it('go on once every two seconds when a page is changed while an update is made', async () => {
    const clock = new ManualClock();
    const { status } = fakeReports();
    let asked = 0;
    let hold: Promise<void> = Promise.resolve();
    const page = await startOperatorPage({
      clock,
      reports: {
        status: async () => {
          asked += 1;
          await hold;
          return status();
        },
      },
    });
    const me = visitor(page);
    await me.logIn();
    const open = async (signal: AbortSignal): Promise<void> => {
      const cookie = `finclaw_operator=${me.jar.get('finclaw_operator')}`;
      await fetch(`${page.origin}/operator/events?page=queue`, { headers: { cookie }, signal });
    };
    const leaving = new AbortController();
    await open(leaving.signal);
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    await clock.advance(2_000);
    await expect.poll(() => asked).toBe(1);
    leaving.abort();
    await turn();
    const staying = new AbortController();
    await open(staying.signal);
    resolve();
    const oneIsPlanned = () => expect.poll(() => clock.pendingTimers).toBe(1);
    await oneIsPlanned();
    for (let updates = 0; updates < 5; updates += 1) {
      await clock.advance(2_000);
      await oneIsPlanned();
    }
    expect(asked).toBe(6);
    staying.abort();
  });

  it('take no place for a request without a body', async () => {
    const { clock, page, me } = await setUp();
    const cookie = `finclaw_operator=${me.jar.get('finclaw_operator')}`;
    await fetch(`${page.origin}/operator/events?page=queue`, { method: 'HEAD', headers: { cookie } });
    expect(clock.pendingTimers).toBe(0);
  });

  it('stop when the last page is closed', async () => {
    const { clock, page, me, pass } = await setUp();
    const closing = new AbortController();
    const cookie = `finclaw_operator=${me.jar.get('finclaw_operator')}`;
    const response = await fetch(`${page.origin}/operator/events?page=queue`, {
      headers: { cookie },
      signal: closing.signal,
    });
    expect(response.status).toBe(200);
    expect(clock.pendingTimers).toBe(1);
    closing.abort();
    await pass(0);
    await pass(2_000);
    expect(clock.pendingTimers).toBe(0);
  });

  it('end with the session', async () => {
    const { page, listen, pass } = await setUp();
    const listening = await listen();
    await pass(2_000);
    expect(listening.isOpen()).toBe(true);
    await page.access.endSessions(ADMIN_PERSON);
    await pass(2_000);
    await listening.ended;
    expect(listening.events.at(-1)?.event).toBe('ended');
  });

  it('end when the program stops', async () => {
    const { page, listen } = await setUp();
    const listening = await listen();
    page.page.stop();
    await listening.ended;
    expect(listening.isOpen()).toBe(false);
  });

  it('are for twenty pages at most', async () => {
    const { me, listen } = await setUp();
    for (let count = 0; count < 20; count += 1) await listen();
    const refused = await me.get('/operator/events?page=queue');
    expect(refused.status).toBe(503);
  });

  it('say where a page has none', async () => {
    const { me } = await setUp();
    for (const page of ['', 'nothing', '__proto__'])
      expect((await me.get(`/operator/events?page=${page}`)).status).toBe(404);
  });
});
