import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createConversations } from '#src/agent/conversations.ts';
import { ContextKeeper } from '#src/agent/loop/context-keeper.ts';
import { TurnHistory } from '#src/agent/loop/turn-history.ts';
import { estimateTokens } from '#src/agent/tokens.ts';
import { type AgentId, asId, type SessionKey } from '#src/kernel/ids.ts';
import type { MediaAttachment } from '#src/kernel/chat/message.ts';
import { NO_USAGE } from '#src/kernel/agent/model.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { msgContext } from '#test/support/context.ts';
import { callerOn } from '#test/agent/loop/caller-support.ts';
import { assistant, note, result, results, text, use, user } from '#test/agent/loop/runner-support.ts';
import { setUpStore } from '#test/agent/memory/transcript/store-support.ts';
import { entriesOf, turn } from '#test/agent/memory/transcript/support.ts';
import { AGENT, COMPACTION, modelOf, ScriptedProvider, SESSION, testTool } from '#test/agent/support.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const MODEL = modelOf('only', { displayName: 'The Only One', contextWindow: 40_000 });
const PROMPT = 'You are a test of some length.';
const OTHER = asId<SessionKey>('agent:main:console:local:direct:somebody');

const TALK = [
  user('How is Apple?'),
  assistant(use('c1', 'lookup')),
  results(result('c1', 'AAPL 259.58')),
  assistant(text('It rose.')),
] as const;

const AS_MARKDOWN = { format: 'markdown', locale: 'en', timeZone: 'UTC' } as const;

/** What the export of a conversation says. */
const read = (file: MediaAttachment | undefined): string =>
  readFileSync(fileURLToPath(file?.url ?? ''), 'utf8');

const setUp = async () => {
  const base = await setUpStore();
  const { askModel, estimator, events } = callerOn(new ScriptedProvider());
  const windows = new ContextKeeper({
    askModel,
    estimator,
    maxOutputTokens: 4_000,
    maxContextTokens: 1_000_000,
    compaction: COMPACTION,
    events,
  });
  const forgotten: SessionKey[] = [];
  const asked: string[] = [];
  const tools = [testTool('lookup').definition];
  const conversations = createConversations({
    files: createSentFiles({ dataDir: base.dataDir, clock: base.clock }),
    transcripts: base.store,
    windows,
    models: { chainFor: async () => [MODEL] },
    turns: { sendersIn: async () => new Map() },
    compactAt: COMPACTION.compactAt,
    prompts: {
      of: (sessionKey, agentId) => {
        asked.push(`${sessionKey} ${agentId}`);
        return { systemPrompt: PROMPT, tools };
      },
      forget: (sessionKey) => void forgotten.push(sessionKey),
    },
    clock: base.clock,
  });
  /** The window of this conversation is measured from now on. */
  const measure = async (messageCount: number): Promise<void> => {
    const history = await TurnHistory.open(base.store, SESSION, turn('now'), new Set());
    const toolContext = toolContextOf({ sessionKey: SESSION });
    const window = windows.forTurn({ models: [MODEL], systemPrompt: PROMPT, tools, toolContext }, history);
    const usage = { ...NO_USAGE, inputTokens: 5_000 };
    window.observe({ message: TALK[3], stopReason: 'end_turn', usage, model: MODEL }, messageCount);
  };
  const context = () => conversations.context(SESSION, AGENT, msgContext());
  return { ...base, conversations, context, measure, forgotten, asked, tools };
};

describe('starting a conversation anew', () => {
  it('sets what was said aside; the next message finds nothing of it', async () => {
    const { conversations, write, store, rowsIn } = await setUp();
    await write(1, ...TALK);
    expect(await conversations.reset(SESSION)).toBe(true);
    expect(await store.load(SESSION)).toEqual([]);
    expect((await rowsIn('archived'))[0]).toContain('How is Apple?');
    expect(await rowsIn()).toEqual(await rowsIn('archived'));
    expect(await conversations.summary(SESSION)).toBeUndefined();
    expect(await conversations.export(SESSION, AS_MARKDOWN)).toBeUndefined();
  });

  it('says so where there was nothing', async () => {
    const { conversations, write } = await setUp();
    expect(await conversations.reset(SESSION)).toBe(false);
    await write(1, ...TALK);
    expect(await conversations.reset(OTHER)).toBe(false);
  });

  it('forgets the prompt and the measure of the window with it', async () => {
    const { conversations, write, context, measure, forgotten } = await setUp();
    await write(1, ...TALK);
    await measure(4);
    expect(await context()).toMatchObject({ isMeasured: true, usedTokens: 5_000 });
    await conversations.reset(SESSION);
    expect(forgotten).toEqual([SESSION]);
    await write(2, ...TALK);
    expect(await context()).toMatchObject({ isMeasured: false });
  });
});

