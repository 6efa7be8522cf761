import { describe, expect, test } from 'vitest'
import { maxFormattedLength, mentionsIn } from '.'
import { renderBeginning, renderMarkdown } from './render'

const render = (text: string): string => renderMarkdown(text, { baseUrl: 'https://forge.test' }).trim()

test('renderMarkdown renders the Markdown that release notes use', () => {
  expect(render('# New\n\n- **fast**, ~~slow~~\n\nsee https://a.test/x')).toBe(
    '<h3>New</h3>\n<ul>\n<li><strong>fast</strong>, <s>slow</s></li>\n</ul>\n' +
      '<p>see <a href="https://a.test/x" rel="nofollow noopener">https://a.test/x</a></p>',
  )
  expect(render('| a |\n|--:|\n| 1 |')).toContain('<td align="right">1</td>')
  expect(render('- [x] done\n- [ ] open')).toContain(
    '<li class="task">☑ done</li>\n<li class="task">☐ open</li>',
  )
  expect(render('one\ntwo')).toContain('one<br />\ntwo')
  expect(render('<details><summary>More</summary>\n\n*here*\n\n</details>')).toContain('<em>here</em>')
  expect(render('```sh\nmake <all>\n```')).toBe('<pre tabindex="0"><code>make &lt;all&gt;\n</code></pre>')
})

