import { maxCounted } from '@/server/hooks/max-counted'

/** Formats a number of deliveries, such as "17", or "1,000+" once the count reaches its maximum. */
export const cappedCount = (count: number): string =>
  count < maxCounted ? String(count) : `${maxCounted.toLocaleString('en-US')}+`
