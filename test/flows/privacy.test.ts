import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { countAmounts, privacyTexts } from '#src/kernel/people/texts/privacy.ts';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import { failureTexts } from '#src/chat/delivery/texts.ts';
import { identityTexts } from '#src/kernel/people/texts/identity.ts';
import { labelsOf } from '#src/people/store/rows.ts';
import { asId, type MessageId } from '#src/kernel/ids.ts';
import { startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import { startConsoleApp } from '#test/support/console-app.ts';
import { answer, type EngineApp, filesWith, startEngineApp, until } from '#test/support/engine-app.ts';
import { conversationIn, copyOf, IN_GROUP, problemsOf, query, settled } from './gateway-support.ts';
import { TABLES } from '#test/support/database.ts';

const NOTE = { en: privacyTexts('en').note({ days: 90 }), ko: privacyTexts('ko').note({ days: 90 }) };

/** As it is unless an operator says otherwise. */
const start = (more: Parameters<typeof startEngineApp>[0] = {}): Promise<EngineApp> =>
  startEngineApp({ ...more, config: { pipeline: {}, ...more.config } });

const conversationsIn = (app: EngineApp): number =>
  query(copyOf(app), 'select distinct session_key from transcript_entries').length;

describe('the note about privacy', () => {
  it('stands under the first answer in a direct chat, once, in the language of the person', async () => {
    const app = await start();
    expect(await app.ask('ann', 'Hello')).toEqual([`ok\n\n${NOTE.en}`]);
    expect(await app.ask('ann', '안녕하세요')).toEqual(['ok']);
    expect(await app.ask('bob', '안녕하세요')).toEqual([`ok\n\n${NOTE.ko}`]);
    await app.stop();
    const next = await start({ dataDir: app.dataDir, servers: app });
    expect(await next.ask('ann', 'Hello again')).toEqual(['ok']);
  });

  it('comes behind the mark of sample data, with the answer to a command, and once for two at a time', async () => {
    const app = await start();
    const said = await Promise.all([app.ask('ann', '/price AAPL'), app.ask('ann', '/price TSLA')]);
    const ends = said
      .flat()
      .filter((text) => text.endsWith(`${marketNoteTexts('en').sampleMark()}\n\n${NOTE.en}`));
    expect(ends).toHaveLength(1);
    expect(await app.ask('ann', 'Hello')).toEqual(['ok']);
  });

  it('is not for groups; who was answered there gets it in their own chat', async () => {
    const app = await start();
    expect(await app.ask('ann', 'Hello', IN_GROUP)).toEqual(['ok']);
    expect(await app.ask('ann', 'Hello', { ...IN_GROUP, chatType: 'channel' })).toEqual(['ok']);
    expect(await app.ask('ann', 'Hello')).toEqual([`ok\n\n${NOTE.en}`]);
  });

  it('waits for an answer that is sent: silence and failures carry none', async () => {
    const app = await start({ env: { FINCLAW_FALLBACKS: 'none' } });
    app.claude.reply(answer('<<NO_REPLY>>'), { kind: 'answer', text: '', stopReason: 'refusal' });
    expect(await app.ask('ann', 'Hello')).toEqual([]);
    expect(await app.ask('ann', 'Say something bad.')).toEqual([expect.not.stringContaining(NOTE.en)]);
    expect(await app.ask('ann', 'Hello')).toEqual([`ok\n\n${NOTE.en}`]);
  });

  it('is not on the console, nor where the operator does not want it', async () => {
    const claude = await startFakeAnthropic();
    onTestFinished(claude.close);
    const { type, sees, screen, leave } = await startConsoleApp({ claude });
    type('Hello');
    await sees('ok');
    await leave();
    expect(screen()).not.toContain('/privacy');
    const quiet = await startEngineApp({ config: { pipeline: { privacyNote: false } } });
    expect(await quiet.ask('ann', 'Hello')).toEqual(['ok']);
  });
});

describe('/privacy', () => {
  it('shows what is stored, and asks before it deletes', async () => {
    const app = await start();
    await app.ask('ann', 'My secret is heron.');
    const t = privacyTexts('en');
    const [shown = ''] = await app.ask('ann', '/privacy');
    expect(shown).toContain('Your messages, with my answers: 2');
    expect(shown).toContain('Direct conversations: 1');
    expect(await app.ask('ann', '/privacy delete')).toEqual([expect.stringContaining(t.confirm())]);
    expect(app.channel.sent.at(-1)?.payload.choices?.[0]?.command).toBe('/privacy delete --yes');
    await app.ask('ann', 'What is it?');
    expect(conversationIn(app.claude.history[1]?.body)).toContain('My secret is heron.');
  });

  it('delete --yes removes rows and the conversation; the next answer carries the note again', async () => {
    const app = await start();
    await app.ask('ann', 'My secret is heron.');
    await app.ask('ann', '/queue queue');
    await app.ask('ann', '/profile lang en');
    await app.ask('bob', 'Mine is osprey.');
    await app.ask('ann', 'All hear of the finch.', IN_GROUP);
    expect(conversationsIn(app)).toBe(3);
    const t = privacyTexts('en');
    const amounts = countAmounts(labelsOf(TABLES), { messages: 4, conversations: 1 }, 'en');
    expect(await app.ask('ann', '/privacy delete --yes')).toEqual([
      `${t.done({ amounts, usageRecords: 2 })}\n\n${t.left({ days: 90 })}`,
    ]);
    expect(conversationsIn(app)).toBe(2);
    // At once, also in the log of the database, while the bot runs on.
    expect(filesWith(app.dataDir, 'heron')).toEqual([]);

    expect(await app.ask('ann', 'What is my secret?')).toEqual([`ok\n\n${NOTE.en}`]);
    expect(conversationIn(app.claude.history.at(-1)?.body)).toEqual(['What is my secret?']);
    await app.stop();
    // Not a byte of it is left, while others keep what is theirs.
    expect(filesWith(app.dataDir, 'heron')).toEqual([]);
    expect(filesWith(app.dataDir, 'osprey')).not.toEqual([]);
    const bodies = query(
      app.dataDir,
      `select json_extract(message, '$.body') as body from inbox order by id`,
    );
    expect(bodies.map(({ body }) => body)).toEqual([
      'Mine is osprey.',
      '/privacy delete --yes',
      'What is my secret?',
    ]);
    const left = query(
      app.dataDir,
      `select (select count(*) from outbox where inbox_id not in (select id from inbox)) as outbox,
         (select count(*) from turns where inbox_id not in (select id from inbox)) as turns,
         (select count(*) from profiles) as profiles, (select count(*) from queue_modes) as modes,
         (select count(*) from usage where user_id = 'ann') as usage, (select count(*) from usage) as paid`,
    );
    expect(left).toEqual([{ outbox: 0, turns: 0, profiles: 0, modes: 0, usage: 1, paid: 4 }]);
  });

  it('delete --yes stops the answer that is under way, and nothing of it comes back', async () => {
    const app = await start();
    app.claude.reply(answer('ok'), { kind: 'stall', answer: { text: 'Heron, you' } });
    await app.ask('ann', 'My secret is heron.');
    const running = await app.send('ann', 'What is it?', { messageId: asId<MessageId>('m-running') });
    await until(() => app.claude.history.length === 2);
    await app.ask('ann', '/privacy delete --yes');
    await settled(running);
    const said = app.channel.sent.filter(({ target }) => target.replyToMessageId === 'm-running');
    expect(said.map(({ payload }) => payload.text)).toEqual([failureTexts('en').stopped()]);
    await app.ask('ann', 'Hello again');
    expect(conversationIn(app.claude.history[2]?.body)).toEqual(['Hello again']);
    expect(problemsOf(app.claude)).toEqual([]);
  });

  it('delete --yes forgets the queue mode at once', async () => {
    const app = await start();
    await app.ask('ann', '/queue interrupt');
    await app.ask('ann', '/privacy delete --yes');
    expect(await app.ask('ann', '/queue')).toEqual([expect.stringContaining('**collect**')]);
  });
});

it('/privacy export exports once in ten minutes, however it is typed', async () => {
  const app = await start();
  await app.ask('ann', '/privacy export');
  for (const line of [
    '/privacy export',
    '/privacy export -- --yes',
    '/privacy --yes export',
    '/개인정보 받기 --',
  ])
    await app.ask('ann', line);
  expect(app.channel.sent.filter(({ payload }) => payload.media?.length)).toHaveLength(1);
});

describe('/link, /privacy export and /privacy delete', () => {
  it('share what two names own; messages are exported and deleted under their own name alone', async () => {
    const app = await start();
    await app.ask('ann', 'My secret is heron.');
    await app.ask('ann-at-work', 'My other secret is egret.');
    await app.ask('ann-at-work', '/watch add TSLA');
    await app.ask('bob', 'Mine is osprey.');

    expect(await app.ask('ann', '/link', IN_GROUP)).toEqual([identityTexts('en').directOnly()]);
    const [told = ''] = await app.ask('ann', '/link');
    const code = /\/link ([A-Z0-9]{4}-[A-Z0-9]{4})/.exec(told)?.[1] ?? '';
    // A yes without the question is a question.
    for (const line of [`/link ${code} --yes`, `/link ${code}`])
      expect(await app.ask('ann-at-work', line)).toEqual([
        expect.stringMatching(/^Link this account with .*`ann`/),
      ]);
    expect(await app.ask('bob', `/link ${code} --yes`)).toEqual([
      expect.stringContaining('Link this account'),
    ]);
    expect(await app.ask('ann-at-work', `/link ${code} --yes`)).toEqual([
      expect.stringMatching(/^Linked with .*`ann`/),
    ]);
    await until(() => app.channel.sent.some(({ payload }) => payload.text.includes('used your code')));
    const notice = app.channel.sent.find(({ payload }) => payload.text.includes('used your code'));
    expect(notice?.target).toMatchObject({ recipientId: 'ann', isDirect: true });
    // It works once.
    expect(await app.ask('bob', `/link ${code} --yes`)).toEqual([identityTexts('en').unknown()]);

    await app.ask('ann', '/privacy export', IN_GROUP);
    const sent = app.channel.sent.at(-1)?.payload;
    expect(sent?.ephemeral).toBe(true);
    const [file] = sent?.media ?? [];
    const exported = readFileSync(fileURLToPath(file?.url ?? ''), 'utf8');
    expect(exported).toContain('My secret is heron.');
    expect(exported).toContain('TSLA');
    expect(exported).not.toMatch(/egret|osprey/);
    const [bobs = ''] = await app.ask('bob', '/privacy');
    expect(bobs).not.toContain('ann');

    const [shown = ''] = await app.ask('ann', '/privacy delete');
    expect(shown).toContain('`ann-at-work`');
    expect(await app.ask('ann', '/privacy delete --yes')).toEqual([expect.stringContaining('`ann-at-work`')]);
    await until(() => app.channel.sent.some(({ payload }) => payload.text.includes('deleted their data')));
    const [audit = ''] = await app.ask('boss', '/debug audit');
    const { actions } = privacyTexts('en').audit;
    for (const action of ['privacy-export', 'privacy-delete', 'link-code', 'link'] as const)
      expect(audit).toContain(`· ${actions[action]} ·`);
    expect(audit).not.toContain('ann');
    // The other one still has their conversation, and nothing of what was shared.
    expect(await app.ask('ann-at-work', '/watch')).toEqual([
      expect.stringContaining('Your watchlist is empty.'),
    ]);
    await app.ask('ann-at-work', 'What is it?');
    expect(conversationIn(app.claude.history.at(-1)?.body)).toContain('My other secret is egret.');
    await app.stop();
    expect(existsSync(fileURLToPath(file?.url ?? ''))).toBe(false);
    const rows = query(
      app.dataDir,
      `select message as said from inbox union all select payload from outbox
         union all select summary from approvals union all select details from audit`,
    );
    expect(JSON.stringify(rows)).not.toContain('heron');
    expect(JSON.stringify(rows)).toContain('egret');
    const elsewhere = filesWith(app.dataDir, 'heron');
    expect(elsewhere.filter((name) => !name.includes('finclaw.sqlite'))).toEqual([]);
    expect(filesWith(app.dataDir, 'osprey')).not.toEqual([]);
  });
});
