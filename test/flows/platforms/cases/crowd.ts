import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { answer, holds } from '#test/support/engine-app.ts';
import type { PlatformKit } from '#test/support/platforms/driver.ts';
import { ECHO, spokenIn, eventually, type Talk } from '#test/support/platforms/talk.ts';

const ROOMS = 10;
const PEOPLE_EACH = 3;
const MODEL_MS = 300;
const DEADLINE_MS = 3_000;

const question = (chat: number, person: number): string => `question ${person} of chat ${chat}.`;

/** Many at once. */
export const crowdCases = ({ can }: PlatformKit, talk: () => Talk): void => {
  it.runIf(can.rooms)(
    '30 people in 10 chats at once: each chat in order, nothing of one in another, every call acknowledged in time',
    async () => {
      const { platform, claude } = talk();
      claude.otherwise((body) => holds(setTimeout(MODEL_MS), answer(`${ECHO}${spokenIn(body)}`)));
      const chats = Array.from({ length: ROOMS }, (_, chat) => ({
        chat,
        room: platform.addRoom(`crowd-${chat}`),
        people: Array.from({ length: PEOPLE_EACH }, (__, person) => platform.addPerson(`p${chat}-${person}`)),
      }));
      const talks = chats.map(({ chat, room, people: [first, ...others] }) => {
        if (!first) throw new Error('Nobody is there');
        const { place } = platform.callIntoThread(first, room, question(chat, 0));
        others.forEach((person, index) =>
          platform.say(person, place, question(chat, index + 1), { mention: true }),
        );
        return { chat, place, first };
      });
      const calls = chats.flatMap(({ room, people }) =>
        people.map((person) => platform.call(person, room, 'price', { symbol: 'AAPL' })),
      );

      const answersIn = ({ place, first }: (typeof talks)[number]): readonly string[] =>
        platform.seenBy(first, place).flatMap(({ text }) => text.match(/question \d of chat \d+\./g) ?? []);
      await eventually(
        () => talks.every((each) => answersIn(each).length >= PEOPLE_EACH),
        () => talks.map(answersIn),
        12_000,
      );
      for (const each of talks)
        expect(answersIn(each)).toEqual([0, 1, 2].map((person) => question(each.chat, person)));
      await eventually(() => calls.every((call) => call.acknowledgedAfterMs() !== undefined));
      expect(Math.max(...calls.map((call) => call.acknowledgedAfterMs() ?? Infinity))).toBeLessThan(
        DEADLINE_MS,
      );
      for (const { room, people } of chats)
        for (const person of people)
          await eventually(
            () => platform.seenBy(person, room).filter(({ cards }) => cards === 1).length === PEOPLE_EACH,
          );
    },
  );
};
