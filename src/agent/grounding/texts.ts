import { localized } from '#src/kernel/locale.ts';

const en = {
  unconfirmed: ({ list }: { readonly list: string }) =>
    `⚠️ No source found for: ${list}. Please verify before relying on it.`,
  unchecked: ({ count }: { readonly count: number }) => `⚠️ Numbers that were not checked: ${count}`,
  more: ({ count }: { readonly count: number }) => `${count} more`,
  marketSays: ({ name, value }: { readonly name: string; readonly value: string }) =>
    `⚠️ ${name} according to market data: ${value}`,
  /** What was done before may still stand. */
  notDone: ({ effects }: { readonly effects: readonly string[] }) =>
    `⚠️ Nothing was ${effects.join(' or ')} just now.`,
  done: { recorded: 'recorded', set: 'set', removed: 'deleted', sent: 'sent', changed: 'changed' },
};

const ko: typeof en = {
  unconfirmed: ({ list }) => `⚠️ 출처를 확인하지 못한 수치: ${list}. 활용하기 전에 꼭 확인해 주세요.`,
  unchecked: ({ count }) => `⚠️ 나머지 수치 ${count}개는 검사하지 않았습니다.`,
  more: ({ count }) => `외 ${count}개`,
  marketSays: ({ name, value }) => `⚠️ 시세 데이터의 ${name}: ${value}`,
  notDone: ({ effects }) => `⚠️ 방금 ${effects.join('·')}된 것은 없습니다.`,
  done: { recorded: '저장', set: '설정', removed: '삭제', sent: '전송', changed: '변경' },
};

export const groundingTexts = localized({ en, ko });
