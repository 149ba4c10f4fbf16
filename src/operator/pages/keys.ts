import { html } from 'hono/html';
import { formatDuration } from '#src/kernel/time.ts';
import { cooldownReasonTexts } from '#src/kernel/agent/texts/key-cooldowns.ts';
import type { KeyStatus } from '#src/kernel/agent/keys.ts';
import { actionForm, badge, note, table, type BadgeTone } from '../markup.ts';
import type { Notice } from '../texts.ts';
import type { Action, Html, Page, Section, View } from '../page.ts';
import { pageTexts } from './texts.ts';

const REST_MINUTES = 60;

const TONES = {
  healthy: 'good',
  degraded: 'warn',
  unhealthy: 'bad',
  disabled: 'plain',
} as const satisfies Record<KeyStatus['health'], BadgeTone>;

const stateOf = (
  { isActive, isPreferred, isSaved, source, health, cooldownMs, cooldownReason }: KeyStatus,
  view: View,
): Html => {
  const t = pageTexts(view.locale);
  const left = formatDuration(cooldownMs, view.locale);
  const why = cooldownReason && cooldownReasonTexts(view.locale)[cooldownReason];
  const badges = [
    isActive ? badge(t.health[health], TONES[health]) : badge(t.keyOff, 'plain'),
    ...(cooldownMs > 0 ? [badge(t.rests({ left, why }), 'warn')] : []),
    ...(isPreferred ? [badge(t.preferred, 'plain')] : []),
    ...(source === 'profile' && !isSaved ? [badge(t.unsaved, 'plain')] : []),
  ];
  return html`${badges.map((one) => html`${one} `)}`;
};

const buttonsOf = ({ id, masked, isActive, source, cooldownMs }: KeyStatus, view: View): Html => {
  const t = pageTexts(view.locale);
  const button = (action: string, label: string, question?: string) =>
    actionForm(
      'keys',
      id,
      { action, label, about: masked, ...(question === undefined ? {} : { question }) },
      view,
    );
  // A key that rests for one model is still used for others, so it can be paused as a whole too.
  const rest = html`${cooldownMs > 0 ? button('wake', t.endRest) : ''}${button('rest', t.restHour, t.restQuestion)}`;
  // Other keys are turned off where they are set.
  const onOff =
    source === 'profile'
      ? isActive
        ? button('disable', t.disable, t.disableQuestion)
        : button('enable', t.enable)
      : html`<small>${t.fixedKey}</small>`;
  return html`${rest}${onOff}`;
};

const keyList: Section = {
  id: 'keys',
  render: async (view) => {
    const t = pageTexts(view.locale);
    const list = await view.reports.keys();
    if (list.length === 0) return note(t.noKeys);
    return html`${note(t.keysNote)}${table(
      {
        id: 'keys',
        caption: t.keysCaption,
        columns: [
          { title: t.key },
          { title: t.provider },
          { title: t.source },
          { title: t.state },
          { title: t.do },
        ],
      },
      list.map((key) => [
        // The log and /keys name it by its id.
        html`<code>${key.masked}</code> ${key.name}<br /><small><code>${key.id}</code></small>`,
        key.provider,
        t.sources[key.source],
        stateOf(key, view),
        buttonsOf(key, view),
      ]),
      view,
    )}`;
  },
};

const idIn = (form: URLSearchParams): string => form.get('id') ?? '';

const turning =
  (isActive: boolean): Action['run'] =>
  async (form, by, actions) => {
    const outcome = await actions.setKeyActive(idIn(form), isActive, by);
    if (outcome !== 'done') return { notice: `key-${outcome}` };
    return { notice: isActive ? 'key-on' : 'key-off' };
  };

const resting =
  (minutes: number, done: Notice): Action['run'] =>
  async (form, by, actions) => ({
    notice: (await actions.restKey(idIn(form), minutes, by)) === 'done' ? done : 'key-unknown',
  });

export const keys: Page = {
  id: 'keys',
  sections: [keyList],
  actions: {
    enable: { run: turning(true) },
    disable: { question: (locale) => pageTexts(locale).disableQuestion, run: turning(false) },
    rest: {
      question: (locale) => pageTexts(locale).restQuestion,
      run: resting(REST_MINUTES, 'key-paused'),
    },
    wake: { run: resting(0, 'key-wakes') },
  },
};
