import { maxCounted } from '@/server/hooks/max-counted'

/** A number of deliveries as pages show it, such as "17", and "1,000+" where no more are counted. */
export const cappedCount = (count: number): string =>
  count < maxCounted ? String(count) : `${maxCounted.toLocaleString('en-US')}+`
