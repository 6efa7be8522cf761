/** Whether this is `npm run test:slow`. */
export const isSlow = process.env.GUILDHALL_TEST_SLOW === '1'

/** The size of a series, in a test with the tag `series`: the first in `npm test`, the second in `npm run test:slow`. */
export const series = <T>(short: T, long: T): T => (isSlow ? long : short)
