import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { marketNoteTexts } from '#src/kernel/market/market-note-texts.ts';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { answer, startEngineApp } from '#test/support/engine-app.ts';

const recorded = (name: string): FakeReply => ({
  kind: 'recorded',
  body: readFileSync(new URL(`../fixtures/${name}`, import.meta.url)),
});

const ownModel = (api: string, streaming: boolean) => ({
  providers: { openai: { api } },
  models: {
    definitions: { own: { provider: 'openai', contextWindow: 32_000, maxOutputTokens: 2_000, streaming } },
  },
});

/** Shapes that servers were recorded with, and what the person reads. */
const RECORDINGS = {
  'chat completions': [
    ['chat-parts.sse', 'Good evening, heron.'],
    ['chat-one-line-end.sse', 'Half a line is enough.'],
    ['chat-no-mark.sse', 'No mark at the end.'],
    ['chat-no-reason.sse', 'No reason was given.'],
    ['chat-late-faults.sse', 'Whole before the fault.'],
  ],
  'chat completions in one piece': [['chat-parts.json', 'Good morning, heron.']],
  'the Responses API': [
    ['responses-mark.sse', 'A mark follows the answer.'],
    ['responses-one-line-end.sse', 'One line end is enough.'],
    ['responses-late-faults.sse', 'Nothing later counts.'],
  ],
} as const;

it.each([
  ['chat completions', 'chat', true],
  ['chat completions in one piece', 'chat', false],
  ['the Responses API', 'responses', true],
] as const)('recorded answers of %s are read to the end, and paid once', async (what, api, streaming) => {
  const { ask, gpt, log } = await startEngineApp({
    config: ownModel(api, streaming),
    env: { FINCLAW_MODEL: 'own', FINCLAW_FALLBACKS: 'none' },
  });
  const heard: unknown[] = [];
  for (const [name] of RECORDINGS[what]) {
    gpt.reply(recorded(`openai/${name}`));
    heard.push([name, ...(await ask('ann', 'Who are you?'))]);
  }
  expect(heard).toEqual(RECORDINGS[what]);
  expect(gpt.history).toHaveLength(RECORDINGS[what].length);
  expect(log.join('\n')).not.toContain('listener');
});

it('recorded answers of Claude and of gateways to it are read to the end, and paid once', async () => {
  const { ask, claude } = await startEngineApp({ env: { FINCLAW_FALLBACKS: 'none' } });
  const recordings = [
    ['one-line-end.sse', 'One line end is enough.'],
    ['mark.sse', 'A mark ends it.'],
    ['late-faults.sse', 'Nothing later counts.'],
  ];
  const heard: unknown[] = [];
  for (const [name] of recordings) {
    claude.reply(recorded(`anthropic/${name}`));
    heard.push([name, ...(await ask('ann', 'Who are you?'))]);
  }
  expect(heard).toEqual(recordings);
  expect(claude.history).toHaveLength(recordings.length);
});

it('an answer that breaks in the middle reaches nobody in part: the person reads one sentence', async () => {
  const { ask, claude } = await startEngineApp({ env: { FINCLAW_FALLBACKS: 'none' } });
  const whole = readFileSync(new URL('../fixtures/anthropic/one-line-end.sse', import.meta.url), 'utf8');
  const events = whole.split('\n\n');
  const broken = [
    whole.slice(0, whole.indexOf('is enough')),
    whole.slice(0, whole.indexOf('"text_delta"')),
    [...events.slice(0, 4), 'data: {"half', ...events.slice(4)].join('\n\n'),
    [...events.slice(0, 4), 'data: {"type":"error","error":{"type":"invalid_request_error"}}'].join('\n\n'),
    events.toSpliced(3, 1).join('\n\n').replace('"text":""', '"text":{"value":"odd"}').slice(0, 400),
    '<html>Log in first</html>',
    '',
  ];
  for (const body of broken) {
    claude.otherwise({ kind: 'recorded', body });
    const said = await ask('ann', 'Who are you?', { locale: 'en' });
    expect(said, body).toHaveLength(1);
    expect(said[0], body).toMatch(/^[A-Z][^{}<>[\]]{20,200}$/);
    expect(said[0], body).not.toMatch(/One line|odd|half|undefined/);
  }
});

it('a call is made with the arguments that came at its beginning', async () => {
  const { ask, claude } = await startEngineApp({ env: { FINCLAW_FALLBACKS: 'none' } });
  claude.reply(recorded('anthropic/input-at-start.sse'), answer('That is Apple.'));
  expect(await ask('ann', 'How is Apple, please?', { locale: 'en' })).toEqual([
    `That is Apple.\n\n${marketNoteTexts('en').sampleMark()}`,
  ]);
  expect(JSON.stringify(claude.history[1]?.body)).toContain('**Apple (AAPL)** $');
});

it('a call without arguments is made, though it came in one piece', async () => {
  const { ask, gpt } = await startEngineApp({
    config: ownModel('chat', false),
    env: { FINCLAW_MODEL: 'own', FINCLAW_FALLBACKS: 'none' },
  });
  gpt.reply(recorded('openai/chat-call-without-arguments.json'), answer('Nothing yet.'));
  expect(await ask('ann', 'What do I own, please?')).toEqual(['Nothing yet.']);
  expect(JSON.stringify(gpt.history[1]?.body)).toContain('"role":"tool"');
});
