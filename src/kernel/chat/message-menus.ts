import type { Localized } from '../locale.ts';

/** An entry in the menu of a message that somebody else wrote, on platforms that have one. */
export interface MessageMenu {
  readonly id: string;
  /** At most 24 characters. */
  readonly label: Localized;
  /** What the person asks about the message. Its text comes along as forwarded. */
  readonly asks: Localized;
}

export const MESSAGE_MENUS: readonly MessageMenu[] = [
  {
    id: 'explain',
    label: { en: 'Explain this', ko: '이 메시지 설명' },
    asks: { en: 'Explain this message.', ko: '이 메시지를 설명해 줘.' },
  },
  {
    id: 'prices',
    label: { en: 'Prices in this message', ko: '여기 나온 종목 시세' },
    asks: { en: '/price', ko: '/price' },
  },
];
