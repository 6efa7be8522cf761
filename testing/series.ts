/** Whether the tests run with `npm run test:slow`. */
export const isSlow = process.env.GUILDHALL_TEST_SLOW === '1'

/**
 * Returns `short` in `npm test` and `long` in `npm run test:slow`. Used for the number of repetitions or
 * cases in tests with the tag `series`.
 */
export const series = <T>(short: T, long: T): T => (isSlow ? long : short)
