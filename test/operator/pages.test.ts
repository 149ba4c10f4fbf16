import { describe, expect, it } from 'vitest';
import { asId, type InboxId } from '#src/kernel/ids.ts';
import { type OperatorReports, OTHER_PEOPLE } from '#src/kernel/operations/operator.ts';
import { PAGE_IDS } from '#src/operator/texts.ts';
import { fakeReports } from './fake-operator.ts';
import { ADMIN_PERSON, type PageOptions, startOperatorPage, visitor } from './running-page.ts';

const pathOf = (id: string): string => (id === 'overview' ? '/operator' : `/operator/${id}`);

const enter = async (options: PageOptions = {}, asAdmin = false) => {
  const page = await startOperatorPage(options);
  const me = visitor(page);
  await me.logIn(asAdmin ? (await page.access.issueCode(ADMIN_PERSON, []))?.code : undefined);
  return { page, me };
};

/** Would run or break out if it were not escaped. */
const ATTACK = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&\u202e`;

/** Every text of a report replaced by the attack. */
const attacked = async (): Promise<OperatorReports> => {
  const keep = new Set(['state', 'kind', 'source', 'level', 'from', 'health', 'cooldownReason', 'role']);
  const poison = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return keep.has(name) ? value : `${ATTACK}${value}`;
    if (Array.isArray(value)) return value.map((item) => poison(item, name));
    if (typeof value !== 'object' || value === null) return value;
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, poison(item, key)]));
  };
  const reports = fakeReports();
  const later = <T>(value: T) => Promise.resolve(poison(value) as T);
  return {
    ...reports,
    status: async () => later(await reports.status()),
    usage: async (days) => ({ ...(await later(await reports.usage(days))), timeZone: 'Asia/Seoul' }),
    keys: async () => later(await reports.keys()),
    deadLetters: async (limit) => later(await reports.deadLetters(limit)),
    refusedPosts: () => poison(reports.refusedPosts()) as ReturnType<OperatorReports['refusedPosts']>,
    approvals: async (by) => later(await reports.approvals(by)),
    nameOf: async () => ATTACK,
    plans: async () => later(await reports.plans()),
    market: () => poison(reports.market()) as ReturnType<OperatorReports['market']>,
    settings: poison(reports.settings) as OperatorReports['settings'],
    feedback: async () => later(await reports.feedback()),
    log: () => poison(reports.log()) as ReturnType<OperatorReports['log']>,
    audit: async (limit) => later(await reports.audit(limit)),
    shares: async () => later(await reports.shares()),
  };
};

const broken = async (): Promise<never> => {
  throw new Error('password=hunter2');
};

/** A person, and today the others too, on every day. */
const usedDaily: OperatorReports['usage'] = async (count) => {
  const report = await fakeReports().usage(count);
  const [day] = report.days.slice(0, 1);
  if (!day) throw new Error('The report has no day');
  const today = Temporal.PlainDate.from('2026-11-13');
  const days = Array.from({ length: count }, (_, index) => ({
    ...day,
    day: today.subtract({ days: index }),
    person: index === 0 ? OTHER_PEOPLE : `erased:3f9a1c`,
  }));
  return { ...report, days };
};

describe('the pages for operators', () => {
  it('are all there in both languages, small, whole and without anything inline', async () => {
    const { me } = await enter({}, true);
    for (const language of ['en', 'ko'] as const)
      for (const id of PAGE_IDS) {
        const text = await me.text(pathOf(id), { 'accept-language': `${language},fr;q=0.5` });
        expect(text).toContain(`<html lang="${language}"`);
        expect(text).toContain('aria-current="page"');
        expect(text.match(/<h1>/g)).toHaveLength(1);
        expect(text).not.toMatch(/Not available|지금은 볼 수 없습니다|undefined|\[object/);
        expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:|https?:\/\//);
        expect(text.match(/<table/g)?.length ?? 0).toBe(text.match(/<caption/g)?.length ?? 0);
        expect(Buffer.byteLength(text)).toBeLessThan(60_000);
      }
  });

  it('show what the reports say, as of when, and what belongs to this process', async () => {
    const { me } = await enter();
    const overview = await me.text('/operator');
    expect(overview).toContain('2026-11-13 15:30:00 KST');
    expect(overview).toContain('This process only.');
    expect(overview).toContain('2% of $20.00');
    expect(await me.text('/operator/dead-letters')).toMatch(
      /<code>is_archived<\/code>[^]*>3<[^]*2026-11-13 15:00:00 KST[^]*<code>ec34<\/code>/,
    );
    expect(await me.text('/operator/sources')).toContain('SAMPLE: prices are made up');
    const logs = await me.text('/operator/logs?level=warn');
    expect(logs.indexOf('The model did not answer in time')).toBeLessThan(
      logs.indexOf('Yahoo answered slowly'),
    );
    expect(logs).not.toContain('FinClaw is ready');
    expect(logs).toContain('<td class="">market</td><td class="">Yahoo answered slowly</td>');
    const settings = await me.text('/operator/settings?find=TIMEZONE&origin=file');
    expect(settings).toContain('Asia/Seoul');
    expect(settings).not.toContain('pipeline.timeoutSeconds');
  });

  it.each([
    ['en', 'paused for 1 min, 30 sec: the provider refuses it', 'healthy'],
    ['ko', '일시 중지(1분 30초 남음): 제공사가 키를 거부함', '정상'],
  ])(
    'say why a key rests, by the id of the log, and call it healthy in no way, in %s',
    async (locale, rests, healthy) => {
      const { me } = await enter();
      me.jar.set('finclaw_locale', locale);
      const page = await me.text('/operator/keys');
      const row = page.split('<tr>').find((each) => each.includes('<code>k2</code>')) ?? '';
      expect(row).toContain(rests);
      expect(row).not.toContain(healthy);
    },
  );

  it('add up usage for the chosen period, by day, model, channel and person', async () => {
    const { me } = await enter();
    const week = await me.text('/operator/usage?days=7');
    for (const part of ['2026-11-11', 'gpt-5-mini', 'slack', 'p-77b0e2', '$2.04'])
      expect(week).toContain(part);
    const today = await me.text('/operator/usage?days=1');
    expect(today).not.toContain('2026-11-12');
    expect(today).toContain('$0.4215');
    const chart = await me.get('/operator/charts/cost.svg?days=30&theme=dark');
    expect(chart.headers.get('content-type')).toBe('image/svg+xml');
    expect(await chart.text()).toMatch(/^<svg width="720"/);
    expect(await me.text('/operator/charts/cost.svg?size=narrow')).toMatch(/^<svg width="280"/);
    expect(week).toMatch(/<img src="[^"]+" width="720" height="240" alt="Bar chart of the cost per day/);
  });

  it('divide the cost of each day by model, channel and person, and name who is nearest to the limit', async () => {
    const { me } = await enter();
    const names = { model: 'gpt-5-mini', channel: 'slack', person: 'p-77b0e2' };
    for (const [by, name] of Object.entries(names)) {
      const page = await me.text(`/operator/usage?days=7&by=${by}`);
      expect(page).toContain(`days=7&amp;by=${by}&amp;theme=`);
      expect(page).toMatch(new RegExp(`alt="[^"]*${name}`));
      expect(page).toMatch(new RegExp(`days=30&amp;by=${by}"`));
      expect(await me.text(`/operator/charts/cost.svg?days=7&by=${by}`)).toContain(`>${name}<`);
    }
    expect(await me.text('/operator/usage?by=nobody')).not.toContain('by=nobody');
    // The limit of a person is $2.00, and $0.4215 were spent today.
    expect(await me.text('/operator/usage')).toMatch(/most today: p-3f9a1c with \$0\.42\d* \(21%\)/);
  });

  it('show every day of a long period, and name the people who are summed up together', async () => {
    const { me } = await enter({ reports: { usage: usedDaily } });
    const quarter = await me.text('/operator/usage?days=90');
    expect(quarter).toContain('<th scope="row">2026-08-16</th>');
    expect(quarter).not.toContain('most expensive of');
    expect(quarter).toContain('<th scope="row">all others together</th>');
    expect(await me.text('/operator/usage?days=90', { 'accept-language': 'ko' })).toContain(
      '<th scope="row">그 밖의 사용자 합계</th>',
    );
    expect(quarter).toContain('<th scope="row">data deleted: 3f9a1c</th>');
  });

  it('say in their language what is stored in English, and that a pause was ended', async () => {
    const { newest } = await fakeReports().deadLetters(1);
    const [entry] = await fakeReports().audit(1);
    if (!entry) throw new Error('The audit log is empty');
    const { me } = await enter({
      reports: {
        deadLetters: async () => ({
          count: 2,
          newest: newest.map((letter, index) => ({
            ...letter,
            reason:
              [
                'The process ended again and again while it worked on this message',
                'A backup was restored that does not say whether this message was answered',
              ].at(index) ?? '',
          })),
        }),
        audit: async () => [{ ...entry, action: 'key-wake', details: { key: 'k1' } }],
      },
    });
    const korean = { 'accept-language': 'ko' };
    const letters = await me.text('/operator/dead-letters', korean);
    expect(letters).toContain('프로세스가 거듭 종료되었습니다');
    expect(letters).toContain('복원한 백업으로는');
    const audit = await me.text('/operator/audit', korean);
    expect(audit).toContain('운영자가 키를 다시 사용함');
    expect(audit).toContain('키: k1');
  });

  it('escape whatever people, models and logs bring', async () => {
    const { me } = await enter({ reports: await attacked() }, true);
    for (const id of PAGE_IDS) {
      const text = await me.text(pathOf(id));
      expect(text).not.toMatch(/<script>|<img src=x|Not available/);
      if (id !== 'figures') expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    }
    const search = encodeURIComponent(ATTACK);
    expect(await me.text(`/operator/settings?find=${search}&origin=${search}`)).not.toMatch(
      /<script>|<img src=x/,
    );
    expect(await me.text(`/operator?notice=${search}&x=${search}`)).not.toMatch(/<script>|<img src=x/);
    expect(await me.text(`/operator/${search}`)).not.toMatch(/<script>|<img src=x/);
    const shared = await me.submit('/operator/shares', { action: 'read', id: ATTACK });
    expect(await shared.text()).not.toMatch(/<script>|<img src=x/);
    expect(await me.text('/operator/charts/cost.svg')).not.toMatch(/<script>|<img/);
  });

  it('stay useful if some parts cannot be read', async () => {
    const { me, page } = await enter(
      {
        reports: { status: broken, approvals: broken, nameOf: broken, market: () => broken() as never },
      },
      true,
    );
    const overview = await me.text('/operator');
    expect(overview).toContain('Not available at the moment.');
    expect(overview).not.toContain('hunter2');
    expect(overview).toContain('Logged in as 42 (discord)');
    expect(page.records().some(({ message }) => message.includes('The part state'))).toBe(true);
    const usage = await me.text('/operator/usage');
    expect(usage).toContain('$1.20');
    expect(usage).not.toContain('Not available');
  });

  it('keep the error id of a part that goes on failing, and log it once until it can be read again', async () => {
    let isDown = true;
    const { status } = fakeReports();
    const { me, page } = await enter({
      reports: { status: async () => (isDown ? broken() : status()) },
    });
    const shown = async (): Promise<string> =>
      /\b[0-9a-f]{8}\b/.exec((await me.text('/operator/queue')).split('Not available')[1] ?? '')?.[0] ?? '';
    const logged = () => page.records().filter(({ message }) => message.includes('The part load'));
    const first = await shown();
    expect(first).not.toBe('');
    expect(await shown()).toBe(first);
    expect(logged()).toHaveLength(1);
    isDown = false;
    expect(await shown()).toBe('');
    isDown = true;
    expect(await shown()).not.toBe(first);
    expect(logged()).toHaveLength(2);
  });

  it('remember the language and the appearance that somebody chose', async () => {
    const { me } = await enter();
    const { headers } = await me.submit('/operator/preferences', { locale: 'ko', back: '/operator/usage' });
    expect(headers.get('location')).toBe('/operator/usage');
    await me.submit('/operator/preferences', { theme: 'dark', back: '/operator' });
    const text = await me.text('/operator', { 'accept-language': 'en' });
    expect(text).toContain('<html lang="ko" data-theme="dark">');
  });
});

