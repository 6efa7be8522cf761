/** Gives a number from 0 up to 1 with each call. */
export type Random = () => number

/** Numbers that are those of the seed on every machine. */
export function randomFrom(start: number): Random {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One of the list, each as likely as the others. */
export const oneOf = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T

/** Draws so many of the list, each once before any is drawn again. */
export function dealt<T>(random: Random, list: readonly T[], count: number): T[] {
  const drawn: T[] = []
  while (drawn.length < count) {
    const left = [...list]
    while (left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1))
  }
  return drawn
}
