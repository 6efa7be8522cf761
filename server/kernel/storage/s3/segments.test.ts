import fc from 'fast-check'
import { expect, it } from 'vitest'
import { planSegments, type Slice } from './segments'

const mib = 1024 * 1024
const whole = (part: number, size: number) => ({ copied: { part, start: 0, end: size - 1 } })

it('planSegments copies large parts whole', () => {
  expect(planSegments([32 * mib, 32 * mib, 7 * mib])).toEqual([
    whole(0, 32 * mib),
    whole(1, 32 * mib),
    whole(2, 7 * mib),
  ])
})

it('planSegments uploads a small remainder', () => {
  expect(planSegments([32 * mib, 7])).toEqual([whole(0, 32 * mib), { sent: [{ part: 1, start: 0, end: 6 }] }])
})

it('planSegments fills up a small part from the next one, and copies the rest of the next one', () => {
  expect(planSegments([mib, 0, 32 * mib])).toEqual([
    {
      sent: [
        { part: 0, start: 0, end: mib - 1 },
        { part: 2, start: 0, end: 4 * mib - 1 },
      ],
    },
    { copied: { part: 2, start: 4 * mib, end: 32 * mib - 1 } },
  ])
})

it('planSegments copies a part that is too large for one request in several', () => {
  const segments = planSegments([7 * 1024 * mib])
  expect(segments).toHaveLength(7)
  expect(planSegments([])).toEqual([])
})

it('planSegments covers every byte once and in order for any sizes, with only the last segment small and few bytes uploaded', () => {
  const size = fc.oneof(fc.nat(12 * mib), fc.nat(10), fc.nat(3000 * mib))
  fc.assert(
    fc.property(fc.array(size, { maxLength: 40 }), sizes => {
      const segments = planSegments(sizes)
      const slicesOf = segments.map(segment => ('sent' in segment ? segment.sent : [segment.copied]))
      const lengths = slicesOf.map(slices => slices.reduce((sum, { start, end }) => sum + end - start + 1, 0))
      expect(lengths.slice(0, -1).every(length => length >= 5 * mib)).toBe(true)
      expect(
        lengths.every((length, at) => length > 0 && length < ('sent' in segments[at]! ? 16 : 1030) * mib),
      ).toBe(true)
      expect(joined(slicesOf.flat())).toEqual(
        sizes.flatMap((count, part) => (count > 0 ? [[part, 0, count - 1]] : [])),
      )
    }),
  )
})

/** Merges adjacent slices of the same part. */
function joined(slices: Slice[]): number[][] {
  const all: number[][] = []
  for (const { part, start, end } of slices) {
    const last = all.at(-1)
    if (last && last[0] === part && last[2] === start - 1) last[2] = end
    else all.push([part, start, end])
  }
  return all
}
