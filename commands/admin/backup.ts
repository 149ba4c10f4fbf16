import type { Command } from '#src/kernel/chat/command.ts';
import type { CommandDefinition } from '#src/kernel/chat/command-definition.ts';
import type { Locale } from '#src/kernel/locale.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import { formatMoment } from '#src/kernel/time.ts';
import { formatCount } from '#src/kernel/money.ts';
import type { BackupFacts, BackupOutcome, Backups } from '#src/kernel/operations/backup.ts';
import type { Uses } from '#src/platform/services.ts';
import { backupTexts } from '#commands/admin/texts.ts';
import { asCode } from '../shared/labels.ts';
import { adminCommand, ephemeral, usageOf } from '../shared/results.ts';

interface BackupDeps extends Uses<'audit.record' | 'clock.now'> {
  readonly backups: Backups;
}

const ACTIONS: ReadonlyMap<string, 'make' | 'list'> = new Map([
  ['', 'make'],
  ['now', 'make'],
  ['지금', 'make'],
  ['list', 'list'],
  ['목록', 'list'],
]);

/** More do not fit into one message. */
const MAX_LISTED = 20;
const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

const formatSize = (bytes: number, locale: Locale): string =>
  bytes < MEGABYTE
    ? `${formatCount(Math.ceil(bytes / KILOBYTE), locale)} kB`
    : `${(bytes / MEGABYTE).toLocaleString(locale, { maximumFractionDigits: 1 })} MB`;

const describeOutcome = (outcome: BackupOutcome, locale: Locale): string => {
  const t = backupTexts(locale);
  if (outcome.status === 'running') return t.running();
  if (outcome.status === 'failed') return t.failed(outcome);
  const { file, bytes, tookMs, rows, isEncrypted, kept } = outcome;
  const made = t.made({
    file: asCode(file),
    size: formatSize(bytes, locale),
    seconds: (tookMs / 1_000).toLocaleString(locale, { maximumFractionDigits: 1 }),
    rows: formatCount(rows, locale),
    kept,
  });
  return [made, isEncrypted ? t.encrypted() : t.open()].join('\n');
};

const describeAll = (all: readonly BackupFacts[], hours: number, ctx: TurnContext): string => {
  const t = backupTexts(ctx.locale);
  if (all.length === 0) return [t.none(), t.every({ hours })].join('\n');
  const lines = all.slice(0, MAX_LISTED).map(({ file, bytes, madeAt, isFromUpgrade }) => {
    const at = formatMoment(madeAt, ctx);
    return t.line({
      file: asCode(file),
      size: formatSize(bytes, ctx.locale),
      at: isFromUpgrade ? `${at} · ${t.upgrade()}` : at,
    });
  });
  return [t.title({ count: all.length }), ...lines, t.every({ hours })].join('\n');
};

export const backupDefinition: CommandDefinition = {
  name: 'backup',
  aliases: ['백업'],
  description: {
    ko: '모든 데이터를 백업하고 백업 목록을 봅니다',
    en: 'back up all data, and list the backups',
  },
  usage: { ko: '/backup [list]', en: '/backup [list]' },
  category: 'admin',
  requiredRoles: ['admin'],
  options: [
    {
      name: 'action',
      nameKo: '작업',
      description: { ko: '무엇을 할지 고릅니다', en: 'what to do' },
      type: 'text',
      choices: [
        { value: 'now', label: { ko: '지금 백업', en: 'make a backup now' } },
        { value: 'list', label: { ko: '목록 보기', en: 'list the backups' } },
      ],
    },
  ],
  isPrivate: true,
};

export const backup = ({ backups, audit, clock }: BackupDeps): Command =>
  adminCommand(backupDefinition, async ([first = ''], ctx) => {
    const { locale, channelId, senderId } = ctx;
    const action = ACTIONS.get(first.toLowerCase());
    if (!action) return usageOf(backupDefinition, locale);
    if (action === 'list') return ephemeral(describeAll(await backups.list(), backups.everyHours, ctx));
    const outcome = await backups.make();
    if (outcome.status === 'made')
      await audit.record('backup', { channelId, userId: senderId }, { rows: outcome.rows }, clock.now());
    return ephemeral(describeOutcome(outcome, locale));
  });
