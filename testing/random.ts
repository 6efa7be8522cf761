/** A function that returns a random number from 0 up to, but not including, 1. */
export type Random = () => number

/** Returns a generator of pseudorandom numbers. The same seed gives the same numbers on every host. */
export function randomFrom(start: number): Random {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns a random element of a list. All elements are equally likely. */
export const oneOf = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T

/**
 * Returns `count` elements of a list in random order. Each element is drawn once before any element is drawn
 * again.
 */
export function dealt<T>(random: Random, list: readonly T[], count: number): T[] {
  const drawn: T[] = []
  while (drawn.length < count) {
    const left = [...list]
    while (left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1))
  }
  return drawn
}
