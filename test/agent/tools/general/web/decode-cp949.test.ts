import { expect, it } from 'vitest';
import { decodeText } from '#src/agent/tools/general/page-body.ts';

it('reads the letters of a CP949 page that EUC-KR does not have', () => {
  const page = Buffer.from('8c63b9e6b0a2c7cf20a2e6', 'hex');
  for (const name of ['cp949', 'euc-kr'])
    expect(decodeText(page, `text/html; charset=${name}`)).toBe('똠방각하 €');
});