describe('the size of a conversation', () => {
  it('is told by what fills the window of its model', async () => {
    const { context, write, asked, tools } = await setUp();
    await write(1, ...TALK);
    const report = await context();
    expect(report).toMatchObject({
      modelName: 'The Only One',
      windowTokens: 40_000,
      reserveTokens: 4_000,
      compactionAtTokens: 30_600,
      messageCount: 4,
      isMeasured: false,
      breakdown: {
        systemPrompt: estimateTokens(PROMPT),
        toolResults: estimateTokens('AAPL 259.58'),
        summary: 0,
      },
    });
    const { systemPrompt, toolResults, conversation, tools: ofTools, summary } = report.breakdown;
    expect(ofTools).toBeGreaterThan(estimateTokens(JSON.stringify(tools[0]?.inputSchema)));
    expect(conversation).toBeGreaterThan(0);
    expect(report.usedTokens).toBe(systemPrompt + toolResults + conversation + ofTools + summary);
    expect(asked).toEqual([`${SESSION} ${AGENT}`]);
  });

  it('counts the prompt and the tools of its agent', async () => {
    const { conversations, asked } = await setUp();
    const key = asId<SessionKey>('agent:desk:console:local:direct:me');
    await conversations.context(key, asId<AgentId>('desk'), msgContext());
    expect(asked).toEqual([`${key} desk`]);
  });

  it('is told before anything was said, too', async () => {
    const { context } = await setUp();
    expect(await context()).toMatchObject({
      messageCount: 0,
      breakdown: { conversation: 0, toolResults: 0 },
    });
  });

  it('counts of old pictures only the names that the model reads', async () => {
    const { context, write } = await setUp();
    const image = {
      type: 'image',
      name: 'a.png',
      mimeType: 'image/png',
      base64: 'a'.repeat(8_000_000),
    } as const;
    await write(1, { role: 'user', content: [image] }, assistant(text('Seen.')));
    const one = (await context()).breakdown.conversation;
    await write(2, { role: 'user', content: [image] }, assistant(text('Seen.')));
    expect((await context()).breakdown.conversation).toBeLessThan(one + 100);
  });

  it('is told in short: how much was said, since when, set-aside parts included', async () => {
    const { conversations, write, store, clock } = await setUp();
    expect(await conversations.summary(SESSION)).toBeUndefined();
    await write(1, ...TALK);
    await clock.advance(60_000);
    const later = await write(2, user('And now?'), note('[No answer: it failed.]'));
    await store.replace(SESSION, later);
    const summary = await conversations.summary(SESSION);
    // Two questions and an answer; not what was looked up, nor words of the program.
    expect(summary?.messageCount).toBe(3);
    expect(summary?.since.toString()).toBe('2026-11-13T06:30:00Z');
  });
});

describe('taking a conversation along', () => {
  it('is not possible where nothing was said', async () => {
    const { conversations, dataDir } = await setUp();
    expect(await conversations.export(SESSION, AS_MARKDOWN)).toBeUndefined();
    expect(readdirSync(dataDir)).not.toContain('exports');
  });

  it('gives a file with all of it, named by the day where its person is', async () => {
    const { conversations, write, clock } = await setUp();
    await write(1, ...TALK);
    await clock.advance(12 * 3_600_000);
    const file = await conversations.export(SESSION, {
      format: 'markdown',
      locale: 'ko',
      timeZone: 'Asia/Seoul',
    });
    const markdown = read(file);
    expect(markdown).toMatch(/^# FinClaw와의 대화\n\n내보낸 시각: 2026-11-14 03:30:00 Asia\/Seoul\n/);
    expect(markdown).toContain('How is Apple?');
    expect(file).toMatchObject({
      kind: 'file',
      mimeType: 'text/markdown',
      name: 'finclaw-2026-11-14.md',
      sizeBytes: Buffer.byteLength(markdown),
    });
  });

  it('gives a second file with the same for programs, and neither replaces the other', async () => {
    const { conversations, write } = await setUp();
    await write(1, ...TALK);
    const markdown = await conversations.export(SESSION, AS_MARKDOWN);
    const file = await conversations.export(SESSION, { ...AS_MARKDOWN, format: 'json-lines' });
    const lines = read(file).trimEnd().split('\n');
    expect(file).toMatchObject({
      kind: 'file',
      mimeType: 'application/jsonl',
      name: 'finclaw-2026-11-13.jsonl',
      sizeBytes: Buffer.byteLength(read(file)),
    });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ sessionKey: SESSION, entries: 4 });
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toContain('It rose.');
    expect(read(markdown)).toMatch(/^# Conversation/);
  });

  it('writes it below the data directory, for nobody else to read', async () => {
    const { conversations, write, dataDir } = await setUp();
    await write(1, ...TALK);
    const path = fileURLToPath((await conversations.export(SESSION, AS_MARKDOWN))?.url ?? '');
    expect(dirname(path)).toBe(join(dataDir, 'exports'));
    expect([dirname(path), path].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o600]);
  });

  it('has the words in it that a summary has replaced since, once, and not the summary', async () => {
    const { conversations, write, store } = await setUp();
    const written = await write(1, ...TALK, user('And now?'), assistant(text('It fell.')));
    const summary = { ...user('<context>\n- They talked.\n</context>'), isSummary: true };
    await store.replace(SESSION, [...entriesOf(1, [summary]), ...written.slice(-2)]);
    const file = await conversations.export(SESSION, AS_MARKDOWN);
    const markdown = read(file);
    expect(markdown.match(/How is Apple\?|And now\?|It fell\./g)).toEqual([
      'How is Apple?',
      'And now?',
      'It fell.',
    ]);
    expect(markdown).not.toContain('They talked');
  });

  it('gives two files to two who ask in the same moment', async () => {
    const { conversations, write, store } = await setUp();
    await write(1, ...TALK);
    await store.append(OTHER, { turnId: turn(2), message: user('Secret') });
    const [mine, theirs] = await Promise.all(
      [SESSION, OTHER].map((key) => conversations.export(key, AS_MARKDOWN)),
    );
    expect(read(mine)).not.toContain('Secret');
    expect(read(theirs)).toContain('Secret');
  });
});
