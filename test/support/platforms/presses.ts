import { expect } from 'vitest';
import type { Call, Person, Place, Seen } from './driver.ts';
import { eventually, type Talk } from './talk.ts';

const THUMBS: ReadonlySet<string> = new Set(['👍', '👎']);

/** The labels of what can be pressed now, without the ratings. */
export const pressable = ({ buttons }: Seen): readonly string[] =>
  buttons.filter(({ isEnabled, label }) => isEnabled && !THUMBS.has(label)).map(({ label }) => label);

/** What can be read beside the labels of the buttons, which are part of the text on Slack. */
const wordsIn = (text: string, { buttons }: Seen): string =>
  buttons.reduce((rest, { label }) => rest.replaceAll(label, ''), text).replaceAll(/[\s[\]·|]/gu, '');

const drawn = (seen: Seen): string => JSON.stringify([seen.text, seen.buttons, seen.files]);

/** Buttons that are disabled show that a press was taken, not what it did. */
const said = ({ text, buttons, files }: Seen): string =>
  JSON.stringify([text, buttons.map(({ label }) => label), files]);

/** Between a sign that a press was taken and its message in the inbox, nothing moves for a moment. */
const STILL_LOOKS = 2;

/** For an answer that shows what was there already. */
const PATIENCE_MS = 500;

export interface Outcome {
  readonly fresh: readonly Seen[];
  readonly changed: readonly Seen[];
  /** What is shown again as it was has been answered too, and so has what opens a form. */
  readonly isAnswered: boolean;
}

/** What people see of a press. */
export const createPresses = (talk: () => Talk) => {
  const seenIn = (person: Person, places: readonly Place[]): readonly Seen[] =>
    places.flatMap((place) => talk().platform.seenBy(person, place));

  /** All that the person sees in these places when the bot has done what it was asked. */
  const settled = async (person: Person, places: readonly Place[]): Promise<readonly Seen[]> => {
    let last = '';
    let looks = 0;
    return eventually(() => {
      const { count } = talk();
      const seen = seenIn(person, places);
      const now = JSON.stringify([seen.map(drawn), count('inbox:accept'), count('delivery:sent')]);
      looks = now === last && !seen.some(({ isUnderWay }) => isUnderWay) ? looks + 1 : 0;
      last = now;
      const isDone = count('pipeline:complete') + count('pipeline:error') >= count('inbox:accept');
      return looks >= STILL_LOOKS && isDone && seen;
    });
  };

  /** Does something, and resolves when the bot has answered it. */
  const done = async (person: Person, places: readonly Place[], act: () => unknown): Promise<Outcome> => {
    const before = await settled(person, places);
    const shown = new Map(before.map((seen) => [seen.id, drawn(seen)]));
    const told = new Map(before.map((seen) => [seen.id, said(seen)]));
    const { count } = talk();
    const [answered, sent] = [count('pipeline:complete'), count('delivery:sent')];
    const isAnswered = (): boolean => count('pipeline:complete') > answered && count('delivery:sent') > sent;
    const call = act() as Partial<Call> | undefined;
    const opensForm = (): boolean => call?.form?.() !== undefined;
    const isChanged = (seen: Seen): boolean => shown.get(seen.id) !== drawn(seen);
    const isVisible = (): boolean => seenIn(person, places).some(isChanged);
    const isSaid = (): boolean => seenIn(person, places).some((seen) => told.get(seen.id) !== said(seen));
    await eventually(
      () => isAnswered() || isVisible() || opensForm(),
      () => seenIn(person, places).map(({ text }) => text),
    );
    // What was counted may belong to something else that the bot did meanwhile.
    const patientUntilMs = performance.now() + PATIENCE_MS;
    await eventually(() => isSaid() || performance.now() > patientUntilMs);
    const after = await settled(person, places);
    return {
      fresh: after.filter(({ id }) => !shown.has(id)),
      changed: after.filter((seen) => shown.has(seen.id) && isChanged(seen)),
      isAnswered: isAnswered() || opensForm(),
    };
  };

  return { done, settled };
};

/** One new message, or the pressed one has changed; a used one may lose its buttons beside a new one. */
export const expectOneEffect = (
  what: string,
  pressed: Seen,
  { fresh, changed, isAnswered }: Outcome,
): void => {
  const texts = JSON.stringify(fresh.map(({ text }) => text));
  expect.soft(fresh.length, `${what}: ${texts}`).toBeLessThanOrEqual(1);
  expect
    .soft(
      changed.every(({ id }) => id === pressed.id),
      what,
    )
    .toBe(true);
  const isReplaced = changed.some(({ text }) => wordsIn(text, pressed) !== wordsIn(pressed.text, pressed));
  expect.soft(fresh.length === 1 && isReplaced, `${what}: answered twice`).toBe(false);
  expect.soft(fresh.length + changed.length > 0 || isAnswered, `${what}: nothing happened`).toBe(true);
};

/** Nothing but one sentence, for the person alone. */
export const expectOneSentence = (what: string, { fresh, changed }: Outcome, sentence: string): void => {
  expect
    .soft(
      fresh.map(({ text }) => text.trim()),
      what,
    )
    .toEqual([sentence]);
  expect.soft(changed, what).toEqual([]);
};
