import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { MarketAnswer } from '#src/kernel/chat/answer.ts';
import { confirmImportAnswer } from '#src/features/portfolio/import/confirm.ts';
import { previewAnswer } from '#src/features/portfolio/import/preview.ts';
import { recordingLogger } from '#test/support/context.ts';
import { openPortfolios } from '../service-support.ts';

const { signal } = new AbortController();
const SAMPLES = new URL('samples/', import.meta.url);

const CONFIRM = /^\/portfolio import confirm (\S+) (all|valid)$/u;
const buttonsOf = ({ choices = [] }: Pick<MarketAnswer, 'choices'>): readonly string[] =>
  choices.map(({ command }) => command);

const open = async () => {
  const all = await openPortfolios();
  /** Files by name, beside the samples. */
  const texts = new Map<string, string>();
  const preview = previewAnswer({
    ...all.deps,
    readMedia: async (_channel, { name }) =>
      Buffer.from(texts.get(name ?? '') ?? readFileSync(new URL(name ?? '', SAMPLES))),
    readPicture: async () => ({ status: 'no-model' }),
    writeExport: async () => 'x',
    logger: recordingLogger().logger,
  });
  const send = (name: string, who: string) =>
    preview(
      { text: '', files: [{ kind: 'file', mimeType: 'text/csv', name, url: name }] },
      all.requesterOf(who, 'en'),
      signal,
    );
  const press = (command: string, who: string) => {
    const [, code = '', which = ''] = CONFIRM.exec(command) ?? [];
    const request = { code, which: which as 'all' | 'valid' };
    return confirmImportAnswer(all.deps)(request, all.requesterOf(who, 'en'), signal);
  };
  const counting = async (who: string) => (await all.ledgerOf(who)).filter(({ isReversed }) => !isReversed);
  return { ...all, send, press, counting, texts };
};

const roundTrip = async (
  { say, send, press, counting }: Awaited<ReturnType<typeof open>>,
  name: string,
): Promise<void> => {
  const who = `owner of ${name}`;
  const first = await send(name, who);
  const yes = buttonsOf(first).find((command) => CONFIRM.test(command));
  // Nothing of it can be recorded, and the answer names every line.
  if (yes === undefined) {
    expect(first.content, name).toContain('cannot be recorded');
    return;
  }
  const recorded = await press(yes, who);
  expect((await counting(who)).length, name).toBeGreaterThan(0);
  expect(buttonsOf(await send(name, who)), name).toEqual([]);
  const undo = recorded.choices?.find(({ command }) => command.startsWith('/portfolio undo '));
  expect(undo, name).toMatchObject({ effect: 'replaces' });
  expect((await press(yes, who)).content, name).toContain('is recorded in **main** already');
  await say(undo?.command ?? '', { who, locale: 'en' });
  expect(await counting(who), name).toEqual([]);
  expect((await press(yes, who)).content, name).toContain('taken back');
};

it('every file is recorded once, and taken back by one press', { timeout: 60_000 }, async () => {
  const service = await open();
  const names = readdirSync(SAMPLES);
  for (const name of names) await roundTrip(service, name);
  expect(names.length).toBeGreaterThan(40);
});

it('both sides of a transfer between own portfolios come back from their files with the cost, each on its own', async () => {
  const { say, files, send, press, ledgerOf, texts } = await open();
  const asMina = (body: string) => say(body, { who: 'mina', locale: 'en', chatType: 'direct' });
  for (const line of [
    'new main USD',
    'new other USD',
    'add AAPL 10 100 2025-03-03 --yes',
    'transfer AAPL 4 to other 2026-02-02',
  ])
    await asMina(`/portfolio ${line}`);
  for (const name of ['main', 'other']) {
    await asMina(`/portfolio export --in=${name}`);
    texts.set(`${name}.csv`, files.at(-1) ?? '');
  }
  const who = 'jun';
  for (const name of ['main', 'other']) {
    await say(`/portfolio new ${name} USD`, { who, locale: 'en' });
    await say(`/portfolio use ${name}`, { who, locale: 'en' });
    const preview = await send(`${name}.csv`, who);
    expect(preview.content).toContain(`Transfers from or to **${name === 'main' ? 'other' : 'main'}**`);
    await press(buttonsOf(preview)[0] ?? '', who);
  }
  const [moved] = await ledgerOf(who, 'other');
  expect(moved && 'lots' in moved && moved.lots.map(({ cost }) => cost.toFixed())).toEqual(['400']);
  await say('/portfolio undo --in=other', { who, locale: 'en' });
  const counting = (await ledgerOf(who, 'main')).filter(({ isReversed }) => !isReversed);
  expect(counting.map(({ kind }) => kind)).toEqual(['buy', 'transfer-out']);
});

it('an import stays if a later entry needs it, and the answer says which', async () => {
  const { say, send, press, counting } = await open();
  const who = 'seller';
  const [yes = ''] = buttonsOf(await send('saxo.csv', who));
  const recorded = await press(yes, who);
  await say('/portfolio sell AAPL 3 $250 2026-06-01', { who, locale: 'en' });
  const undo = buttonsOf(recorded).find((command) => command.startsWith('/portfolio undo ')) ?? '';
  const before = await counting(who);
  expect((await say(undo, { who, locale: 'en' })).content).toContain('Take back #5 first');
  expect(await counting(who)).toEqual(before);
});
