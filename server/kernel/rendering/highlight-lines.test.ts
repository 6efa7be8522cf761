import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { highlightLines } from '.'
import { type Ask, createAsk } from './ask'
import { languagesByPattern } from './languages'
import { highlight } from './thread/highlight'

const file = join(process.cwd(), 'dist/text-thread.js')
const never: Ask = () => {
  throw new Error('asked')
}
// Takes highlight.js minutes.
const slow = Array.from({ length: 250 }, () => 'a_b1 '.repeat(380)).join('\n')

it('highlightLines returns one piece of HTML for each line, with classes only', async () => {
  const text = 'func a() {\r\n\t/* x\r\n\t<y> */ return "&"\r\n}\r\n'
  expect(await highlightLines(text, 'go')).toEqual({
    lines: [
      '<pl-k>func</pl-k> <pl-en>a</pl-en>() {',
      '\t<pl-c>/* x</pl-c>',
      '<pl-c>\t&lt;y&gt; */</pl-c> <pl-k>return</pl-k> <pl-s>"&amp;"</pl-s>',
      '}',
    ],
    hasInvisible: false,
  })
})

it('highlightLines marks invisible characters in code that is highlighted', async () => {
  const { lines, hasInvisible } = await highlightLines('s := "\u202e"', 'go')
  expect(hasInvisible).toBe(true)
  expect(lines[0]).toContain('<span class="invisible-character" data-code="U+202E">\u202e</span>')
})

describe('highlightLines returns escaped lines without asking the thread', () => {
  it.each([
    ['no language', '<b>\n</b>', undefined, undefined],
    ['more than 512 KiB', 'x;\n'.repeat(180_000), 'go', 'too large'],
    ['a line of more than 2,000 characters', `x\n${'('.repeat(2_001)}`, 'go', 'long lines'],
    ['a line of 20 MB', '<'.repeat(20e6), 'go', 'too large'],
  ])('for a text with %s', async (_, text, language, plain) => {
    const result = await highlightLines(text, language, { ask: never })
    expect(result.plain).toBe(plain)
    expect(result.lines).toHaveLength(text.split('\n').filter(line => line !== '').length)
    expect(result.lines[0]?.startsWith(text.startsWith('<') ? '&lt;' : 'x')).toBe(true)
  })
})

describe('with any grammar', () => {
  const ids = [...new Set([...languagesByPattern.values()].flatMap(({ id }) => id ?? []))]
  const hostile = [
    '<script>alert(1)</script> <?php "<b>" ?> <!-- <img src=x onerror=alert(1)> -->',
    '# `<a href="javascript:alert(1)">` \'<b>\' """<i>""" {{ <x> }} <% <y> %>',
    '/* <s> */ // <u>\n-- <p>\n% <q>\n; <r>\n@<t> $\u007b<v>} #{<w>} $(<z>) &amp; "',
    '```js\n<b>\n```\n<style>a{}</style><script>let a = `<b>$\u007b"<c>"}`</script>\n',
  ].join('\n')

  it.each(ids)('%s returns the whole text, and no element but its own', async id => {
    const { lines } = (await highlight(hostile, id)) ?? { lines: [] }
    const html = lines.join('\n')
    const own = /<\/?pl-[a-z\d]+>/g
    expect(html.replace(own, '')).not.toMatch(/[<>]/)
    const shown = html
      .replace(own, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('"', '"')
      .replaceAll('&amp;', '&')
    expect(`${shown}\n`).toBe(hostile)
    for (const line of lines) expect(line.split('<pl-').length).toBe(line.split('</pl-').length)
  })
})

// A busy machine reaches the limit of elapsed time first.
const slowly = ['too slow', 'unavailable']

it('a text that takes too long is shown plain, and the next one is highlighted by a new thread', async () => {
  const ask = createAsk({ file, deadlineMs: 200 })
  expect(slowly).toContain((await highlightLines(slow, 'csharp', { ask })).plain)
  expect(await highlightLines('var a;', 'csharp', { ask })).not.toHaveProperty('plain')
})

it('a text that takes too much memory is shown plain, and the server goes on', async () => {
  const ask = createAsk({ file, deadlineMs: 20_000, memoryMb: 16 })
  expect(await highlightLines('{[("a")]}\n'.repeat(50_000), 'javascript', { ask })).toMatchObject({
    plain: 'too slow',
  })
})

it('only a limited number of texts waits, for a limited time, and the others are shown plain', async () => {
  const ask = createAsk({ file, deadlineMs: 300, maxQueue: 3, maxWaitMs: 100 })
  await ask('highlight', { text: '', language: 'go' })
  const all = await Promise.all(
    [slow, ...Array(9).fill('a')].map(text => highlightLines(text, 'csharp', { ask })),
  )
  const [first, ...others] = all.map(({ plain }) => plain)
  expect(slowly).toContain(first)
  expect(others).toEqual(Array(9).fill('unavailable'))
})

it('clients take turns, however many texts one of them waits for', async () => {
  const ask = createAsk({ file })
  const order: string[] = []
  const highlight = async (address: string) => {
    await highlightLines('a', 'go', { ask, client: { address, isAnonymous: true } })
    order.push(address)
  }
  await Promise.all([...Array(5).fill('192.0.2.1'), '192.0.2.2'].map(highlight))
  expect(order.indexOf('192.0.2.2')).toBeLessThan(3)
})

it('a text with a key is highlighted once for each language, unless the thread was not available', async () => {
  let count = 0
  const own = createAsk({ file })
  const ask: Ask = (...question) => {
    count++
    return own(...question)
  }
  const key = crypto.randomUUID()
  const both = [highlightLines('a', 'go', { key, ask }), highlightLines('a', 'go', { key, ask })]
  const [one, other] = await Promise.all(both)
  expect(other).toBe(one)
  expect(await highlightLines('a', 'go', { key, ask })).toBe(one)
  expect(count).toBe(1)
  await highlightLines('a', 'rust', { key, ask })
  expect(count).toBe(2)
  const busy: Ask = async () => ({ plain: 'unavailable' })
  expect(await highlightLines('a', 'c', { key, ask: busy })).toMatchObject({ plain: 'unavailable' })
  expect(await highlightLines('a', 'c', { key, ask })).not.toHaveProperty('plain')
})

it('without the file of the thread, texts are shown plain, and one warning says what to do', async () => {
  const warning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const ask = createAsk({ file: join(await mkdtemp(join(tmpdir(), 'text-')), 'missing.js') })
  for (const text of ['a', 'b'])
    expect(await highlightLines(text, 'go', { ask })).toMatchObject({ lines: [text], plain: 'unavailable' })
  expect(warning.mock.calls.map(([line]) => line)).toEqual([expect.stringContaining('npm run build')])
  warning.mockRestore()
})
