import { join } from 'node:path'
import { expect, it } from 'vitest'
import { highlightBlocks, renderFileMarkdown } from '.'
import { type Ask, createAsk } from './ask'

const file = join(process.cwd(), 'dist/text-thread.js')
const ask = createAsk({ file })
const options = {
  baseUrl: 'https://forge.test',
  file: { links: '/o/r/src/branch/main', raw: '/o/r/raw/branch/main', folder: '' },
}

it('renderFileMarkdown marks invisible characters, also those that the file writes as entities', async () => {
  const mark = '<span class="invisible-character" data-code="U+202E">\u202e</span>'
  expect(await renderFileMarkdown('a\u202eb &#x202e; `\u202e`\n', options, { ask })).toEqual({
    html: `<p>a${mark}b ${mark} <code>${mark}</code></p>\n`,
    hasInvisible: true,
  })
  expect(
    (await renderFileMarkdown('<b class="invisible-character">a</b>\n', options, { ask })).hasInvisible,
  ).toBe(false)
})

it('renderFileMarkdown highlights code blocks and marks invisible characters in them', async () => {
  const { html, plain } = await renderFileMarkdown('```go\nfunc a() {}\n// <\u202e\n```\n', options, { ask })
  expect(plain).toBeUndefined()
  expect(html).toBe(
    '<pre tabindex="0"><code><pl-k>func</pl-k> <pl-en>a</pl-en>() {}\n' +
      '<pl-c>// &lt;<span class="invisible-character" data-code="U+202E">\u202e</span></pl-c>\n</code></pre>\n',
  )
})

it.each([
  ['more than 512 KiB', 'a <b>\n'.repeat(90_000), ['too large']],
  // A busy machine reaches the limit of time first.
  [
    'HTML that is much longer than its source',
    '[a](b) '.repeat(70_000),
    ['too large', 'too slow', 'unavailable'],
  ],
])('renderFileMarkdown shows the source of a file with %s', async (_, text, plain) => {
  await expectSource(text, plain, ask)
})

it('renderFileMarkdown shows the source of a file with a nesting that takes longer than allowed', async () => {
  const strict: Ask = (name, input) => ask(name, input, { deadlineMs: 50 })
  await expectSource('<div>'.repeat(100_000), ['too slow', 'unavailable'], strict)
})

async function expectSource(text: string, plain: readonly (string | undefined)[], ask: Ask): Promise<void> {
  const rendered = await renderFileMarkdown(text, options, { ask })
  expect(plain).toContain(rendered.plain)
  expect(rendered.html.startsWith('<pre tabindex="0">')).toBe(true)
  expect(rendered.html.slice(18)).not.toMatch(/<(?!\/pre>$)/)
}

it('renderFileMarkdown renders a file once for each place, and again for other people', async () => {
  let count = 0
  const counted: Ask = (...question) => {
    count++
    return ask(...question)
  }
  const text = `@mona ${crypto.randomUUID()}`
  const known = (...names: string[]) => ({ ...options, people: new Set(names) })
  const first = await renderFileMarkdown(text, known('mona', 'ada'), { ask: counted })
  expect(await renderFileMarkdown(text, known('mona'), { ask: counted })).toBe(first)
  expect(count).toBe(1)
  expect(first.html).toContain('href="/mona"')
  expect((await renderFileMarkdown(text, known(), { ask: counted })).html).not.toContain('href')
})

it('highlightBlocks highlights the code in safe HTML, and leaves it plain if the thread is not available', async () => {
  const block = (code: string) => `<p>x</p><pre tabindex="0" data-language="go"><code>${code}</code></pre>`
  expect(await highlightBlocks(block('a := "&lt;b&gt;"\n'), ask)).toBe(
    '<p>x</p><pre tabindex="0"><code>a := <pl-s>"&lt;b&gt;"</pl-s>\n</code></pre>',
  )
  const none: Ask = async () => ({ plain: 'unavailable' })
  expect(await highlightBlocks(block('b := &lt;\n'), none)).toBe(
    '<p>x</p><pre tabindex="0"><code>b := &lt;\n</code></pre>',
  )
  expect(await highlightBlocks('<pre tabindex="0"><code>x</code></pre>', none)).toContain('<code>x</code>')
  expect(await highlightBlocks('<p>\u202e</p>', none)).toContain('data-code="U+202E"')
})
