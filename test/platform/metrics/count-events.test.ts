import { describe, expect, it } from 'vitest';
import type { EventName, FinClawEventMap } from '#src/kernel/operations/events.ts';
import { everyRow } from '#test/support/every-row.ts';
import { metricsOn } from './support.ts';

type Report = { [Name in EventName]: readonly [Name, FinClawEventMap[Name]] }[EventName];

const SESSION = 'agent:main:slack:T1:direct:mina-the-person';
const INBOX = 'inbox-id-of-one-message';
const by = 'mina-the-person';

const REQUEST = {
  provider: 'anthropic',
  model: 'claude-sonnet-5-5',
  outcome: 'ok',
  durationMs: 1_500,
  inputTokens: 100,
  outputTokens: 20,
  cacheReadTokens: 3_000,
  cacheWriteTokens: 4,
  costUsd: 0.25,
} as const satisfies FinClawEventMap['model:request'];

const MESSAGE = { sessionKey: SESSION, inboxId: INBOX, channelId: 'slack', chatType: 'direct' };

const REPORTS: readonly Report[] = [
  ['inbox:accept', { inboxId: INBOX, sessionKey: SESSION, channelId: 'slack', chatType: 'direct' }],
  ['inbox:accept', { inboxId: INBOX, sessionKey: SESSION, channelId: 'slack', chatType: 'direct' }],
  ['inbox:accept', { inboxId: INBOX, sessionKey: SESSION, channelId: 'discord', chatType: 'direct' }],
  ['inbox:duplicate', { eventId: 'event-1', channelId: 'slack' }],
  ['gate:drop', { gate: 'mention', reason: 'not-mentioned', channelId: 'slack' }],
  ['inbox:merge', { inboxId: INBOX, into: INBOX }],
  ['inbox:supersede', { inboxId: INBOX, by: INBOX }],
  ['inbox:revise', { inboxId: INBOX, kind: 'edited' }],
  ['inbox:revise', { inboxId: INBOX, kind: 'deleted' }],
  ['inbox:dead', { inboxId: INBOX, sessionKey: SESSION, attempts: 3, errorId: 'c0ffee00' }],
  ['channel:event:error', { channelId: 'discord', event: 'MESSAGE_CREATE', error: new Error(by) }],
  ['pipeline:start', { ...MESSAGE, isFirst: true }],
  [
    'pipeline:stage',
    { sessionKey: SESSION, inboxId: INBOX, stage: 'command', action: 'skip', durationMs: 30 },
  ],
  [
    'pipeline:complete',
    { ...MESSAGE, success: true, outcome: 'answered', durationMs: 2_000, stages: [], tools: 0 },
  ],
  ['pipeline:error', { ...MESSAGE, errorId: 'c0ffee00', error: new Error(by) }],
  ['model:request', REQUEST],
  ['tool:execute:start', { name: 'get_quote', sessionKey: SESSION }],
  [
    'tool:execute:end',
    { name: 'get_quote', sessionKey: SESSION, inboxId: INBOX, durationMs: 200, isError: false },
  ],
  [
    'tool:execute:error',
    { name: 'fetch_url', sessionKey: SESSION, inboxId: INBOX, durationMs: 30, error: by },
  ],
  ['tool:policy:deny', { name: 'place_order', reason: by }],
  ['tool:guard', { name: 'get_quote', masked: { secret: 2, custom: 1 }, cutChars: 50 }],
  [
    'answer:check',
    {
      agentId: 'main',
      checked: 9,
      supported: 4,
      quoted: 2,
      derived: 1,
      repaired: 3,
      marked: 2,
      exempt: 5,
      unchecked: 0,
    },
  ],
  ['answer:to-repair', { agentId: 'main', asked: 6 }],
  ['answer:repair', { agentId: 'main', outcome: 'insisted' }],
  ['answer:unchecked', { agentId: 'main' }],
  ['delivery:sent', { deliveryId: 'd1', channelId: 'slack', attempts: 2 }],
  ['delivery:retry', { deliveryId: 'd1', channelId: 'slack', attempt: 1, error: by }],
  ['delivery:failed', { deliveryId: 'd2', channelId: 'discord', error: by }],
  ['feedback:verdict', { verdict: 'down', provider: 'anthropic', model: 'claude-sonnet-5-5' }],
  ['approval:ask', { id: 'a1', toolName: 'place_order', sessionKey: SESSION }],
  ['approval:decide', { id: 'a1', toolName: 'place_order', status: 'approved', by }],
  ['retention:purge', { removed: { inbox: 12, transcripts: 0 } }],
];

