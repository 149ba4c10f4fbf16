import type { BriefingRecord } from '#src/kernel/briefing.ts';
import { briefingMessages } from './messages.ts';
import { commandMessages } from '#src/kernel/messages/commands.ts';
import type { Requester, BriefingService } from '#src/kernel/account-services.ts';
import { echo, missedAnswer, resolveNames } from '#src/markets/answers/resolve-names.ts';
import type { BriefingStore } from './store.ts';
import { deleteChoice, describeBriefing, isWhole, MAX_NAMES, wordsOnly } from './briefing-text.ts';
import type { ComposeBriefing } from './compose-briefing.ts';
import { setBriefing, type SetBriefingDeps } from './set-briefing.ts';

export interface BriefingServiceDeps extends SetBriefingDeps {
  readonly store: Pick<BriefingStore, 'add' | 'listOf' | 'remove'>;
  readonly compose: ComposeBriefing;
}

const ALL: ReadonlySet<string> = new Set(['all', '모두', '전부', '전체']);

const listText = (briefings: readonly BriefingRecord[], requester: Requester): string =>
  briefings
    .map((briefing) =>
      briefingMessages(requester.locale).listed({
        ...describeBriefing(briefing, requester),
        names: briefing.instruments.map(({ name }) => name[requester.locale]).join(', '),
      }),
    )
    .join('\n');

const listAnswer =
  ({ owners, store }: BriefingServiceDeps): BriefingService['list'] =>
  async (_request, requester) => {
    const t = briefingMessages(requester.locale);
    const briefings = await store.listOf(await owners.ownerOf(requester));
    // To have none is an answer too.
    if (briefings.length === 0) return wordsOnly([t.none()], 1);
    return wordsOnly(
      [[t.listTitle(), listText(briefings, requester)].join('\n'), t.howToDelete()],
      briefings.length,
      briefings.map((briefing) => deleteChoice(briefing, requester.locale)),
    );
  };

const removeAnswer =
  ({ owners, store, changed }: BriefingServiceDeps): BriefingService['remove'] =>
  async ({ which, isSure = false }, requester) => {
    const { locale } = requester;
    const t = briefingMessages(locale);
    const ownerId = await owners.ownerOf(requester);
    const own = await store.listOf(ownerId);
    if (own.length === 0) return wordsOnly([t.none()], 0);
    const wanted = which.trim().toLowerCase();
    if (ALL.has(wanted)) {
      if (!isSure)
        return {
          ...wordsOnly([t.confirmRemoveAll({ count: own.length })], 1, [
            { label: t.removeAll(), command: '/briefing delete all --yes', answers: 'yes' },
            { label: t.keep(), command: '/briefing', answers: 'no' },
          ]),
          typed: commandMessages(locale).goOn({ command: '/briefing delete all --yes' }),
        };
      const removed = await Promise.all(own.map(({ id }) => store.remove(ownerId, id)));
      changed();
      return wordsOnly([t.removedAll({ count: removed.filter(Boolean).length })], 1);
    }
    const only = own.length === 1 ? own[0] : undefined;
    const meant = wanted === '' ? only : own.find(({ id }) => id.toLowerCase() === wanted);
    if (meant && (await store.remove(ownerId, meant.id))) {
      changed();
      return wordsOnly([t.removed(describeBriefing(meant, requester))], 1);
    }
    return {
      ...wordsOnly(
        [wanted === '' ? t.which() : t.unknown({ typed: echo(which) }), listText(own, requester)],
        0,
        own.map((briefing) => deleteChoice(briefing, locale)),
      ),
      typed: t.howToDelete(),
    };
  };

const nowAnswer =
  ({ owners, symbols, compose }: BriefingServiceDeps): BriefingService['now'] =>
  async ({ names = [] }, requester, signal) => {
    const { locale, timeZone, isDirect: isPrivate } = requester;
    const t = briefingMessages(locale);
    if (names.length > MAX_NAMES) return wordsOnly([t.tooManyNames({ limit: MAX_NAMES })], 0);
    const resolved = await resolveNames(names, symbols, locale, (code) => `/briefing now ${code}`, signal);
    if (!isWhole(resolved)) return missedAnswer(resolved);
    const ownerId = await owners.ownerOf(requester);
    const order = { ownerId, isPrivate, instruments: resolved.instruments, locale, timeZone };
    const { text, facts, isEmpty } = await compose(order, signal);
    if (isEmpty) return wordsOnly([t.down()], 0);
    return { content: text, facts, found: 1, isUntrusted: true };
  };

/** What a person is told at a time of day: only ever their own briefings. Throws on abort, or where the storage does. */
export const createBriefingService = (deps: BriefingServiceDeps): BriefingService => ({
  set: setBriefing(deps),
  list: listAnswer(deps),
  remove: removeAnswer(deps),
  now: nowAnswer(deps),
});
