import { expect, it } from 'vitest'
import { lineOf, parseLine } from './line'

const now = new Date('2026-11-23T02:00:00.5Z')
const time = { seconds: 1_790_000_000n, nanos: 123_456_789 }
const text = (content: string, at = time) => String(lineOf({ time: at, content }, now))

it('a line has its time with seven fractional digits, a space, and the content', () => {
  expect(text('hello  world ')).toBe('2026-09-21T14:13:20.1234567Z hello  world \n')
  expect(text('')).toBe('2026-09-21T14:13:20.1234567Z \n')
})

it("a line has the server's time if the runner sent no valid time", () => {
  const ours = '2026-11-23T02:00:00.5000000Z x\n'
  const wrong = [
    undefined,
    { ...time, seconds: -1n },
    { ...time, seconds: 10n ** 15n },
    { ...time, nanos: -1 },
  ]
  for (const time of wrong) expect(String(lineOf({ time, content: 'x' }, now))).toBe(ours)
})

it('a row becomes a single line, whatever it contains', () => {
  expect(text('a\nb\r\nc\rd\r\n').split(' ')[1]).toBe('a\\nb\\nc\\nd\n')
  expect(text('a\0b').split(' ')[1]).toBe('ab\n')
})

it('a row of more than 64 KiB is cut off between two characters', () => {
  const content = parseLine(lineOf({ time, content: `x${'€'.repeat(30_000)}` }, now)).content
  expect(content).toBe(`x${'€'.repeat(21_845)}`)
  expect(parseLine(lineOf({ time, content: 'y'.repeat(65_536) }, now)).content).toHaveLength(65_536)
})

it('a row with many line breaks takes no longer to encode', () => {
  const start = performance.now()
  expect(text(`x${'\n'.repeat(100_000)}`)).toContain(' x\n')
  expect(text(`${'\n'.repeat(100_000)}x`)).toContain(' \n')
  expect(text(`${'\r'.repeat(40_000)}x`)).toContain('\\n')
  expect(performance.now() - start).toBeLessThan(1000)
})

it('parseLine returns the time and content that a line was made of', () => {
  expect(parseLine(Buffer.from(text('a b')))).toEqual({
    time: '2026-09-21T14:13:20.1234567Z',
    content: 'a b',
  })
})
