import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { getSystemInfo } from '#src/agent/tools/general/get-system-info.ts';
import { asId, type SessionKey } from '#src/kernel/ids.ts';
import type { ModelInfo } from '#src/kernel/agent/models.ts';
import { toolContextOf } from '#test/support/tool-context.ts';

const model: ModelInfo = {
  id: 'claude-opus-4-6',
  displayName: 'Claude Opus',
  provider: 'anthropic',
  aliases: [],
  numericalReasoningTier: 'high',
  contextWindow: 200_000,
  priceUsd: null,
  isDeprecated: false,
  isUsable: true,
};

const setUp = () => {
  const askedFor: SessionKey[] = [];
  const tool = getSystemInfo({
    version: '1.2.3',
    database: 'PostgreSQL',
    load: () => ({ lanes: [{ laneId: 'main', active: 3, queued: 7, maxConcurrency: 64 }] }),
    models: {
      current: async (sessionKey) => {
        askedFor.push(sessionKey);
        return { model, isChosen: false, fallbacks: [] };
      },
    },
  });
  const invoke = (isAdmin: boolean) =>
    tool.invoke({}, toolContextOf({ isAdmin, sessionKey: asId('here') }), new AbortController().signal);
  return { tool, invoke, askedFor };
};

describe('get_system_info', () => {
  it('is for administrators', async () => {
    const { tool, invoke, askedFor } = setUp();
    expect(tool.definition).toMatchObject({ name: 'get_system_info', group: 'system', adminsOnly: true });
    expect(await invoke(false)).toEqual({
      content: 'Only administrators are told about the system.',
      isError: true,
    });
    expect(askedFor).toEqual([]);
  });

  it('tells how the bot is doing, and what answers in this conversation', async () => {
    const { invoke, askedFor } = setUp();
    const { content, isError } = await invoke(true);
    expect(isError).toBe(false);
    expect(content.split('\n')).toEqual([
      'FinClaw 1.2.3',
      `Node ${process.version} on ${process.platform} ${process.arch}`,
      expect.stringMatching(/^Up for 0d \d\d:\d\d:\d\d$/),
      expect.stringMatching(/^Memory: [1-9]\d* MB, of which [1-9]\d* MB JavaScript objects$/),
      'Lane main: 3 of 64 running, 7 waiting',
      'Database: PostgreSQL',
      'Model here: Claude Opus (claude-opus-4-6, Anthropic)',
    ]);
    expect(askedFor).toEqual(['here']);
  });

  it('tells nothing about the machine, its files or its environment', async () => {
    const { content } = await setUp().invoke(true);
    for (const secret of [hostname(), process.cwd(), process.env['PATH'] ?? '/', `${process.pid}`])
      expect(content).not.toMatch(new RegExp(`(?<!\\d)${RegExp.escape(secret)}(?!\\d)`));
    expect(content).not.toContain('/');
  });

  it('says what it does to the person who has to allow it', () => {
    const { tool } = setUp();
    expect(tool.describe({}, 'en')).toContain('state of the bot');
    expect(tool.describe({}, 'ko')).toContain('봇의 상태');
  });
});
