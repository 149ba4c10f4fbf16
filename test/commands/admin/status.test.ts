import { describe, expect, it } from 'vitest';
import { status } from '#commands/admin/status.ts';
import { commandTexts } from '#src/kernel/chat/texts/commands.ts';
import { asId, type ChannelId, type InboxId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { Decimal } from '#src/kernel/money.ts';
import type { DeadLetter, SystemStatus } from '#src/kernel/operations/status.ts';
import type { QueueModeInForce, QueuePlace, QueueStatus } from '#src/kernel/chat/queue.ts';
import type { UsageScope } from '#src/kernel/agent/usage.ts';
import { msgContext } from '#test/support/context.ts';
import { usageSnapshot } from '#test/support/usage.ts';
import { runCommand } from '../support.ts';

const HOUR_MS = 3_600_000;

const system = (overrides: Partial<SystemStatus> = {}): SystemStatus => ({
  version: '0.1.0',
  uptimeMs: 51 * HOUR_MS + 5 * 60_000 + 30_000,
  memoryBytes: 1_421_600_000,
  channels: [
    { id: asId<ChannelId>('discord'), isConnected: true },
    { id: asId<ChannelId>('slack'), isConnected: false },
  ],
  queue: { sessions: 1_200, running: 2, waiting: 5 },
  lanes: [
    { laneId: 'main', active: 2, queued: 3, maxConcurrency: 64 },
    { laneId: 'cron', active: 0, queued: 0, maxConcurrency: 4 },
  ],
  breakers: [],
  processes: [],
  inbox: { pending: 7, suspended: 1 },
  numbers: {
    answers: 1_000,
    toRepair: 47,
    checked: 12_400,
    supported: 9_000,
    quoted: 2_000,
    derived: 1_300,
    asked: 12,
    repaired: 31,
    marked: 5,
  },
  deadLetters: { count: 0, newest: [] },
  plugins: [],
  ...overrides,
});

const deadLetter = (errorId: string, overrides: Partial<DeadLetter> = {}): DeadLetter => ({
  inboxId: asId<InboxId>('i1'),
  channelId: asId<ChannelId>('slack'),
  attempts: 3,
  reason: 'EXECUTION_FAILED',
  errorId,
  at: Temporal.Instant.from('2026-11-13T06:30:00Z'),
  ...overrides,
});

interface Given {
  readonly system?: Partial<SystemStatus>;
  readonly queue?: QueueStatus;
  readonly mode?: QueueModeInForce;
  readonly today?: Parameters<typeof usageSnapshot>[0];
  readonly perDayUsd?: string;
}

const setUp = (given: Given = {}) => {
  const asked: unknown[] = [];
  const scopes: UsageScope[] = [];
  const places: QueuePlace[] = [];
  const command = status({
    status: {
      current: async () => {
        asked.push('status');
        return system(given.system);
      },
    },
    queue: {
      status: (sessionKey) => {
        asked.push(sessionKey);
        return given.queue ?? { isRunning: false, waiting: 0 };
      },
    },
    modes: {
      of: (place) => {
        places.push(place);
        return given.mode ?? { mode: 'collect', setFor: 'default' };
      },
    },
    usage: {
      today: async (scope) => {
        scopes.push(scope);
        return { total: usageSnapshot(given.today), byModel: [] };
      },
      limits: {
        perUserUsd: new Decimal(1),
        perDayUsd: given.perDayUsd === undefined ? undefined : new Decimal(given.perDayUsd),
      },
    },
  });
  const ask = async (ctx: Partial<TurnContext> = {}): Promise<string> => {
    const { content, ephemeral } = await runCommand(command, [], { isAdmin: true, ...ctx });
    expect(ephemeral).toBe(true);
    return content;
  };
  return { command, ask, asked, scopes, places };
};

const TROUBLE: Given = {
  system: {
    breakers: [
      { name: 'anthropic', state: 'open' },
      { name: 'fetch_url', state: 'half-open' },
      { name: 'openai', state: 'closed' },
    ],
    deadLetters: {
      count: 1_007,
      newest: [
        deadLetter('c0ffee01'),
        deadLetter('c0ffee02', { attempts: 1 }),
        deadLetter('c0ffee03'),
        deadLetter('no'),
      ],
    },
  },
  queue: { isRunning: true, waiting: 4 },
  mode: { mode: 'steer-backlog', setFor: 'session' },
  today: { requestCount: 45, failedCount: 2, unpricedCount: 3, costUsd: new Decimal('1.5') },
  perDayUsd: '10',
};

describe('/status', () => {
  it('tells how the bot is doing (en)', async () => {
    expect(await setUp().ask()).toBe(`**FinClaw 0.1.0** — up for 2 days, 3 hr, 5 min · 1,422 MB of memory
**Channels** — \`discord\` connected · \`slack\` ⚠️ not connected
**Queue** — 1,200 conversations · 2 running · 5 waiting
**Lanes** — \`main\` 2/64 (3 waiting) · \`cron\` 0/4
**Inbox** — 7 not done · 1 waiting for a decision
**Failing services** — none
**Numbers in answers** — 12,400 checked · 9,000 in data · 2,000 in text · 1,300 calculated · 12 asked about · 31 corrected · 5 marked
**Answers sent back to the model** — 47 of 1,000
**This conversation** — no answer is under way · 0 waiting · mode \`collect\` (the default)
**Models today** — nothing used yet
**Given up** — no message`);
  });

  it('names what is in trouble (en)', async () => {
    const lines = (await setUp(TROUBLE).ask()).split('\n');
    expect(lines.slice(5)).toEqual([
      '**Failing services** — `anthropic` ⚠️ not called for now · `fetch_url` about to be tried again · `openai` failed lately, still called',
      '**Numbers in answers** — 12,400 checked · 9,000 in data · 2,000 in text · 1,300 calculated · 12 asked about · 31 corrected · 5 marked',
      '**Answers sent back to the model** — 47 of 1,000',
      '**This conversation** — an answer is under way · 4 waiting · mode `steer-backlog` (set for this conversation)',
      '**Models today** — $1.50 · 45 requests · without 3 requests of unknown price · 2 failed · Daily limit for everybody: $10.00, $8.50 left today',
      '**Given up** — 1,007 messages failed again and again; the log tells more under the error id. The newest:',
      '- `c0ffee01` — 2026-11-13 15:30:00 KST · slack · 3 attempts · `EXECUTION_FAILED`',
      '- `c0ffee02` — 2026-11-13 15:30:00 KST · slack · 1 attempt · `EXECUTION_FAILED`',
      '- `c0ffee03` — 2026-11-13 15:30:00 KST · slack · 3 attempts · `EXECUTION_FAILED`',
    ]);
  });

  it('lists the processes on the database (en, ko)', async () => {
    const one = {
      id: '0192a8f0-aaaa-bbbb-cccc-000000000001',
      role: 'gateway' as const,
      version: '0.1.0',
      channels: ['discord', 'slack'],
      sessions: 0,
      startedAt: Temporal.Instant.from('2026-11-13T06:30:00Z'),
      isSelf: false,
      isLeading: false,
    };
    const other = { ...one, id: '7f', role: 'worker' as const, sessions: 1, isSelf: true, isLeading: true };
    const { ask } = setUp({ system: { processes: [one, other] } });
    expect((await ask()).split('\n').slice(8, 11)).toEqual([
      '**Processes** — 2',
      '- `0192a8f0` — `gateway` · 0.1.0 · discord, slack · 0 conversations now · since 2026-11-13 15:30:00 KST',
      '- `7f` — `worker` · 0.1.0 · discord, slack · 1 conversation now · since 2026-11-13 15:30:00 KST · this one · runs alerts and briefings',
    ]);
    expect((await ask({ locale: 'ko' })).split('\n')[10]).toBe(
      '- `7f` — `worker` · 0.1.0 · discord, slack · 진행 중인 대화 1개 · 2026-11-13 15:30:00 KST 시작 · 이 프로세스 · 알림·브리핑 담당',
    );
  });

  it('tells the same in Korean', async () => {
    expect((await setUp(TROUBLE).ask({ locale: 'ko' })).split('\n')).toEqual([
      '**FinClaw 0.1.0** — 가동 시간 2일 3시간 5분 · 메모리 1,422 MB',
      '**채널** — `discord` 연결됨 · `slack` ⚠️ 연결 끊김',
      '**대기열** — 대화 1,200개 · 실행 중 2건 · 대기 5건',
      '**동시 실행** — `main` 2/64 (대기 3건) · `cron` 0/4',
      '**수신함** — 미완료 7건 · 결정 대기 1건',
      '**장애가 있는 서비스** — `anthropic` ⚠️ 호출 중지 · `fetch_url` 곧 다시 시도 · `openai` 최근 실패했으나 호출 중',
      '**답변 속 수치** — 확인 12,400개 · 데이터 9,000개 · 인용 2,000개 · 계산 1,300개 · 재확인 12개 · 정정 31개 · 미확인 표시 5개',
      '**모델이 다시 쓴 답변** — 1,000개 중 47개',
      '**이 대화** — 답변 진행 중 · 대기 4건 · 모드 `steer-backlog` (이 대화에 지정됨)',
      '**오늘의 모델 사용** — $1.50 · 요청 45건 · 가격을 알 수 없는 요청 3건 제외 · 실패 2건 · 전체 하루 한도: $10.00, 오늘 $8.50 남음',
      '**처리하지 못한 메시지** — 1,007건이 거듭 실패했습니다. 오류 ID로 로그에서 자세한 내용을 볼 수 있습니다. 최근 항목:',
      '- `c0ffee01` — 2026-11-13 15:30:00 KST · slack · 3회 시도 · `EXECUTION_FAILED`',
      '- `c0ffee02` — 2026-11-13 15:30:00 KST · slack · 1회 시도 · `EXECUTION_FAILED`',
      '- `c0ffee03` — 2026-11-13 15:30:00 KST · slack · 3회 시도 · `EXECUTION_FAILED`',
    ]);
  });

  it.each([
    [0, '1 sec'],
    [90_900, '1 min, 30 sec'],
    [HOUR_MS + 59_000, '1 hr'],
    [26 * HOUR_MS, '1 day, 2 hr'],
  ])('tells an uptime of %d ms as %s', async (uptimeMs, told) => {
    expect(await setUp({ system: { uptimeMs } }).ask()).toContain(`up for ${told} ·`);
  });

  it('never says that less than nothing is left', async () => {
    const { ask } = setUp({ today: { requestCount: 1, costUsd: new Decimal(12) }, perDayUsd: '10' });
    expect(await ask()).toContain('$0.00 left today');
  });

  it('shows the reason of a message that was given up on one line, short, and without its markup', async () => {
    const reason = `**a** \`b\`\n# c ${'😀'.repeat(500)}`;
    const { ask } = setUp({
      system: { deadLetters: { count: 1, newest: [deadLetter('c0ffee01', { reason })] } },
    });
    expect((await ask()).split('\n').at(-1)).toMatch(/ · `\*\*a\*\* 'b' # c 😀{100,120}`$/u);
  });

  it('asks for everybody, and for this conversation', async () => {
    const { ask, asked, scopes, places } = setUp();
    const ctx = msgContext({ chatType: 'group', isAdmin: true });
    await ask(ctx);
    expect(scopes).toEqual(['all']);
    expect(asked).toContain(ctx.sessionKey);
    const { sessionKey, channelId, chatId } = ctx;
    expect(places).toMatchObject([{ sessionKey, channelId, chatId }]);
  });

  it.each(['en', 'ko'] as const)(
    'is for administrators, not for those with a role of that name (%s)',
    async (locale) => {
      const { ask, asked, scopes } = setUp();
      const nobody = { isAdmin: false, userRoles: ['admin'], locale };
      expect(await ask(nobody)).toBe(commandTexts(locale).missingRole({ name: 'status' }));
      expect([asked, scopes]).toEqual([[], []]);
    },
  );

  it('is found under its Korean name too', () => {
    expect(setUp().command.definition).toMatchObject({ aliases: ['상태'], requiredRoles: ['admin'] });
  });
});
