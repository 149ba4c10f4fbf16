import { describe, expect, it } from 'vitest';
import type { Requester } from '#src/kernel/account-services.ts';
import { requesterOf, setUp, signal } from './alerts-support.ts';

const korean = (): Requester => requesterOf('mina', { locale: 'ko' });
const english = (): Requester => requesterOf('tom', { locale: 'en' });

describe('the answer about a new alert', () => {
  it.each([
    [1, '약 1초마다', 'about once a second', '약 5분마다', 'about every 5 minutes'],
    [10, '약 10초마다', 'about every 10 seconds', '약 5분마다', 'about every 5 minutes'],
    [60, '약 1분마다', 'about once a minute', '약 5분마다', 'about every 5 minutes'],
    [90, '약 1분 30초마다', 'about every 90 seconds', '약 6분마다', 'about every 6 minutes'],
    [
      301,
      '약 5분 1초마다',
      'about every 5 minutes and 1 second',
      '약 5분 1초마다',
      'about every 5 minutes and 1 second',
    ],
    [3_600, '약 1시간마다', 'about once an hour', '약 1시간마다', 'about once an hour'],
  ])(
    'says how often it is evaluated where alerts.everySeconds is %i',
    async (everySeconds, ko, en, newsKo, newsEn) => {
      const { service, hand } = await setUp({ everySeconds, maxAlerts: 9 });
      hand.move('BTC-USD', 90_000);
      hand.move('AAPL', 200);
      const ask = async (text: string, requester: Requester): Promise<string> =>
        (await service.set({ text }, requester, signal)).content;
      expect(await ask('BTC > 99000', korean())).toContain(`밤낮없이 ${ko} 확인합니다.`);
      expect(await ask('BTC > 99000', english())).toContain(`I check ${en}, day and night.`);
      expect(await ask('AAPL news', korean())).toContain(`밤낮없이 ${newsKo} 새 뉴스를 확인합니다.`);
      expect(await ask('AAPL news', english())).toContain(
        `I check for new headlines ${newsEn}, day and night.`,
      );
    },
  );
});