const afterReports = (reports: readonly Report[]) => {
  const set = metricsOn();
  for (const [name, payload] of reports) set.events.emit(name, payload);
  return set;
};

describe('the events of the program are counted:', () => {
  everyRow<readonly [string, Readonly<Record<string, number>>]>([
    ['messages_accepted_total', { 'channel=slack': 2, 'channel=discord': 1 }],
    ['messages_duplicate_total', { 'channel=slack': 1 }],
    ['messages_dropped_total', { 'gate=mention reason=not-mentioned': 1 }],
    ['messages_merged_total', { '': 1 }],
    ['messages_superseded_total', { '': 1 }],
    ['messages_revised_total', { 'kind=edited': 1, 'kind=deleted': 1 }],
    ['messages_dead_total', { '': 1 }],
    ['channel_event_errors_total', { 'channel=discord event=MESSAGE_CREATE': 1 }],
    ['pipeline_errors_total', { '': 1 }],
    [
      'model_tokens_total',
      {
        'provider=anthropic model=claude-sonnet-5-5 kind=input': 100,
        'provider=anthropic model=claude-sonnet-5-5 kind=output': 20,
        'provider=anthropic model=claude-sonnet-5-5 kind=cache_read': 3_000,
        'provider=anthropic model=claude-sonnet-5-5 kind=cache_write': 4,
      },
    ],
    ['model_cost_usd_total', { 'provider=anthropic model=claude-sonnet-5-5': 0.25 }],
    [
      'tool_calls_total',
      {
        'tool=get_quote outcome=ok': 1,
        'tool=fetch_url outcome=error': 1,
        'tool=place_order outcome=denied': 1,
      },
    ],
    ['tool_results_masked_total', { 'tool=get_quote kind=secret': 2, 'tool=get_quote kind=custom': 1 }],
    ['tool_results_cut_total', { 'tool=get_quote': 1 }],
    ['answers_checked_total', { '': 1 }],
    ['answers_to_repair_total', { '': 1 }],
    [
      'answer_numbers_total',
      {
        'verdict=supported': 4,
        'verdict=quoted': 2,
        'verdict=derived': 1,
        'verdict=exempt': 5,
        'verdict=unsupported': 2,
      },
    ],
    ['answer_numbers_missed_total', { 'outcome=asked': 6, 'outcome=repaired': 3, 'outcome=marked': 2 }],
    ['answer_repairs_total', { 'outcome=insisted': 1 }],
    ['answer_checks_failed_total', { '': 1 }],
    ['feedback_total', { 'verdict=down model=claude-sonnet-5-5': 1 }],
    ['deliveries_total', { 'channel=slack outcome=sent': 1, 'channel=discord outcome=failed': 1 }],
    ['delivery_retries_total', { 'channel=slack': 1 }],
    ['approvals_total', { 'status=asked': 1, 'status=approved': 1 }],
    ['retention_removed_total', { 'kind=inbox': 12, 'kind=transcripts': 0 }],
    ['stage_duration_seconds_sum', { 'stage=command action=skip': 0.03 }],
    ['stage_duration_seconds_count', { 'stage=command action=skip': 1 }],
    ['pipeline_duration_seconds_sum', { 'success=true': 2 }],
    ['model_request_duration_seconds_sum', { 'provider=anthropic model=claude-sonnet-5-5 outcome=ok': 1.5 }],
    ['tool_duration_seconds_sum', { 'tool=get_quote': 0.2, 'tool=fetch_url': 0.03 }],
  ])('%s', async (name, expected) => {
    expect(await afterReports(REPORTS).values(name)).toEqual(expected);
  });

  it('in buckets that tell a command from an answer of a model', async () => {
    const buckets = await afterReports(REPORTS).values('stage_duration_seconds_bucket');
    expect(buckets['le=0.02 stage=command action=skip']).toBe(0);
    expect(buckets['le=0.1 stage=command action=skip']).toBe(1);
  });

  it('with these labels and no other: no person, no conversation, no message is named', async () => {
    const { metrics, samples } = afterReports(REPORTS);
    const labels = new Set((await samples()).flatMap((sample) => Object.keys(sample.labels)));
    expect([...labels].toSorted().join(' ')).toBe(
      'action channel commit date event gate kind le model outcome provider reason stage stat status success tool verdict version',
    );
    const text = await metrics.render();
    for (const secret of [SESSION, INBOX, by, 'c0ffee00', 'event-1', 'd1'])
      expect(text).not.toContain(secret);
  });
});

