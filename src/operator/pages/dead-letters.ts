import { html } from 'hono/html';
import { asId, type InboxId } from '#src/kernel/ids.ts';
import { type DeadLetter, GIVE_UP_REASONS } from '#src/kernel/operations/status.ts';
import { actionForm, count, note, table, time } from '../markup.ts';
import type { Action, Page, Section, View } from '../page.ts';
import { pageTexts } from './texts.ts';

const MAX_SHOWN = 50;

/** The reasons of this version in the language of the page; errors as they are stored. */
const reasonOf = ({ reason }: DeadLetter, view: View): string => {
  const t = pageTexts(view.locale);
  if (reason === GIVE_UP_REASONS.crashes) return t.processEnded;
  return reason === GIVE_UP_REASONS.restored ? t.restored : reason;
};

const letters: Section = {
  id: 'dead-letters',
  render: async (view) => {
    const t = pageTexts(view.locale);
    const { count: all, newest } = await view.reports.deadLetters(MAX_SHOWN);
    const shown = newest.slice(0, MAX_SHOWN);
    const list = table(
      {
        id: 'dead-letters',
        caption: t.newestOf({ shown: count(shown.length, view), count: count(all, view) }),
        columns: [
          { title: t.errorId },
          { title: t.at },
          { title: t.channel },
          { title: t.attempts, isNumber: true },
          { title: t.reason },
          { title: t.do },
        ],
      },
      shown.map((letter) => {
        const button = (action: string, label: string, question: string, isDangerous: boolean) =>
          actionForm(
            'dead-letters',
            letter.inboxId,
            { action, label, question, isDangerous, about: letter.errorId },
            view,
          );
        return [
          html`<code>${letter.errorId}</code>`,
          time(letter.at, view),
          letter.channelId,
          count(letter.attempts, view),
          reasonOf(letter, view),
          html`${button('replay', t.replay, t.replayQuestion, false)}${button('discard', t.discard, t.discardQuestion, true)}`,
        ];
      }),
      view,
    );
    return html`${note(t.deadNote)}${list}`;
  },
};

const refused: Section = {
  id: 'refused-posts',
  isOfThisProcess: true,
  render: async (view) => {
    const t = pageTexts(view.locale);
    const list = table(
      {
        id: 'refused-posts',
        caption: t.refusedCaption,
        columns: [
          { title: t.channel },
          { title: t.code },
          { title: t.number, isNumber: true },
          { title: t.lastAt },
          { title: t.errorId },
        ],
      },
      view.reports
        .refusedPosts()
        .map((posts) => [
          posts.channelId,
          html`<code>${posts.code}</code>`,
          count(posts.count, view),
          time(posts.at, view),
          html`<code>${posts.errorId}</code>`,
        ]),
      view,
    );
    return html`${note(t.refusedNote)}${list}`;
  },
};

const inboxIdIn = (form: URLSearchParams): InboxId => asId<InboxId>(form.get('id') ?? '');

const replay: Action = {
  question: (locale) => pageTexts(locale).replayQuestion,
  run: async (form, by, actions) => ({
    notice: (await actions.replay(inboxIdIn(form), by)) === 'done' ? 'replayed' : 'letter-gone',
  }),
};

const discard: Action = {
  question: (locale) => pageTexts(locale).discardQuestion,
  run: async (form, by, actions) => ({
    notice: (await actions.discard(inboxIdIn(form), by)) === 'done' ? 'discarded' : 'letter-gone',
  }),
};

export const deadLetters: Page = {
  id: 'dead-letters',
  sections: [letters, refused],
  actions: { replay, discard },
};
