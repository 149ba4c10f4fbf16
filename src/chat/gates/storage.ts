import { type Gate, PASS } from './gate.ts';
import { gateTexts } from '#src/kernel/chat/texts/gates.ts';
import type { DailyBytes } from '#src/platform/files/daily-bytes.ts';
import { ROW_BYTES } from '#src/chat/store/stored-bytes.ts';
import { bodyTextOf, type LocaleSettings } from '../context/message-context.ts';
import { commandNameOf, type CommandOf } from '../context/read-command.ts';
import { type AdminSettings, isAdmin } from '../context/admins.ts';
import { replyLocale } from './throttled-reply.ts';

/** Some thousand long messages, or seven thousand short ones. */
const MAX_DAILY_BYTES = 20_000_000;
/** The last bytes of a day are for commands that end running work or delete data. */
const LAST_BYTES = 2_000_000;
const LAST_COMMANDS: ReadonlySet<string> = new Set(['stop', 'approve', 'deny', 'privacy']);

interface StorageDeps extends LocaleSettings {
  readonly storedToday: DailyBytes;
  readonly admins: AdminSettings;
  readonly commandOf: CommandOf;
}

/** Limits what a person has stored in a day, answers, conversations and charts included: commands cost nothing, so no budget would end it. */
export const storage = ({ storedToday, admins, commandOf, ...settings }: StorageDeps): Gate => ({
  name: 'storage',
  check: async (message) => {
    if (isAdmin(message, admins)) return PASS;
    const person = { channelId: message.channelId, userId: message.senderId };
    const isLast = LAST_COMMANDS.has(commandNameOf(commandOf(message)) ?? '');
    if ((await storedToday.of(person)) >= MAX_DAILY_BYTES + (isLast ? LAST_BYTES : 0))
      return {
        verdict: 'drop',
        reason: 'stored-enough',
        reply: gateTexts(replyLocale(message, settings)).storedEnough(),
      };
    storedToday.add(person, ROW_BYTES + Buffer.byteLength(bodyTextOf(message)));
    return PASS;
  },
});
