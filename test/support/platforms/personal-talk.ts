import { channelTexts } from '#src/kernel/chat/texts/channels.ts';
import type { Person, Place, PlatformKit, Seen, SentFile } from './driver.ts';
import type { Talk } from './talk.ts';

type Values = Readonly<Record<string, string>>;

/** How one person goes about what is their own, in the way of their platform. */
export interface PersonalTalk {
  readonly person: Person;
  readonly direct: Place;
  /** What is seen in a place that was not there before something was done. */
  readonly next: (place: Place, wanted: RegExp, act: () => unknown) => Promise<Seen>;
  /** A command as the platform offers it, in the direct chat or elsewhere, and what is seen of its answer. */
  readonly call: (command: string, values: Values, wanted: RegExp, place?: Place) => Promise<Seen>;
  /** Typed as a message into the direct chat. */
  readonly type: (words: string, wanted: RegExp, files?: readonly SentFile[]) => Promise<Seen>;
  /** The button of this label; where there are none, the command that it stands for is typed. */
  readonly choose: (seen: Seen, label: RegExp, command: string, wanted: RegExp) => Promise<Seen>;
}

/** The portfolio's name, as it is filled in or typed. */
export const inPortfolio = ({ can }: PlatformKit, name: string): Values => ({
  portfolio: can.typedOptions ? name : `--in=${name}`,
});

/** In a terminal nothing but their words tells the language of a person. */
const TYPED_IN_KOREAN: Values = { watch: '관심', briefing: '브리핑' };

/** What was there before is no answer: only newer messages are. */
export const personalTalk = (
  { can }: PlatformKit,
  { platform, sees }: Talk,
  name: string,
  options: { readonly locale?: 'ko' | 'en'; readonly timeZone?: string } = {},
): PersonalTalk => {
  const person = platform.addPerson(name, options);
  const direct = platform.direct(person);
  const next: PersonalTalk['next'] = (place, wanted, act) => {
    const known = new Set(platform.seenBy(person, place).map(({ id }) => id));
    act();
    return sees(person, place, ({ id, text }) => !known.has(id) && wanted.test(text));
  };
  const type: PersonalTalk['type'] = (words, wanted, files = []) =>
    next(direct, wanted, () => platform.say(person, direct, words, { files }));
  /** Where the platform asks in the message before something is deleted, the answer is yes. */
  const pressed = async (seen: Seen, label: string, wanted: RegExp): Promise<Seen> => {
    const known = new Map(platform.seenBy(person, seen.place).map(({ id, text }) => [id, text]));
    const isAsked = ({ id, buttons }: Seen): boolean =>
      id === seen.id && buttons.some((each) => each.label === channelTexts(options.locale ?? 'en').keep());
    const isAnswer = ({ id, text }: Seen): boolean => known.get(id) !== text && wanted.test(text);
    platform.press(person, seen, label);
    const shown = await sees(person, seen.place, (each) => isAsked(each) || isAnswer(each));
    if (!isAsked(shown)) return shown;
    platform.press(person, seen, label);
    return sees(person, seen.place, isAnswer);
  };
  return {
    person,
    direct,
    next,
    call: (command, values, wanted, place = direct) => {
      const inKorean = !can.calls && options.locale === 'ko' ? TYPED_IN_KOREAN[command] : undefined;
      return next(place, wanted, () => platform.call(person, place, inKorean ?? command, values));
    },
    type,
    choose: (seen, label, command, wanted) => {
      if (!can.buttons) return type(command, wanted);
      const button = seen.buttons.find((each) => label.test(each.label));
      if (!button) throw new Error(`No ${label.source} among ${JSON.stringify(seen.buttons)}`);
      return pressed(seen, button.label, wanted);
    },
  };
};
