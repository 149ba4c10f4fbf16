// The names that several sets of facts share.
export const KAKAO = ['카카오', 'Kakao Corp.', 'Kakao', '035720'];
export const HYUNDAI = ['현대차', '현대자동차', 'Hyundai Motor Company', 'Hyundai Motor', '005380'];
export const LGES = ['LG에너지솔루션', 'LG Energy Solution, Ltd.', 'LG Energy Solution', '373220'];
export const MSFT = ['마이크로소프트', 'Microsoft Corporation', 'Microsoft', 'MSFT'];
export const GOOGLE = ['구글', '알파벳', 'Alphabet Inc.', 'Alphabet', 'Google', 'GOOGL'];
export const COKE = ['코카콜라', 'The Coca-Cola Company', 'Coca-Cola', 'KO'];
export const PEPSI = ['펩시코', 'PepsiCo, Inc.', 'PepsiCo', 'PEP'];
export const NIKE = ['나이키', 'NIKE, Inc.', 'Nike', 'NKE'];
export const SP500 = ['S&P 500', 'S&P500', 'SPX'];
export const BITCOIN = ['비트코인', 'Bitcoin', 'BTC'];

// When the markets closed, and the periods of changes.
export const SEOUL_CLOSE = '2026-11-19T06:30:00Z';
export const NY_CLOSE = '2026-11-18T21:00:00Z';
export const BEFORE_OPEN = { asOf: '2026-11-19T12:30:00Z' };
export const DAY = { period: '1d' };
export const YEAR = { period: '1y' };
export const YTD = { period: 'ytd' };
