import { localized } from '#src/kernel/locale.ts';

const en = {
  corrected: ({ list }: { readonly list: string }) => `⚠️ Corrected to match the data: ${list}`,
  unconfirmed: ({ list }: { readonly list: string }) =>
    `⚠️ No source found for: ${list}. Please verify before relying on it.`,
  unchecked: ({ count }: { readonly count: number }) => `⚠️ Numbers that were not checked: ${count}`,
  more: ({ count }: { readonly count: number }) => `${count} more`,
  actually: ({ value }: { readonly value: string }) => `actually ${value}`,
};

const ko: typeof en = {
  corrected: ({ list }) => `⚠️ 조회한 데이터와 달라 바로잡은 수치: ${list}`,
  unconfirmed: ({ list }) => `⚠️ 출처를 확인하지 못한 수치: ${list}. 활용하기 전에 꼭 확인해 주세요.`,
  unchecked: ({ count }) => `⚠️ 나머지 수치 ${count}개는 검사하지 않았습니다.`,
  more: ({ count }) => `외 ${count}개`,
  actually: ({ value }) => `실제로는 ${value}`,
};

export const groundingMessages = localized({ en, ko });
