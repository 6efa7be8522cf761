import { expect, it } from 'vitest'
import { oneOf, type Random, randomFrom } from '@/testing/random'
import { series } from '@/testing/series'
import { type Answer, AnswerParser, type Command } from './answers'

const id = (digit: string, length = 40): string => digit.repeat(length)

function parse(command: Command, names: string[], chunks: readonly (Buffer | string)[], maxText = 100) {
  const answers: (Answer | undefined)[] = []
  const parser = new AnswerParser({ command, names, maxText, take: answer => void answers.push(answer) })
  for (const chunk of chunks) parser.push(Buffer.from(chunk))
  return { answers, parser }
}

it('returns an answer for each name: an object, or undefined for a missing or ambiguous one', () => {
  const output = `${id('1')} commit 12\nmain missing\nab12 ambiguous\n${id('2', 64)} blob 0\n${id('3')} submodule\n`
  const { answers, parser } = parse('info', ['a', 'main', 'ab12', 'b', 'c:module'], [output])
  expect(answers).toEqual([
    { sha: id('1'), type: 'commit', size: 12 },
    undefined,
    undefined,
    { sha: id('2', 64), type: 'blob', size: 0 },
    undefined,
  ])
  expect(parser.isDone).toBe(true)
})

it('truncates long contents, and never takes content for an answer', () => {
  const content = `\n${id('9')} blob 3\nx missing\n`
  const output = `${id('1')} blob ${content.length}\n${content}\nx missing\n`
  const { answers } = parse('contents', ['a', 'x'], [output], 5)
  expect(answers.map(answer => answer?.text?.toString('latin1'))).toEqual([content.slice(0, 5), undefined])
})

it('says which content is incomplete', () => {
  const { answers, parser } = parse('contents', ['a', 'b'], [`${id('1')} blob 9\nabc`])
  expect([answers.length, parser.isDone]).toEqual([0, false])
  expect(parser.incomplete).toEqual({ sha: id('1'), type: 'blob', size: 9 })
})

it.each([
  ['another name', 'b missing\n'],
  ['an unknown type', `${id('1')} file 3\n`],
  ['an ID of another length', `${id('1', 41)} blob 3\n`],
  ['a size that is no number', `${id('1')} blob -3\n`],
  ['an error', 'fatal: no\n'],
  ['an empty line', '\n'],
  ['an endless line', 'x'.repeat(1000)],
  ['an object that is longer than its size', `${id('1')} blob 3\nabcd\n`],
  ['more than was asked for', `${id('1')} blob 3\nabc\nmore`],
])('rejects %s', (_, output) => {
  expect(() => parse('contents', ['a'], [output])).toThrow()
})

const texts = ['', '\n', ' missing\n', `${id('a')} blob 4\nx\n\n`, '\0', 'é\u{1f600}', 'x'.repeat(300)]
const names = ['a', 'main', 'a missing', `${id('f')} blob 1`, 'x ambiguous', 'caf\xe9:b c']

/** Creates a random output with what it says. */
function madeBy(random: Random) {
  const command = oneOf<Command>(random, ['info', 'contents'])
  const asked: string[] = []
  const expected: (Answer | undefined)[] = []
  const parts: Buffer[] = []
  for (let count = 1 + Math.floor(random() * 6); count > 0; count--) {
    const name = oneOf(random, names)
    asked.push(name)
    if (random() < 0.3) {
      parts.push(Buffer.from(`${name} ${oneOf(random, ['missing', 'ambiguous'])}\n`, 'latin1'))
      expected.push(undefined)
      continue
    }
    const text = Buffer.from(oneOf(random, texts) + oneOf(random, texts))
    const header = { sha: id('5'), type: oneOf(random, ['blob', 'tree']), size: text.length }
    parts.push(Buffer.from(`${header.sha} ${header.type} ${header.size}\n`))
    if (command === 'contents') parts.push(text, Buffer.from('\n'))
    expected.push(command === 'info' ? header : { ...header, text: text.subarray(0, 100) })
  }
  return { command, asked, expected, output: Buffer.concat(parts) }
}

function cut(random: Random, output: Buffer): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < output.length; ) {
    const end = at + 1 + Math.floor(random() * oneOf(random, [1, 5, 200, 5000]))
    chunks.push(output.subarray(at, end))
    at = end
  }
  return chunks
}

it('reads any answers in any chunks, and of damaged output only what precedes the damage', {
  tags: 'series',
}, () => {
  const random = randomFrom(36)
  for (let round = 0; round < series(1_000, 10_000); round++) {
    const { command, asked, expected, output } = madeBy(random)
    expect(parse(command, asked, cut(random, output)).answers).toEqual(expected)
    const damaged = Buffer.from(output)
    const position = Math.floor(random() * damaged.length)
    damaged[position] = Math.floor(random() * 256)
    const answers: (Answer | undefined)[] = []
    const take = (answer: Answer | undefined) => void answers.push(answer)
    const parser = new AnswerParser({ command, names: asked, maxText: 100, take })
    const whole = wholeBefore(expected, asked, command, position)
    try {
      for (const chunk of cut(random, damaged)) parser.push(chunk)
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
    }
    expect(answers.slice(0, whole)).toEqual(expected.slice(0, whole))
    expect(answers.length).toBeLessThanOrEqual(asked.length)
  }
})

/** Returns how many answers end before a byte of the output. */
function wholeBefore(
  expected: readonly (Answer | undefined)[],
  asked: readonly string[],
  command: Command,
  position: number,
): number {
  let end = 0
  return expected.filter((answer, index) => {
    const header = answer ? `${answer.sha} ${answer.type} ${answer.size}\n`.length : 0
    const content = answer && command === 'contents' ? answer.size + 1 : 0
    // The shortest line about a name, so that the count is never too high.
    end += answer ? header + content : `${asked[index]} ambiguous\n`.length
    return end <= position
  }).length
}