describe('rendered Markdown cannot run scripts or affect the page around it', () => {
  test.each([
    '<script>alert(1)</script>',
    '<scr<script>ipt>alert(1)</script>',
    '<style>body{display:none}</style>',
    '<iframe src="https://e.test"></iframe>',
    '<svg onload=alert(1)><script>1</script></svg>',
    '<math><mtext><img src=x onerror=alert(1)></math>',
    '<img src=x onerror=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="java\tscript:alert(1)">x</a>',
    '<a href="&#106;avascript:alert(1)">x</a>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '![x](data:image/svg+xml,<svg/onload=alert(1)>)',
    '[x](vbscript:alert(1))',
    '<javascript:alert(1)>',
    '<p style="position:fixed" onclick="alert(1)" class="Overlay" id="main" name="forms">x</p>',
    '<form action="/x"><input name=a><button>x</button></form>',
    '<a id="main" name="location" target="_top" href="//e.test">x</a>',
    '<base href="https://e.test"><meta http-equiv=refresh content=0><link rel=stylesheet href=x>',
    '<textarea><img src=x onerror=alert(1)></textarea>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<li class="task evil" onmouseover=alert(1)>x',
    '</div></div><plaintext>',
    '<object data=x><embed src=x><video src=x autoplay><audio src=x>',
    '| a |\n|---|\n| <td style="background:url(x)" onfocus=alert(1)> |',
  ])('%s', hostile => {
    const html = render(hostile)
    const tags = [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag).join('')
    expect(tags).not.toMatch(
      /script|style|iframe|svg|math|form|input|button|base|meta|object|embed|video|audio|plaintext/i,
    )
    expect(tags).not.toMatch(/\son\w+=|\sid=|\sname=|target=|evil|Overlay|data:|"\/\//i)
  })
})

describe('alerts in Markdown', () => {
  test.each([
    ['> [!NOTE]\n> Read *this*.', 'note', 'Note', '<p>Read <em>this</em>.</p>'],
    ['> [!warning]\n>\n> Two.\n>\n> Three.', 'warning', 'Warning', '<p>Two.</p>\n<p>Three.</p>'],
    ['> [!CAUTION]', 'caution', 'Caution', ''],
  ])('are rendered with a title for %j', (text, kind, title, rest) => {
    const begin = `<blockquote class="alert alert-${kind}">\n<p class="alert-title">${title}</p>\n`
    expect(render(text)).toBe(`${begin}${rest ? `${rest}\n` : ''}</blockquote>`)
  })

  test.each([
    '> [!NOTE] here',
    '> see [!NOTE]',
    '> [!HINT]\n> x',
    '> > [!NOTE]\n> > x',
    '> **[!NOTE]**\n> x',
    '> # [!NOTE]\n> x',
  ])('are not recognized in the quote %j', text => expect(render(text)).not.toContain('class='))

  test('are shortened like other text', () => {
    const { html, isCut } = renderBeginning(`> [!TIP]\n> ${'word '.repeat(500)}`, {
      baseUrl: 'https://forge.test',
      lines: 3,
    })
    expect(isCut).toBe(true)
    expect(html).toContain('<p class="alert-title">Tip</p>')
    expect(html).toContain('…</p>')
  })
})

describe('references in Markdown', () => {
  const options = {
    baseUrl: 'https://forge.test',
    repository: '/ada/engine',
    people: new Set(['mona', 'd.o-e']),
  }
  const refer = (text: string): string => renderMarkdown(text, options).trim()
  const to = (href: string, text: string): string => `<a href="${href}" rel="nofollow noopener">${text}</a>`
  const sha = '0123456789abcdef0123456789abcdef01234567'

  test.each([
    ['by @mona, @D.o-e.', `by ${to('/mona', '@mona')}, ${to('/D.o-e', '@D.o-e')}.`],
    ['(@mona)', `(${to('/mona', '@mona')})`],
  ])('become links to accounts in %j', (text, html) => expect(refer(text)).toBe(`<p>${html}</p>`))

  test.each([
    [`in ${sha}`, `in ${to(`/ada/engine/commit/${sha}`, `<code title="${sha}">0123456789</code>`)}`],
    ['a1b2c3d:', `${to('/ada/engine/commit/a1b2c3d', '<code title="a1b2c3d">a1b2c3d</code>')}:`],
  ])('become links to commits in %j', (text, html) => expect(refer(text)).toBe(`<p>${html}</p>`))

  test.each([
    '@nobody here',
    'me@mona.test',
    'x@mona',
    '@mona/x',
    '`@mona`',
    '    @mona a1b2c3d',
    '1234567',
    'defaced',
    'A1B2C3D',
    'a1b2c3dx',
    '#1',
    '[@mona](https://e.test)',
    '<a href="https://e.test">@mona</a>',
    `https://e.test/${sha}`,
  ])('are not found in %j', text => expect(refer(text)).not.toMatch(/href="\/|<code title/))

  test('are not rendered without a known repository or accounts', () => {
    expect(render(`@mona ${sha}`)).toBe(`<p>@mona ${sha}</p>`)
  })

  test('are no longer links if the account becomes unknown, even for a text that was rendered before', () => {
    expect(refer('@mona')).toContain('href')
    expect(renderMarkdown('@mona', { ...options, people: new Set() })).toBe('<p>@mona</p>\n')
  })

  test('are limited to 200 per text', () => {
    const html = refer('@mona a1b2c3d '.repeat(4_000))
    expect(html.match(/<a /g)).toHaveLength(200)
  })

  test('are listed by mentionsIn with each mentioned name once, up to 100 names', () => {
    expect(mentionsIn('@mona and @Mona and @ada')).toEqual(['mona', 'ada'])
    expect(mentionsIn(Array.from({ length: 500 }, (_, at) => `@u${at}`).join(' '))).toHaveLength(100)
  })
})

test('links in Markdown are nofollow and noopener, and path-relative URLs are not linked', () => {
  expect(render('[a](https://e.test "T")')).toBe(
    '<p><a href="https://e.test" rel="nofollow noopener" title="T">a</a></p>',
  )
  expect(render('[a](docs/readme.md)')).toBe('<p><a>a</a></p>')
  expect(render('[a](/ada/engine)')).toContain('href="/ada/engine"')
})

test('an image in Markdown without a URL does not swallow the text after it', () => {
  expect(render('<img src=x> and <b>more</b>')).toBe('<p><span>Image</span> and <b>more</b></p>')
})

test('images in Markdown are shown if they are from the site, and become links if external', () => {
  expect(render('![logo](https://forge.test/attachments/1)')).toContain(
    '<img src="/attachments/1" alt="logo"',
  )
  expect(render('![logo](https://e.test/x.png)')).toBe(
    '<p><a href="https://e.test/x.png" rel="nofollow noopener">logo</a></p>',
  )
  expect(render('[![build](https://e.test/x.svg) is well](https://ci.test)')).toBe(
    '<p><a href="https://ci.test" rel="nofollow noopener"><span>build</span> is well</a></p>',
  )
})

test('a very long Markdown text is shown as plain source', () => {
  const html = render('<b>*x*'.repeat(maxFormattedLength))
  expect(html.startsWith('<pre tabindex="0">&lt;b&gt;*x*&lt;b&gt;')).toBe(true)
})

describe('renderBeginning', () => {
  const begin = (text: string, lines = 4) => {
    const { html, isCut } = renderBeginning(text, { baseUrl: 'https://forge.test', lines })
    return { html: html.trim(), isCut }
  }
  const times = (count: number, line: string): string => `${line}\n`.repeat(count)

  test('renders the whole text if it is only slightly longer', () => {
    const text = times(5, '- one')
    expect(begin(text)).toEqual({ html: render(text), isCut: false })
  })

  test.each([
    ['lists', times(9, '- one'), times(4, '- one')],
    ['lists in lists', `- a\n${times(9, '  - b')}`, `- a\n${times(3, '  - b')}`],
    ['quotes', `> ${'a\n> \n> '.repeat(9)}`, '> a\n> \n> a\n> \n> a\n> \n> a'],
    ['tables', `|a|b|\n|-|-|\n${times(9, '|c|d|')}`, `|a|b|\n|-|-|\n${times(3, '|c|d|')}`],
    ['code', `~~~\n${times(9, 'make')}~~~`, `~~~\n${times(4, 'make')}~~~`],
    ['lines', times(9, 'one  '), `${times(3, 'one  ')}one…`],
    ['paragraphs', times(9, 'one\n'), times(4, 'one\n')],
    ['one long line', 'word '.repeat(200), `${'word '.repeat(79)}word…`],
    ['one long word', 'w'.repeat(1000), `${'w'.repeat(400)}…`],
    ['tags', `<details>\n${times(9, '<b>x</b>')}</details>`, `<details>\n${times(3, '<b>x</b>')}</details>`],
    ['references', `${times(9, '- [a]')}\n[a]: https://e.test`, `${times(4, '- [a]')}\n[a]: https://e.test`],
    ['a long code span', `\`${'c'.repeat(1000)}\``, `\`${'c'.repeat(400)}\`…`],
    ['a long line of code', `~~~\n${'c'.repeat(1000)}\n~~~`, `~~~\n${'c'.repeat(400)}\n~~~`],
    [
      'a long line in a tag',
      `<div>${'<b>x</b>'.repeat(100)}</div>`,
      `<div>${'<b>x</b>'.repeat(49)}<b>\n</b></div>`,
    ],
    ['headings just before the end', `${times(3, 'one\n')}# Two\n\n${times(9, 'three')}`, times(3, 'one\n')],
  ])('cuts Markdown with closed elements: %s', (_, text, kept) => {
    expect(begin(text)).toEqual({ html: render(kept), isCut: true })
  })

  test('does not count HTML comments, which are not displayed', () => {
    const text = `<!--${times(20, 'hint')}-->\nNews <!-- ${'hint '.repeat(200)}-->`
    expect(begin(text)).toEqual({ html: '<p>News </p>', isCut: false })
  })

  test.each([
    ['a table cell', `|a|\n|-|\n|${'word '.repeat(12_000)}|`],
    ['pictures in a table cell', `|a|\n|-|\n|${'![a](/b) '.repeat(4_000)}|`],
    ['pictures in table cells', `|${'![a](/b)|'.repeat(1_000)}\n|${'-|'.repeat(1_000)}`],
    ['words in table cells', `|${`${'w'.repeat(300)}|`.repeat(150)}\n|${'-|'.repeat(150)}`],
    ['empty table cells', `|${'|'.repeat(20_000)}\n|${'-|'.repeat(20_000)}`],
    ['a line of code', `~~~\n${'word '.repeat(12_000)}\n~~~`],
    ['a line of HTML', `<p>${'word '.repeat(12_000)}`],
    ['empty code', times(8_000, '~~~\n~~~')],
    ['empty list items', times(30_000, '-')],
    ['empty quotes', times(20_000, '>\n')],
    ['links without text', '[]()'.repeat(15_000)],
    ['the address of a link', `[a](/${'b'.repeat(60_000)})`],
    ['the text of a picture', `![${'a'.repeat(60_000)}](/b)`],
    ['a reference used often', `${'[a] '.repeat(1_000)}\n\n[a]: /${'b'.repeat(5_000)}`],
    ['markup of a tag', `<b title="${'a'.repeat(60_000)}">b</b>`],
  ])('returns a short result for long content: %s', (_, text) => {
    const { html, isCut } = begin(text)
    expect(isCut).toBe(true)
    expect(html.length).toBeLessThan(10_000)
  })

  test('never cuts inside a character', () => {
    expect(begin(`a${'🙂'.repeat(500)}`).html.isWellFormed()).toBe(true)
  })

  test('returns a short result even if the text is too long to render', () => {
    expect(begin('a\n'.repeat(maxFormattedLength))).toEqual({
      html: '<pre tabindex="0">a\na\na\na</pre>',
      isCut: true,
    })
    expect(begin('b'.repeat(maxFormattedLength + 1)).html.length).toBeLessThan(500)
  })
})

const long = (part: string): string => part.repeat(Math.floor(maxFormattedLength / part.length))
const columns = (part: string): string => part.repeat(1000)

test.each([
  ['links', '[a] '],
  ['pictures', '![a] '],
])('a link definition that is used thousands of times does not make the result huge: %s', (_, use) => {
  const text = `${use.repeat(2_000)}\n\n[a]: https://e.test/${'b'.repeat(20_000)}`
  const html = render(text)
  expect(html).toContain('<a href="https://e.test/bbb')
  expect(html.length).toBeLessThan(8 * maxFormattedLength)
})

describe('rendering Markdown takes linear time for', () => {
  test.each([
    ['quotes', long('> ')],
    ['lists in lists', long('- ')],
    ['quotes in lists', long('> - ')],
    ['brackets', long('[')],
    ['pictures', long('![')],
    ['links', long('[a](')],
    ['emphasis', long('**a *b ')],
    ['underscores', long('_a')],
    ['strikes', long('~~a')],
    ['tags', long('<div>')],
    ['open tags', long('<a ')],
    ['folded parts', long('<details>')],
    ['comments', long('<!--')],
    ['entities', long('&#')],
    ['references', long('[a]: b\n')],
    ['tables', `${columns('|a')}\n${columns('|-')}\n${long('|\n').slice(0, 60_000)}`],
    ['addresses', long('http://a')],
    ['mail addresses', long('a@b.')],
    ['underlines', long('a\n-\n')],
    ['spaces', long(`a${' '.repeat(500)}`)],
    ['mentions', long('@a.')],
    ['ids of commits', long('0a')],
    ['alerts', long('> [!NOTE]\n\n')],
    ['ticks', Array.from({ length: 350 }, (_, count) => '`'.repeat(count)).join(' ')],
  ])('%s', (_, text) => {
    const start = process.cpuUsage()
    render(text)
    const { user, system } = process.cpuUsage(start)
    // Several times what any text takes, and far less than quadratic time would.
    expect((user + system) / 1000).toBeLessThan(5000)
  })
})