describe('what operators do', () => {
  const by = { kind: 'admin', person: ADMIN_PERSON, roles: [] };
  const id = asId<InboxId>('0199a000-0000-7000-8000-000000000000');

  it('is asked about first without JavaScript, and then done once', async () => {
    const { me, page } = await enter({}, true);
    const asked = await me.submit('/operator/dead-letters', { action: 'discard', id });
    const text = await asked.text();
    expect(text).toContain('Discard this message for good?');
    expect(text).toContain(`name="id" value="${id}"`);
    expect(page.done.map(([what]) => what)).toEqual(['recordLogin']);
    const done = await me.submit('/operator/dead-letters', { action: 'discard', id, confirmed: 'yes' });
    expect(done.headers.get('location')).toBe('/operator/dead-letters?notice=discarded');
    expect(page.done.at(-1)).toEqual(['discard', id, by]);
    expect(await me.text('/operator/dead-letters?notice=discarded')).toContain('The message was discarded.');
  });

  it.each([
    ['dead-letters', 'replay', { id, confirmed: 'yes' }, ['replay', id, by], 'replayed'],
    ['keys', 'disable', { id: 'k1', confirmed: 'yes' }, ['setKeyActive', 'k1', false, by], 'key-off'],
    ['keys', 'enable', { id: 'k1' }, ['setKeyActive', 'k1', true, by], 'key-on'],
    ['keys', 'rest', { id: 'k1', confirmed: 'yes' }, ['restKey', 'k1', 60, by], 'key-paused'],
    ['keys', 'wake', { id: 'k1' }, ['restKey', 'k1', 0, by], 'key-wakes'],
    ['approvals', 'approve', { id: 'ap-1', confirmed: 'yes' }, ['decide', 'ap-1', 'approve', by], 'approved'],
    ['approvals', 'deny', { id: 'ap-1', confirmed: 'yes' }, ['decide', 'ap-1', 'deny', by], 'denied'],
  ] as const)('%s: %s', async (name, action, form, expected, notice) => {
    const { me, page } = await enter({}, true);
    const response = await me.submit(`/operator/${name}`, { action, ...form });
    expect(response.headers.get('location')).toBe(`/operator/${name}?notice=${notice}`);
    expect(page.done.at(-1)).toEqual(expected);
    expect(await me.text(`/operator/${name}?notice=${notice}`)).toContain('class="notice" role="status"');
  });

  it('says what was too late or not allowed', async () => {
    const { me } = await enter(
      {
        actions: {
          replay: async () => 'gone',
          setKeyActive: async () => 'fixed',
          restKey: async () => 'unknown',
          decide: async () => 'refused',
          readShare: async () => undefined,
        },
      },
      true,
    );
    const place = async (name: string, action: string) =>
      (await me.submit(`/operator/${name}`, { action, id: 'x', confirmed: 'yes' })).headers.get('location');
    expect(await place('dead-letters', 'replay')).toContain('letter-gone');
    expect(await place('keys', 'disable')).toContain('key-fixed');
    expect(await place('keys', 'rest')).toContain('key-unknown');
    expect(await place('approvals', 'approve')).toContain('decision-refused');
    expect(await place('shares', 'read')).toContain('share-gone');
  });

  it('offers a decision only to an approver', async () => {
    const [waiting] = await fakeReports().approvals({ kind: 'token' });
    const reports = { approvals: async () => (waiting ? [waiting] : []) };
    for (const entered of [await enter(), await enter({ reports }, true)]) {
      const text = await entered.me.text('/operator/approvals');
      expect(text).toContain('for approvers only');
      expect(text).not.toContain('value="approve"');
    }
  });

  it('shows a shared conversation only after the question', async () => {
    const { me, page } = await enter({}, true);
    const asked = await (await me.submit('/operator/shares', { action: 'read', id: 's1' })).text();
    expect(asked).toContain('The person is told that you read it.');
    expect(asked).not.toContain('AAPL');
    const read = await (
      await me.submit('/operator/shares', { action: 'read', id: 's1', confirmed: 'yes' })
    ).text();
    expect(read).toContain('What is the price of AAPL?');
    expect(page.done.at(-1)).toEqual(['readShare', 's1', by]);
  });

  it('says so if nothing was written in a shared conversation', async () => {
    const { me } = await enter({ actions: { readShare: async () => [] } });
    const read = await me.submit('/operator/shares', { action: 'read', id: 's1', confirmed: 'yes' });
    expect(await read.text()).toContain('Nothing has been written since the last /reset.');
  });

  it('is refused if the page does not know it', async () => {
    const { me } = await enter({}, true);
    for (const action of ['', 'constructor', 'toString', 'drop'])
      expect((await me.submit('/operator/keys', { action, id: 'k1' })).status).toBe(400);
    expect((await me.submit('/operator/usage', { action: 'x' })).status).toBe(404);
  });
});
