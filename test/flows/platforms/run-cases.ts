import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PlatformKit } from '#test/support/platforms/driver.ts';
import { startTalk, type Talk } from '#test/support/platforms/talk.ts';
import { answerCases } from './cases/answers.ts';
import { ASKS_FIRST, approvalCases } from './cases/approvals.ts';
import { commandCases } from './cases/commands.ts';
import { crowdCases } from './cases/crowd.ts';
import { feedbackCases } from './cases/feedback.ts';
import { groundingCases } from './cases/grounding.ts';
import { liveCases, liveRooms } from './cases/live.ts';
import { nextStepCases } from './cases/next-steps.ts';
import { secrecyCases } from './cases/secrecy.ts';
import { settingsCases } from './cases/settings.ts';
import { talkingCases } from './cases/talking.ts';
import { threadCases } from './cases/threads.ts';
import { whyCases } from './cases/why.ts';

/** The same cases on every platform. What one of them cannot do is skipped there, and the report shows it. */
export const runCases = (kit: PlatformKit): void => {
  describe(`a person on ${kit.name}`, () => {
    const rooms = liveRooms(kit);
    let started: Talk | undefined;
    const talk = (): Talk => {
      if (!started) throw new Error('The bot has not been started');
      return started;
    };
    beforeAll(async () => {
      started = await startTalk(kit, {
        config: (platform) => ({
          ...ASKS_FIRST,
          ...rooms.config(platform),
          grounding: { mode: 'repair' },
        }),
      });
    });
    beforeEach(() => talk().forgetReplies());
    afterAll(() => started?.close());

    // First: after a restart every chat is read, and the others make many.
    describe('keeps to themselves', () => secrecyCases(kit, talk));
    describe('wants to know why', () => whyCases(kit, talk));
    describe('rates', () => feedbackCases(kit, talk));
    describe('goes on from', () => nextStepCases(kit, talk));
    describe('talks', () => talkingCases(kit, talk));
    describe('opens threads', () => threadCases(kit, talk));
    describe('reads', () => answerCases(kit, talk));
    describe('commands', () => commandCases(kit, talk));
    describe('decides', () => approvalCases(kit, talk));
    describe('waits', () => liveCases(kit, talk, rooms));
    describe('reads numbers that', () => groundingCases(kit, talk, rooms));
    describe('is one of many', () => crowdCases(kit, talk));
    describe('runs the server', () => settingsCases(kit, talk));
    it('and the bot kept the manners of the platform all the while', () => {
      expect(talk().platform.offences()).toEqual([]);
    });
  });
};