describe('a request to a model', () => {
  it('whose price is not known has no cost, which is not a cost of nothing', async () => {
    const { costUsd: _unknown, ...unpriced } = REQUEST;
    const { values } = afterReports([['model:request', { ...unpriced, model: 'unpriced' }]]);
    expect(await values('model_cost_usd_total')).toEqual({});
    expect(await values('model_tokens_total')).toMatchObject({
      'provider=anthropic model=unpriced kind=input': 100,
    });
  });

  it.each([NaN, Infinity, -5])(
    'that reports %s tokens does not keep the rest from being counted',
    async (odd) => {
      const { values } = afterReports([
        ['model:request', { ...REQUEST, inputTokens: odd, costUsd: odd }],
        ['model:request', REQUEST],
      ]);
      expect(await values('model_tokens_total')).toMatchObject({
        'provider=anthropic model=claude-sonnet-5-5 kind=input': 100,
        'provider=anthropic model=claude-sonnet-5-5 kind=output': 40,
      });
      expect(await values('model_cost_usd_total')).toEqual({
        'provider=anthropic model=claude-sonnet-5-5': 0.25,
      });
    },
  );
});

describe('a tool call that ran out of time', () => {
  const late: Report = ['tool:execute:timeout', { name: 'slow', sessionKey: SESSION, timeoutMs: 30_000 }];
  const failed: Report = [
    'tool:execute:error',
    { name: 'slow', sessionKey: SESSION, inboxId: INBOX, durationMs: 5, error: 'x' },
  ];
  const otherFailed: Report = [
    'tool:execute:error',
    { name: 'other', sessionKey: SESSION, inboxId: INBOX, durationMs: 5, error: 'x' },
  ];

  it('is a timeout and not an error too, and took as long as it had', async () => {
    const { values } = afterReports([late, failed]);
    expect(await values('tool_calls_total')).toEqual({ 'tool=slow outcome=timeout': 1 });
    expect(await values('tool_duration_seconds_sum')).toEqual({ 'tool=slow': 30 });
  });

  it('hides no error of another call, nor of another tool', async () => {
    const { values } = afterReports([late, otherFailed, failed, failed, late, failed]);
    expect(await values('tool_calls_total')).toEqual({
      'tool=slow outcome=timeout': 2,
      'tool=slow outcome=error': 1,
      'tool=other outcome=error': 1,
    });
  });
});

const dropOf = (reason: string): Report => ['gate:drop', { gate: 'g', reason, channelId: 'slack' }];

describe('a label', () => {
  it('whose values turn out to be without end is cut: the rest is counted together', async () => {
    const reasons = Array.from({ length: 1_000 }, (_, index) => dropOf(`reason-${index}`));
    const { values } = afterReports([...reasons, dropOf('reason-0')]);
    const dropped = await values('messages_dropped_total');
    expect(Object.keys(dropped)).toHaveLength(101);
    expect(dropped).toMatchObject({ 'gate=g reason=reason-0': 2, 'gate=g reason=other': 900 });
  });

  it('never has a value that is a text', async () => {
    const { values } = afterReports([dropOf('x'.repeat(101))]);
    expect(await values('messages_dropped_total')).toEqual({ 'gate=g reason=other': 1 });
  });
});
